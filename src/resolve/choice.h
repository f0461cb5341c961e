/* choice.h - which server of a zone is asked next: by round-trip time, troubles, and how often it was in this fetch.
 *
 * thread  the core's
 * source  RFC 6890 (addresses that nobody's zone is served at)
 */
#ifndef SAKER_RESOLVE_CHOICE_H
#define SAKER_RESOLVE_CHOICE_H

#include <stdbool.h>

#define CHOICE_SILENT_TIMES 2u /* time-outs one after the other: a server may be gone */

struct cut;
struct cut_addr;
struct cut_server;
struct resolve;

/* choice_addr - the address of the least cost (resolve/servers.h); NULL: none may be asked any more. */
struct cut_addr *choice_addr(struct resolve *core, struct cut *cut);

/* choice_unknown - a server without an address that was not looked for; NULL: none.
 *
 * shape   glued: those whose address the parent alone has told, too
 */
struct cut_server *choice_unknown(struct resolve *core, struct cut *cut, bool glued);

/* choice_is_poor - is there reason to look for another one, though its address is not known yet? */
bool choice_is_poor(struct resolve *core, const struct cut_addr *at);

#endif

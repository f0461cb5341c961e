/* authority.h - the servers of a world: what each says to a question, in its manner.
 *
 * At AUTHORITY_LIE a server waits that says AUTHORITY_LIE to everything: whoever believes a liar ends there.
 */
#ifndef SAKER_TESTS_AUTHORITY_H
#define SAKER_TESTS_AUTHORITY_H

#include "replay/network.h"
#include "replay/world.h"

#define AUTHORITY_LIE 0x06060606u /* 6.6.6.6 */

/* authority_serve - a network_server; context: the world. */
void authority_serve(void *context, struct network *network, const struct network_ask *ask);

#endif

/* ruleset.h - the rules of the cores (resolve/rules.h) and who may ask, made from one reading of the configuration.
 *
 * It owns all that it points to, and needs the configuration no more.
 *
 * thread  main makes it; read-only once published
 */
#ifndef SAKER_SERVER_RULESET_H
#define SAKER_SERVER_RULESET_H

#include <stdint.h>

#include "access/acl.h"
#include "base/check.h"
#include "base/status.h"
#include "resolve/rebinding.h"
#include "resolve/rules.h"

struct conf_resolver;
struct sizes;

struct ruleset {
	struct rules rules; /* first: the cores see this alone */
	struct acl allow;
	uint32_t forward_count, stub_count;
	struct anchors *anchors; /* owns, and below */
	struct hints *hints;
	struct localdata *local;
	struct rebinding rebinding;
	struct acl private_addresses;
	struct name *private_names;
};

/* ruleset_new - reads the files that the configuration names; sizes: for the cores' config.
 *
 * errors  STATUS_REFUSED: what is wrong went to standard error; STATUS_MEMORY
 */
MUST_USE enum status ruleset_new(const struct conf_resolver *conf, uint64_t number,
	const struct sizes *sizes, struct ruleset **out);

/* ruleset_log - a line of what counts, and what is unwise about it. */
void ruleset_log(const struct ruleset *ruleset);

/* ruleset_free - accepts NULL. */
void ruleset_free(struct ruleset *ruleset);

#endif

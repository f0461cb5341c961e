/* recall.h - an answer out of the cache alone, all along aliases, as clients may see it.
 *
 * What clients may see is the cache's truth without private addresses (resolve/rebinding.h), and with what DNS64 makes of it.
 *
 * memory  sets are borrowed from the cache: an answer lives until the step ends
 * thread  the core's
 * source  RFC 1034 sec 5.3.3 step 1, RFC 8767 (stale answers)
 */
#ifndef SAKER_RESOLVE_RECALL_H
#define SAKER_RESOLVE_RECALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "resolve/compose.h"
#include "resolve/search.h"
#include "wire/name.h"

struct arena;
struct resolve;

#define RECALL_STALE_TTL_S 30u /* RFC 8767 sec 5.11 */
#define RECALL_RESULTS_MAX                                                                         \
	(COMPOSE_PARTS_MAX + 1) /* DNS64 looks at a second type of the last name */

struct recall {
	struct compose_answer answer;
	bool is_stale; /* some of it has expired */
	bool is_derived; /* some denial is made of proofs of other names: not to be kept for each name that is asked for */
	uint32_t result_count;
	struct search_result results[RECALL_RESULTS_MAX];
};

/* How it is asked for. */
struct recall_how {
	uint16_t type;
	bool stale_ok;
	bool nat; /* AAAA may be made of A */
};

/* recall_answer - false: there is not enough in the cache and among proofs, or it was not checked, or does not hold.
 *
 * shape   arena: for what is made anew
 * effect  true: out->answer can be composed. Its extended error tells what is stale
 */
MUST_USE bool recall_answer(struct resolve *core, const struct name *name,
	const struct recall_how *how, struct arena *arena, struct recall *out);

/* recall_wants_nat - is there DNS64 for questions of that type? */
bool recall_wants_nat(const struct resolve *core, uint16_t type);

/* recall_screen - what clients may see of a result: itself, or another one in the arena; without memory for that a failure. */
const struct search_result *recall_screen(
	const struct resolve *core, const struct search_result *result, struct arena *arena);

#endif

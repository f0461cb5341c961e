/* budget.h - the work that one client query may cause, all that hangs on it included (design; NXNSAttack, KeyTrap, CAMP).
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_BUDGET_H
#define SAKER_RESOLVE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "dnssec/dnssec.h"
#include "resolve/cause.h"

/* What is left for one client query; jobs that others join still draw from the query that started them. */
struct budget {
	uint32_t holds;
	uint32_t packets;
	uint32_t missing; /* server names that turned out not to exist */
	uint32_t octets;
	struct dnssec_budget dnssec;
	uint64_t deadline_ns;
	bool root_failed;           /* no server of the root was of use */
	char cause[CAUSE_TEXT_MAX]; /* resolve/cause.h; empty: nothing failed */
};

/* budget_new - a full one, held once; NULL: no memory. */
MUST_USE struct budget *budget_new(uint64_t deadline_ns);
void budget_release(struct budget *budget);

#endif

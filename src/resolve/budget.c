/* budget.c - a full one, and its end. */
#include "resolve/budget.h"

#include <stdlib.h>

#include "resolve/resolve.h"

struct budget *budget_new(uint64_t deadline_ns)
{
	struct budget *budget = malloc(sizeof(*budget));

	if (budget != NULL) {
		*budget = (struct budget){.holds = 1,
			.packets = RESOLVE_PACKETS_MAX,
			.missing = RESOLVE_MISSING_MAX,
			.octets = RESOLVE_OCTETS_MAX,
			.dnssec = {.checks = RESOLVE_CHECKS_MAX,
				.failures = RESOLVE_FAILURES_MAX,
				.hashes = RESOLVE_HASHES_MAX},
			.deadline_ns = deadline_ns};
	}
	return budget;
}

void budget_release(struct budget *budget)
{
	if (budget != NULL && --budget->holds == 0) {
		free(budget);
	}
}

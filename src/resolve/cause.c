/* cause.c - a line of text in the budget of a query. */
#include "resolve/cause.h"

#include <stdio.h>

#include "base/octets.h"
#include "resolve/budget.h"
#include "resolve/core.h"
#include "wire/rrset.h"

#define DS_FIXED_LEN 4u

void cause_signature(struct budget *budget, const struct rrset *set, const struct name *zone)
{
	struct rrset_walk walk = rrset_sigs(set);
	struct rrset_rdata rdata;
	struct rrsig sig;
	char text[NAME_TEXT_MAX];

	while (rrset_next(&walk, &rdata)) {
		if (rrset_sig(&rdata, &sig)) {
			snprintf(budget->cause, sizeof(budget->cause), "signed by %s key %u",
				name_to_text(&sig.signer, text), sig.key_tag);
			return;
		}
	}
	cause_zone(budget, "no signature by", zone);
}

void cause_keys(struct budget *budget, const struct name *zone, const struct rrset *ds)
{
	const struct rrset_rdata first = rrset_first(ds);
	char text[NAME_TEXT_MAX];

	snprintf(budget->cause, sizeof(budget->cause), "DNSKEY of %s by DS %u",
		name_to_text(zone, text),
		first.len >= DS_FIXED_LEN ? octets_get_u16(first.octets) : 0u);
}

void cause_zone(struct budget *budget, const char *what, const struct name *zone)
{
	char text[NAME_TEXT_MAX];

	snprintf(budget->cause, sizeof(budget->cause), "%s %s", what, name_to_text(zone, text));
}

void cause_report(struct resolve *core, const struct name *name, uint16_t type, int16_t ede,
	const struct budget *budget)
{
	const struct resolve_trouble trouble = {.name = name,
		.type = type,
		.ede = ede,
		.root_failed = budget->root_failed,
		.cause = budget->cause,
		.now = core->now};

	if (core->listener.trouble != NULL) {
		core->listener.trouble(core->listener.context, &trouble);
	}
}

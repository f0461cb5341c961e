/* verifier.c - part after part of the truth, each with the sets of the answer that belong to it. */
#include "replay/verifier.h"

#include <string.h>

#include "base/arena.h"
#include "dnssec/absence.h"
#include "dnssec/keyset.h"
#include "wire/response.h"
#include "wire/rrtype.h"

#define ARENA_MAX (1u << 20)
#define PLENTY    1000u

struct verifier {
	struct world *world;
	struct response response;
	struct arena arena;
	struct dnssec_budget budget;
	int64_t wall_s;
	const struct world_zone *zone; /* of the present part */
	const struct rrset *keys;
	struct absence absence;
};

static const struct keyset_policy policy = {.sha1 = true};

static const struct rrset *keys_of(struct verifier *verifier, uint32_t zone)
{
	const struct world_zone *at = &verifier->world->zones[zone];
	const struct world_set *set = world_get(verifier->world, zone, &at->name, RRTYPE_DNSKEY);
	struct rrset_rdata records[WORLD_RDATAS_MAX];

	for (uint32_t i = 0; i < set->count; i++) {
		records[i] = (struct rrset_rdata){
			.octets = set->records[i].octets, .len = (uint16_t)set->records[i].len};
	}
	return rrset_make(
		&verifier->arena, &at->name, RRTYPE_DNSKEY, set->ttl, records, set->count, NULL, 0);
}

static bool holds(struct verifier *verifier, const struct rrset *set, struct keyset_result *result)
{
	return keyset_check_set(set, verifier->keys, &policy, verifier->wall_s, &verifier->budget,
		       result) == DNSSEC_SECURE;
}

/* The proofs of the present zone; false: one does not hold. */
static bool take_proofs(struct verifier *verifier)
{
	const struct response *response = &verifier->response;

	verifier->absence = (struct absence){.zone = &verifier->zone->name};
	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct keyset_result result;
		struct name signer;
		bool proof = response->sets[i].section == SECTION_AUTHORITY &&
			     (set->type == RRTYPE_NSEC || set->type == RRTYPE_NSEC3);
		if (!proof || !keyset_signer(set, &policy, &signer) ||
			!name_equal(&signer, &verifier->zone->name)) {
			continue;
		}
		if (verifier->absence.count == ABSENCE_SETS_MAX || !holds(verifier, set, &result)) {
			return false;
		}
		verifier->absence.sets[verifier->absence.count++] = set;
	}
	return true;
}

static const char *check_set(struct verifier *verifier, const struct rrset *set)
{
	struct keyset_result result;
	struct name owner;

	if (!holds(verifier, set, &result)) {
		return "a set whose signature does not hold";
	}
	if (!result.expanded) {
		return NULL;
	}
	rrset_owner(set, &owner);
	return !take_proofs(verifier) ? "a proof that does not hold"
	       : absence_of_expansion(&verifier->absence, &owner, result.closest_labels,
			 &verifier->budget) == ABSENCE_NONE
		       ? "made from a wildcard, and nothing proves that it may be"
		       : NULL;
}

static const char *check_denial(
	struct verifier *verifier, const struct truth_part *part, uint16_t type, uint16_t rcode)
{
	const struct rrset *soa = response_find(
		&verifier->response, SECTION_AUTHORITY, &verifier->zone->name, RRTYPE_SOA);
	struct keyset_result result;

	if (soa == NULL || !holds(verifier, soa, &result)) {
		return "the SOA of a denial is not there, or does not hold";
	}
	if (!take_proofs(verifier)) {
		return "a proof that does not hold";
	}
	enum absence_verdict verdict =
		rcode == RCODE_NXDOMAIN
			? absence_of_name(&verifier->absence, &part->name, &verifier->budget)
			: absence_of_type(&verifier->absence, &part->name, type, &verifier->budget);
	return verdict == ABSENCE_PROVEN ||
			       (verdict == ABSENCE_OPT_OUT && part->status != WORLD_SECURE)
		       ? NULL
		       : "a denial that is not proven";
}

/* The sets of the answer section that are the part's own. */
static const char *check_part(
	struct verifier *verifier, const struct truth_part *part, uint16_t type, uint16_t rcode)
{
	const struct response *response = &verifier->response;
	bool dname = part->found.kind == WORLD_DNAME;
	const struct name *owner = dname ? &part->found.set->owner : &part->name;
	bool found = false;

	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct name name;
		rrset_owner(set, &name);
		if (response->sets[i].section != SECTION_ANSWER || !name_equal(&name, owner) ||
			(dname && set->type != RRTYPE_DNAME)) {
			continue;
		}
		const char *why = check_set(verifier, set);
		if (why != NULL) {
			return why;
		}
		found = true;
	}
	return found ? NULL : check_denial(verifier, part, type, rcode);
}

const char *verifier_check(struct world *world, const struct truth *truth, uint16_t type,
	const uint8_t *octets, uint32_t len, int64_t wall_s)
{
	static struct verifier verifier;
	const char *why = NULL;

	verifier = (struct verifier){.world = world,
		.wall_s = wall_s,
		.budget = {.checks = PLENTY, .failures = PLENTY, .hashes = PLENTY}};
	arena_init(&verifier.arena, ARENA_MAX);
	if (response_parse(octets, len, &verifier.arena, &verifier.response) != WIRE_OK) {
		why = "it cannot be read";
	}
	for (uint32_t i = 0; i < truth->part_count && why == NULL; i++) {
		const struct truth_part *part = &truth->parts[i];
		verifier.zone = &world->zones[part->zone];
		if (verifier.zone->status != WORLD_SECURE || part->is_made) {
			continue;
		}
		verifier.keys = keys_of(&verifier, part->zone);
		why = check_part(&verifier, part, type, verifier.response.rcode);
	}
	arena_fini(&verifier.arena);
	return why;
}

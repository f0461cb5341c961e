/* truth.c - the algorithm of RFC 1034 sec 4.3.2 over all zones at once. */
#include "replay/truth.h"

#include <string.h>

#include "wire/rrtype.h"

#define FOLLOWED  6u  /* aliases that every resolver follows */
#define STALE_TTL 30u /* RFC 8767 sec 5 */
/* A TTL begins when the answer has been checked, which may wait for as long as a question lasts. */
#define LATE_MS      10000
#define NEGATIVE_TTL 60u  /* the last field of all SOA records */
#define UNKNOWN_TTL  600u /* RFC 6147 sec 5.1.7: of what is made where there is no SOA */

static enum world_status status_of(struct world *world, uint32_t number, const struct name *name,
	const struct world_found *found)
{
	const struct world_zone *zone = &world->zones[number];

	if (zone->status != WORLD_SECURE) {
		return zone->status;
	}
	bool has_set = found->kind == WORLD_ANSWER || found->kind == WORLD_CNAME ||
		       found->kind == WORLD_DNAME;
	if (has_set && found->set->is_broken) {
		return WORLD_BOGUS;
	}
	/* Of what an opt-out span covers nobody knows whether it is there. */
	bool covered =
		found->from_wildcard || found->kind == WORLD_NXDOMAIN ||
		(found->kind == WORLD_NODATA && world_denial(world, number, name, true) == NULL);
	return covered && zone->signing == WORLD_OPT_OUT ? WORLD_INSECURE : WORLD_SECURE;
}

/* A wildcard beside an empty non-terminal that opt-out leaves out: no proof of RFC 5155 fits what is below. */
static bool is_beyond_proof(struct world *world, uint32_t number, const struct world_found *found)
{
	static const uint8_t star_label[2] = {1, '*'};
	struct name encloser = found->encloser, star;

	if (world->zones[number].signing != WORLD_OPT_OUT || found->kind != WORLD_NXDOMAIN) {
		return false;
	}
	while (world_denial(world, number, &encloser, true) == NULL) {
		struct name below = encloser;
		world_suffix(&below, below.label_count - 1u, &encloser);
	}
	return name_join(star_label, 2, 1, &encloser, &star) == WIRE_OK &&
	       world_denial(world, number, &star, true) != NULL;
}

/* Of several sets at a name one does not hold. */
static bool has_broken(const struct world *world, const struct truth_part *part)
{
	const struct world_zone *zone = &world->zones[part->zone];

	for (uint32_t i = 0; part->found.kind == WORLD_ANSWER && i < zone->set_count; i++) {
		if (zone->sets[i].is_broken &&
			name_equal(&zone->sets[i].owner, &part->found.set->owner)) {
			return true;
		}
	}
	return false;
}

/* An alias above the name, with a delegation below it, whose signature does not hold: who looks for cuts label after label
 * (through a forwarder) meets it, who follows referrals does not.
 */
static bool is_below_broken(const struct world *world, const struct name *name)
{
	for (uint32_t i = 0; i < world->zone_count; i++) {
		const struct world_zone *zone = &world->zones[i];
		for (uint32_t n = 0; n < zone->set_count; n++) {
			const struct world_set *set = &zone->sets[n];
			if (set->is_broken && set->type == RRTYPE_CNAME &&
				name->len != set->owner.len && name_is_below(name, &set->owner)) {
				return true;
			}
		}
	}
	return false;
}

static bool was_there(const struct truth *truth, const struct name *name)
{
	for (uint32_t i = 0; i < truth->part_count; i++) {
		if (name_equal(&truth->parts[i].name, name)) {
			return true;
		}
	}
	return false;
}

void truth_find(struct world *world, const struct name *name, uint16_t type, struct truth *out)
{
	struct name at = *name;

	*out = (struct truth){.secure = true, .rcode = RCODE_NOERROR, .is_any = type == RRTYPE_ANY};
	for (;;) {
		struct truth_part *part = &out->parts[out->part_count];
		part->name = at;
		part->zone = world_zone_of(world, &at, type);
		if (world->zones[part->zone].unreachable) {
			out->unreachable = true;
			return;
		}
		world_find(world, part->zone, &at, type, &part->found);
		part->status = status_of(world, part->zone, &at, &part->found);
		out->unclear |= is_beyond_proof(world, part->zone, &part->found) ||
				(out->is_any && has_broken(world, part)) ||
				is_below_broken(world, &at);
		out->bogus |= part->status == WORLD_BOGUS;
		out->secure &= part->status == WORLD_SECURE;
		out->part_count++;
		/* The CNAME that a DNAME makes is an answer to who asks for it. */
		if ((part->found.kind != WORLD_CNAME && part->found.kind != WORLD_DNAME) ||
			type == RRTYPE_CNAME) {
			out->rcode =
				part->found.kind == WORLD_NXDOMAIN ? RCODE_NXDOMAIN : RCODE_NOERROR;
			return;
		}
		if (!world_target(part->found.set, &at, &at)) {
			out->rcode = RCODE_YXDOMAIN;
			return;
		}
		out->unclear |= out->part_count > FOLLOWED;
		if (was_there(out, &at) || out->part_count == TRUTH_PARTS_MAX) {
			out->unclear = true;
			return;
		}
	}
}

/* ---- comparing ---- */

struct compared {
	const struct message_kit_answer *answer;
	const struct truth_client *client;
	bool used[MESSAGE_KIT_RECORDS_MAX];
};

/* Takes a record of the answer section off the list; false: it is not there. One that two steps led to is there once. */
static bool take(struct compared *compared, const struct name *owner, uint16_t type,
	uint32_t ttl_most, const struct signer_rdata *rdata)
{
	const struct message_kit_answer *answer = compared->answer;
	bool found = false;

	for (uint32_t i = 0; i < answer->count; i++) {
		const struct message_kit_record *record = &answer->records[i];
		if (record->section != SECTION_ANSWER || record->type != type ||
			!name_equal(&record->owner, owner) || record->rdata_len != rdata->len ||
			record->ttl > ttl_most ||
			memcmp(record->rdata, rdata->octets, rdata->len) != 0) {
			continue;
		}
		found = true;
		if (!compared->used[i]) {
			compared->used[i] = true;
			return true;
		}
	}
	return found;
}

/* The greatest TTL that something may still have which nobody said after last_ms; false: it may not be given out. */
static bool still_good(
	const struct truth_client *client, int64_t last_ms, uint32_t ttl, uint32_t *most_out)
{
	uint32_t stale = client->stale ? STALE_TTL : 0;
	uint32_t left = ttl;

	if (last_ms != WORLD_ALWAYS) {
		int64_t left_ms = last_ms + LATE_MS + ttl * (int64_t)1000 - client->now_ms;
		if (left_ms <= 0 && (!client->stale || left_ms + client->stale_ms <= 0)) {
			return false;
		}
		left = left_ms <= 0 ? 0 : (uint32_t)((left_ms + 999) / 1000);
		left = left < ttl ? left : ttl;
	}
	*most_out = left > stale ? left : stale;
	return true;
}

/* The last moment at which anybody could hear of a version of a set of the zone. */
static int64_t last_of(const struct world_zone *zone, const struct world_set *version)
{
	bool now = version == NULL || version->until_ms == 0;

	return now || version->until_ms > zone->dark_ms ? zone->dark_ms : version->until_ms;
}

/* RFC 6147 sec 5.1.7: no longer than the denial that nobody sees. */
static const char *take_made(struct compared *compared, const struct truth_part *part,
	const struct world_set *set, uint32_t ttl)
{
	uint32_t most = part->may_fail ? UNKNOWN_TTL : NEGATIVE_TTL;

	for (uint32_t i = 0; i < set->count; i++) {
		uint8_t octets[16];
		const struct signer_rdata made = {.octets = octets, .len = sizeof(octets)};
		memcpy(octets, part->prefix, sizeof(part->prefix));
		memcpy(octets + sizeof(part->prefix), set->records[i].octets, 4);
		if (!take(compared, &part->name, RRTYPE_AAAA, ttl < most ? ttl : most, &made)) {
			return "an address of DNS64 is missing, or lives too long";
		}
	}
	return NULL;
}

static const char *take_set(struct compared *compared, const struct world_zone *zone,
	const struct truth_part *part, const struct world_set *set)
{
	bool dname = part->found.kind == WORLD_DNAME;
	const struct name *owner = dname ? &set->owner : &part->name;
	uint32_t ttl;

	if (!still_good(compared->client, last_of(zone, set), set->ttl, &ttl)) {
		return "a set that should be gone";
	}
	if (part->is_made) {
		return take_made(compared, part, set, ttl);
	}
	for (uint32_t i = 0; i < set->count; i++) {
		if (!take(compared, owner, set->type, ttl, &set->records[i])) {
			return "a record is missing, or lives too long";
		}
	}
	struct name target;
	if (dname && world_target(set, &part->name, &target)) {
		const struct signer_rdata made = {.octets = target.octets, .len = target.len};
		if (!take(compared, &part->name, RRTYPE_CNAME, ttl, &made)) {
			return "the CNAME of a DNAME is missing";
		}
	}
	return NULL;
}

/* What else is there: signatures where they were asked for, SOA and proofs of a denial. */
static const char *check_rest(const struct compared *compared, bool denial)
{
	const struct message_kit_answer *answer = compared->answer;
	bool soa = false;

	for (uint32_t i = 0; i < answer->count; i++) {
		const struct message_kit_record *record = &answer->records[i];
		bool sig = record->type == RRTYPE_RRSIG;
		bool proof = record->type == RRTYPE_NSEC || record->type == RRTYPE_NSEC3;
		if (record->section == SECTION_ANSWER && !compared->used[i] && !sig) {
			return "a record that is not in the zone";
		}
		if (record->section == SECTION_ADDITIONAL) {
			return "a record in the additional section";
		}
		if ((sig || (proof && record->section == SECTION_AUTHORITY)) &&
			!compared->client->dnssec_ok) {
			return "signatures, and nobody asked";
		}
		if (record->section == SECTION_AUTHORITY && !sig && !proof) {
			if (record->type != RRTYPE_SOA || soa || !denial) {
				return "a record in the authority section";
			}
			soa = true;
		}
	}
	return denial && !soa ? "no SOA with a denial" : NULL;
}

/* The answer ends with a version of a set, or with a denial where it was not there. */
static const char *compare_end(struct compared *compared, const struct world_zone *zone,
	const struct truth_part *part, const struct world_set *version)
{
	uint32_t ttl;

	if (version != NULL && version->count > 0) {
		const char *why = take_set(compared, zone, part, version);
		return why != NULL ? why : check_rest(compared, false);
	}
	return still_good(compared->client, last_of(zone, version), NEGATIVE_TTL, &ttl)
		       ? check_rest(compared, true)
		       : "a denial that should be gone";
}

static const char *compare_version(struct compared *compared, const struct world *world,
	const struct truth *truth, const struct world_set *version)
{
	uint32_t last = truth->part_count - 1;

	memset(compared->used, 0, compared->answer->count * sizeof(compared->used[0]));
	for (uint32_t i = 0; i < last; i++) {
		const struct truth_part *part = &truth->parts[i];
		const char *why =
			take_set(compared, &world->zones[part->zone], part, part->found.set);
		if (why != NULL) {
			return why;
		}
	}
	const struct truth_part *part = &truth->parts[last];
	return compare_end(compared, &world->zones[part->zone], part, version);
}

/* The parts before the last are aliases, which do not change. */
static const char *compare_parts(
	struct compared *compared, const struct world *world, const struct truth *truth)
{
	const struct world_found *found = &truth->parts[truth->part_count - 1].found;
	bool is_set = found->kind == WORLD_ANSWER || found->kind == WORLD_CNAME ||
		      found->kind == WORLD_DNAME;
	const struct world_set *version = found->leaf != NULL ? found->leaf
					  : is_set            ? found->set
							      : NULL;
	const char *first = compare_version(compared, world, truth, version), *why = first;

	while (why != NULL && version != NULL && version->before != NULL) {
		version = version->before;
		why = compare_version(compared, world, truth, version);
	}
	return why == NULL ? NULL : first;
}

static const char *compare_other(
	struct compared *compared, const struct world *world, const struct truth *truth)
{
	struct truth other = *truth;

	other.parts[other.part_count - 1] = truth->other;
	return compare_parts(compared, world, &other);
}

/* Some set of the owner whole, over a stream all of them; those of data that do not change. */
static const char *compare_any(
	struct compared *compared, const struct world *world, const struct truth *truth)
{
	const struct truth_part *part = &truth->parts[truth->part_count - 1];
	const struct world_zone *zone = &world->zones[part->zone];
	uint32_t there = 0, taken = 0;

	for (uint32_t i = 0; i + 1 < truth->part_count; i++) {
		const struct truth_part *alias = &truth->parts[i];
		const char *why =
			take_set(compared, &world->zones[alias->zone], alias, alias->found.set);
		if (why != NULL) {
			return why;
		}
	}
	if (part->found.kind != WORLD_ANSWER) {
		return compare_end(compared, zone, part, part->found.set);
	}
	for (uint32_t i = 0; i < zone->set_count; i++) {
		const struct world_set *set = &zone->sets[i];
		if (name_equal(&set->owner, &part->found.set->owner)) {
			there++;
			taken += take_set(compared, zone, part, set) == NULL;
		}
	}
	return taken != (compared->client->stream ? there : 1)
		       ? "another number of sets for all types"
		       : check_rest(compared, false);
}

const char *truth_compare_cut(const struct truth *truth, const struct message_kit_answer *answer)
{
	bool gone = false;

	for (uint32_t i = 0; i < truth->part_count && !truth->is_any; i++) {
		const struct truth_part *part = &truth->parts[i];
		const struct world_set *set = part->found.set;
		uint32_t count = 0;
		for (uint32_t r = 0; set != NULL && r < answer->count; r++) {
			const struct message_kit_record *record = &answer->records[r];
			count += record->section == SECTION_ANSWER &&
				 record->type == (part->is_made ? RRTYPE_AAAA : set->type) &&
				 name_equal(&record->owner, part->found.kind == WORLD_DNAME
								    ? &set->owner
								    : &part->name);
		}
		if (set != NULL && count != 0 && count != set->count) {
			return "a part of a set";
		}
		if (set != NULL && gone && count != 0) {
			return "a set behind one that did not fit";
		}
		gone |= count == 0;
	}
	return NULL;
}

/* One question in several finds no answer, though there is one. */
static bool may_fail(const struct world *world, const struct name *name)
{
	return world_has_manner(world, name, WORLD_FORMERRS) ||
	       world_has_manner(world, name, WORLD_LOSSY);
}

void truth_make(struct world *world, const uint8_t prefix[12], struct truth *truth)
{
	struct truth_part *part = &truth->parts[truth->part_count - 1];

	if (truth->unreachable || truth->part_count == 0 ||
		(part->found.kind != WORLD_NODATA && part->found.kind != WORLD_ANSWER)) {
		return;
	}
	struct truth_part made = {.zone = part->zone,
		.name = part->name,
		.is_made = true,
		.may_fail = may_fail(world, &part->name)};
	world_find(world, part->zone, &part->name, RRTYPE_A, &made.found);
	if (made.found.kind != WORLD_ANSWER) {
		return;
	}
	memcpy(made.prefix, prefix, sizeof(made.prefix));
	made.status = status_of(world, part->zone, &part->name, &made.found);
	truth->other = made;
	if (part->found.kind == WORLD_ANSWER) {
		truth->has_other = made.may_fail;
		return;
	}
	if (made.status == WORLD_BOGUS && part->status != WORLD_BOGUS) {
		truth->unclear = true; /* it holds for nobody but for who asks with CD */
		truth->has_other = true;
		return;
	}
	truth->has_other = made.may_fail;
	truth->other = *part;
	*part = made;
	truth->secure &= made.status == WORLD_SECURE;
}

const char *truth_compare(const struct world *world, const struct truth *truth,
	const struct truth_client *client, const struct message_kit_answer *answer)
{
	struct compared compared = {.answer = answer, .client = client};
	bool fails = truth->unreachable || (truth->bogus && !client->cd);

	if (answer->rcode == RCODE_SERVFAIL) {
		return fails || truth->unclear ? NULL : TRUTH_NO_ANSWER;
	}
	if (fails) {
		return truth->unreachable ? "an answer out of nothing" : "bogus, and told";
	}
	if (answer->rcode != truth->rcode && !truth->unclear) {
		return "another RCODE";
	}
	const char *why = truth->is_any ? compare_any(&compared, world, truth)
					: compare_parts(&compared, world, truth);
	if (why != NULL && truth->has_other && compare_other(&compared, world, truth) == NULL) {
		return NULL;
	}
	if (why != NULL) {
		return why;
	}
	bool wants_ad = (client->dnssec_ok || client->ad) && !client->cd && truth->secure &&
			!client->stale && !truth->unclear;
	bool has_ad = (answer->question.flags & WIRE_FLAG_AD) != 0;
	if (has_ad && !truth->secure) {
		return "AD, and it is not secure";
	}
	return wants_ad && !has_ad ? "no AD, and it is secure" : NULL;
}

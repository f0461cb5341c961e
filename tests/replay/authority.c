/* authority.c - answers as RFC 1034, 4035 and 5155 want them, and then what a manner makes of them. */
#include "replay/authority.h"

#include <string.h>

#include "base/octets.h"
#include "replay/message_kit.h"
#include "wire/rrtype.h"

#define CHASES_MAX 4u
#define LIES_TTL   86400u
#define PROOFS_MAX 8u
#define EVERY_ZONE UINT32_MAX /* host of a forwarder, which knows them all */

/* One question at one server. */
struct service {
	struct world *world;
	uint32_t host;
	struct message_kit_question question;
	uint32_t zone; /* that answers */
	bool break_sigs;
	uint32_t proof_count;
	const struct world_set *proofs[PROOFS_MAX]; /* that are in the message */
	struct message_kit out;
};

static void put_set(struct service *service, enum wire_section section, uint32_t zone,
	struct world_set *set, const struct name *owner)
{
	const struct world_zone *at = &service->world->zones[zone];
	bool unsigned_ = at->signing == WORLD_UNSIGNED || at->fault == WORLD_STRIPPED ||
			 (set->type == RRTYPE_NS && set->owner.len != at->name.len);

	for (uint32_t i = 0; i < set->count; i++) {
		message_kit_put(&service->out, section, owner, set->type, set->ttl,
			set->records[i].octets, set->records[i].len);
	}
	if (!service->question.dnssec_ok || unsigned_) {
		return;
	}
	world_sign(service->world, zone, set);
	uint8_t sig[SIGNER_SIG_MAX];
	memcpy(sig, set->sig, set->sig_len);
	if (service->break_sigs) {
		sig[set->sig_len - 9] ^= 0x10;
	}
	message_kit_put(&service->out, section, owner, RRTYPE_RRSIG, set->ttl, sig, set->sig_len);
}

static void put_own(struct service *service, enum wire_section section, struct world_set *set)
{
	if (set != NULL) {
		put_set(service, section, service->zone, set, &set->owner);
	}
}

/* A record of the chain, once. */
static void put_denial(struct service *service, const struct name *name, bool match)
{
	struct world_set *set = world_denial(service->world, service->zone, name, match);

	for (uint32_t i = 0; i < service->proof_count; i++) {
		if (service->proofs[i] == set) {
			return;
		}
	}
	if (set != NULL) {
		ASSERT(service->proof_count < PROOFS_MAX);
		service->proofs[service->proof_count++] = set;
	}
	put_own(service, SECTION_AUTHORITY, set);
}

static void star_of(const struct name *encloser, struct name *out)
{
	static const uint8_t star[2] = {1, '*'};

	ASSERT(name_join(star, 2, 1, encloser, out) == WIRE_OK);
}

/* RFC 5155 sec 7.2.1: the closest encloser that has a record, and what is over the next closer name. */
static void put_closest(struct service *service, const struct name *name)
{
	for (uint32_t labels = name->label_count; labels-- > 0;) {
		struct name above, closer;
		world_suffix(name, labels, &above);
		if (world_denial(service->world, service->zone, &above, true) != NULL) {
			world_suffix(name, labels + 1, &closer);
			put_denial(service, &above, true);
			put_denial(service, &closer, false);
			return;
		}
	}
}

static bool is_proving(const struct service *service)
{
	const struct world_zone *zone = &service->world->zones[service->zone];

	return service->question.dnssec_ok && zone->signing != WORLD_UNSIGNED &&
	       zone->fault != WORLD_STRIPPED;
}

/* That the name is there without the type, or that it is an insecure delegation. */
static void prove_no_type(struct service *service, const struct name *name)
{
	const struct world_zone *zone = &service->world->zones[service->zone];

	if (!is_proving(service)) {
		return;
	}
	if (world_denial(service->world, service->zone, name, true) != NULL) {
		put_denial(service, name, true);
	} else if (zone->signing == WORLD_NSEC) {
		put_denial(service, name, false); /* an empty non-terminal */
	} else {
		put_closest(service, name);
	}
}

static void prove_wildcard(
	struct service *service, const struct name *name, const struct world_found *at)
{
	const struct world_zone *zone = &service->world->zones[service->zone];
	struct world_found found[1] = {*at};
	struct name star;

	if (!is_proving(service)) {
		return;
	}
	/* Opt-out: the closest encloser that has a record, RFC 5155 sec 7.2.1. */
	while (zone->signing == WORLD_OPT_OUT &&
		world_denial(service->world, service->zone, &found->encloser, true) == NULL) {
		found->closer = found->encloser;
		world_suffix(&found->closer, found->closer.label_count - 1u, &found->encloser);
	}
	put_denial(service, zone->signing == WORLD_NSEC ? name : &found->closer, false);
	if (found->kind == WORLD_NODATA || found->kind == WORLD_NXDOMAIN) {
		star_of(&found->encloser, &star);
		if (zone->signing != WORLD_NSEC) {
			put_denial(service, &found->encloser, true);
		}
		put_denial(service, &star, found->kind == WORLD_NODATA);
	}
}

static bool is_served(const struct service *service, uint32_t zone)
{
	const struct world_zone *at = &service->world->zones[zone];

	for (uint32_t i = 0; i < at->host_count; i++) {
		if (at->hosts[i] == service->host) {
			return true;
		}
	}
	return service->host == EVERY_ZONE;
}

/* Which of the zones that it serves answers; false: none. */
static bool choose_zone(struct service *service, const struct name *name, uint16_t type)
{
	const struct world *world = service->world;
	bool found = false;

	for (uint32_t parents = 0; parents < 2 && !found; parents++) {
		for (uint32_t i = 0; i < world->zone_count; i++) {
			const struct world_zone *zone = &world->zones[i];
			bool parent_side = type == RRTYPE_DS && zone->name.len == name->len &&
					   name->len > 1 && parents == 0;
			if (!is_served(service, i) || !name_is_below(name, &zone->name) ||
				parent_side) {
				continue;
			}
			if (!found || zone->name.label_count >
					      world->zones[service->zone].name.label_count) {
				service->zone = i;
				found = true;
			}
		}
	}
	return found;
}

static uint32_t host_of(const struct world *world, const struct name *name)
{
	for (uint32_t i = 0; i < world->host_count; i++) {
		if (name_equal(&world->hosts[i].name, name)) {
			return i;
		}
	}
	return UINT32_MAX;
}

/* Addresses of a cut's servers: those below the zone that refers. */
static void put_glue(struct service *service, const struct world_set *ns)
{
	const struct world *world = service->world;
	const struct world_zone *zone = &world->zones[service->zone];

	for (uint32_t i = 0; i < ns->count; i++) {
		struct name name = {.len = (uint8_t)ns->records[i].len};
		memcpy(name.octets, ns->records[i].octets, name.len);
		for (uint32_t at = 0; name.octets[at] != 0; at += name.octets[at] + 1u) {
			name.label_count++;
		}
		uint32_t host = host_of(world, &name);
		bool in_domain = name_is_below(&name, &ns->owner);
		if (host == UINT32_MAX || !name_is_below(&name, &zone->name) ||
			(!in_domain && random_below(&service->world->random, 2) == 0)) {
			continue;
		}
		uint8_t octets[16];
		world_address(host, false, octets);
		message_kit_put(&service->out, SECTION_ADDITIONAL, &name, RRTYPE_A, 300, octets, 4);
		if (world->hosts[host].has_v6) {
			world_address(host, true, octets);
			message_kit_put(&service->out, SECTION_ADDITIONAL, &name, RRTYPE_AAAA, 300,
				octets, 16);
		}
	}
}

static void refer(struct service *service, struct world_found *found)
{
	struct world_set *ds =
		world_get(service->world, service->zone, &found->set->owner, RRTYPE_DS);

	put_own(service, SECTION_AUTHORITY, found->set);
	if (ds != NULL) {
		if (service->question.dnssec_ok) {
			put_own(service, SECTION_AUTHORITY, ds);
		}
	} else {
		prove_no_type(service, &found->set->owner);
	}
	put_glue(service, found->set);
}

static void put_soa(struct service *service)
{
	const struct name *apex = &service->world->zones[service->zone].name;

	put_own(service, SECTION_AUTHORITY,
		world_get(service->world, service->zone, apex, RRTYPE_SOA));
}

static void put_cname_of_dname(
	struct service *service, const struct world_set *dname, const struct name *name)
{
	struct name target;

	if (world_target(dname, name, &target)) {
		message_kit_put(&service->out, SECTION_ANSWER, name, RRTYPE_CNAME, dname->ttl,
			target.octets, target.len);
	}
}

static void set_flags(struct service *service, uint16_t add)
{
	octets_put_u16(
		service->out.octets + 2, (uint16_t)(octets_get_u16(service->out.octets + 2) | add));
}

/* All sets that the owner of one has. */
static void put_all(struct service *service, const struct world_set *one, const struct name *name)
{
	struct world_zone *zone = &service->world->zones[service->zone];

	for (uint32_t i = 0; i < zone->set_count; i++) {
		struct world_set *set = &zone->sets[i];
		if (set->count > 0 && name_equal(&set->owner, &one->owner)) {
			put_set(service, SECTION_ANSWER, service->zone, set, name);
		}
	}
}

/* What old servers see: a delegation, whatever is asked for. */
static void look_for_cut(
	struct service *service, const struct name *name, struct world_found *found)
{
	const struct world_zone *zone = &service->world->zones[service->zone];
	struct world_set *ns = world_get(service->world, service->zone, name, RRTYPE_NS);

	if (ns != NULL && name->len != zone->name.len) {
		*found = (struct world_found){.kind = WORLD_REFERRAL, .set = ns};
	}
}

/* One step: the answer for a name; true, and the next name: an alias leads there. */
static bool answer_name(struct service *service, const struct name *name, bool first,
	struct world_found *found, struct name *next)
{
	world_find(service->world, service->zone, name, service->question.type, found);
	if (service->question.type == RRTYPE_DS && service->host != EVERY_ZONE &&
		service->world->hosts[service->host].manner == WORLD_REFERS) {
		look_for_cut(service, name, found);
	}
	switch (found->kind) {
	case WORLD_REFERRAL:
		if (first) {
			refer(service, found);
		}
		return false;
	case WORLD_ANSWER:
	case WORLD_CNAME:
		if (service->question.type == RRTYPE_ANY) {
			put_all(service, found->set, name);
			return false;
		}
		put_set(service, SECTION_ANSWER, service->zone, found->set, name);
		return found->kind == WORLD_CNAME && world_target(found->set, name, next);
	case WORLD_DNAME:
		put_own(service, SECTION_ANSWER, found->set);
		put_cname_of_dname(service, found->set, name);
		return world_target(found->set, name, next);
	case WORLD_NODATA:
		if (first) {
			put_soa(service);
			if (found->from_wildcard) {
				prove_wildcard(service, name, found);
			} else {
				prove_no_type(service, name);
			}
		}
		return false;
	case WORLD_NXDOMAIN:
		if (first) {
			set_flags(service, RCODE_NXDOMAIN);
			put_soa(service);
			prove_wildcard(service, name, found);
		}
		return false;
	}
	return false;
}

static void answer(struct service *service)
{
	struct name name = service->question.name, next;
	struct world_found found, first;
	bool chatty = service->host != EVERY_ZONE &&
		      service->world->hosts[service->host].manner == WORLD_CHATTY;

	if (!choose_zone(service, &name, service->question.type)) {
		set_flags(service, RCODE_REFUSED);
		return;
	}
	bool alias = answer_name(service, &name, true, &found, &next);
	if (found.kind != WORLD_REFERRAL) {
		set_flags(service, WIRE_FLAG_AA);
	}
	uint32_t own = service->zone;
	first = found;
	for (uint32_t i = 0; chatty && alias && i < CHASES_MAX; i++) {
		name = next;
		if (!choose_zone(service, &name, service->question.type)) {
			break;
		}
		alias = answer_name(service, &name, false, &found, &next);
	}
	service->zone = own;
	/* Behind all answers; what was chased needs proofs of its own, which whoever follows asks for. */
	if (first.from_wildcard && first.kind != WORLD_NODATA) {
		prove_wildcard(service, &service->question.name, &first);
	}
	if (service->question.type == RRTYPE_NS && found.kind == WORLD_ANSWER) {
		put_glue(service, found.set);
	} else if (chatty && found.kind == WORLD_ANSWER) {
		struct world_zone *zone = &service->world->zones[own];
		put_own(service, SECTION_AUTHORITY,
			world_get(service->world, own, &zone->name, RRTYPE_NS));
	}
}

/* ---- manners ---- */

static void put_lies(struct service *service)
{
	struct world *world = service->world;
	uint32_t victim = random_below(&world->random, world->zone_count);
	const struct world_zone *zone = &world->zones[victim];
	const struct world_set *set = &zone->sets[random_below(&world->random, zone->set_count)];
	static const struct name liar = {
		.len = 6, .label_count = 1, .octets = {4, 'l', 'i', 'a', 'r', 0}};
	uint8_t octets[4];

	octets_put_u32(octets, AUTHORITY_LIE);
	/* It may say what it likes about its own. */
	if (name_is_below(&set->owner, &world->zones[service->zone].name)) {
		return;
	}
	message_kit_put(
		&service->out, SECTION_ADDITIONAL, &set->owner, RRTYPE_A, LIES_TTL, octets, 4);
	message_kit_put(&service->out, SECTION_ADDITIONAL, &liar, RRTYPE_A, LIES_TTL, octets, 4);
	if (!name_is_below(&service->question.name, &zone->name)) {
		message_kit_put(&service->out, SECTION_ADDITIONAL, &zone->name, RRTYPE_NS, LIES_TTL,
			liar.octets, liar.len);
	}
}

/* In the answer and authority sections, before what is true. */
static void begin_with_lies(struct service *service)
{
	struct world *world = service->world;
	uint32_t victim = random_below(&world->random, world->zone_count);
	const struct world_zone *zone = &world->zones[victim];
	const struct world_set *set = &zone->sets[random_below(&world->random, zone->set_count)];
	uint8_t octets[4];

	octets_put_u32(octets, AUTHORITY_LIE);
	if (!name_is_below(&set->owner, &world->zones[service->zone].name) &&
		!name_equal(&set->owner, &service->question.name)) {
		message_kit_put(
			&service->out, SECTION_ANSWER, &set->owner, RRTYPE_A, LIES_TTL, octets, 4);
	}
}

static void put_garbage(struct world *world, struct message_kit *out)
{
	uint32_t from = WIRE_HEADER_LEN + random_below(&world->random, out->len - WIRE_HEADER_LEN);

	for (uint32_t i = from; i < out->len; i++) {
		out->octets[i] = (uint8_t)random_below(&world->random, 256);
	}
	out->octets[6] = 0x7f; /* more records than there are: it never parses */
}

/* Guesses of somebody who does not see the question. */
static void spoof(
	struct network *network, const struct network_ask *ask, const struct service *service)
{
	static struct message_kit out;
	uint8_t octets[4];
	uint32_t count = 1 + random_below(&network->random, 4);

	octets_put_u32(octets, AUTHORITY_LIE);
	for (uint32_t i = 0; i < count; i++) {
		struct message_kit_question question = service->question;
		uint16_t flags = WIRE_FLAG_QR | WIRE_FLAG_AA;
		switch (random_below(&network->random, 4)) {
		case 0:
			question.type ^= 1;
			break;
		case 1:
			question.name = (struct name){.len = 7,
				.label_count = 1,
				.octets = {5, 's', 'p', 'o', 'o', 'f', 0}};
			break;
		case 2:
			flags = WIRE_FLAG_AA;
			break;
		default:
			question.id =
				(uint16_t)(question.id + 1 + random_below(&network->random, 65535));
			break;
		}
		message_kit_begin(&out, &question, flags);
		message_kit_put(
			&out, SECTION_ANSWER, &question.name, RRTYPE_A, LIES_TTL, octets, 4);
		message_kit_end(&out, &question, false);
		network_reply(
			network, ask, random_below(&network->random, 900), out.octets, out.len);
	}
}

static bool find_host(const struct world *world, const struct addr *to, uint32_t *host_out)
{
	for (uint32_t i = 0; i < world->host_count; i++) {
		uint8_t octets[16];
		bool v6 = to->family == ADDR_V6;
		world_address(i, v6, octets);
		if (memcmp(octets, to->octets, v6 ? 16 : 4) == 0 &&
			(!v6 || world->hosts[i].has_v6)) {
			*host_out = i;
			return true;
		}
	}
	return false;
}

static void say_lie(struct service *service)
{
	uint8_t octets[4];

	octets_put_u32(octets, AUTHORITY_LIE);
	set_flags(service, WIRE_FLAG_AA);
	message_kit_put(&service->out, SECTION_ANSWER, &service->question.name, RRTYPE_A, LIES_TTL,
		octets, 4);
}

/* What a server of that manner says, into service->out; false: nothing. */
static bool speak(struct service *service, const struct network_ask *ask, enum world_manner manner)
{
	struct message_kit_question *question = &service->question;

	message_kit_begin(&service->out, question, WIRE_FLAG_QR);
	switch (manner) {
	case WORLD_DEAD:
		return false;
	case WORLD_REFUSES:
		set_flags(service, RCODE_REFUSED);
		break;
	case WORLD_FAILS:
		set_flags(service, RCODE_SERVFAIL);
		break;
	case WORLD_UPWARD: {
		static const struct name root = {.len = 1};
		static const struct name liar = {
			.len = 6, .label_count = 1, .octets = {4, 'l', 'i', 'a', 'r', 0}};
		message_kit_put(&service->out, SECTION_AUTHORITY, &root, RRTYPE_NS, LIES_TTL,
			liar.octets, liar.len);
		break;
	}
	case WORLD_NO_EDNS:
		if (question->edns) {
			question->edns = false;
			set_flags(service, RCODE_FORMERR);
			break;
		}
		answer(service);
		break;
	case WORLD_FORMERRS:
		if (question->edns && random_below(&service->world->random, 5) == 0) {
			question->edns = false;
			set_flags(service, RCODE_FORMERR);
			break;
		}
		answer(service);
		break;
	case WORLD_TRUNCATES:
	case WORLD_NO_STREAM:
		if (!ask->stream) {
			set_flags(service, WIRE_FLAG_TC);
		} else if (manner == WORLD_NO_STREAM) {
			return false;
		} else {
			answer(service);
		}
		break;
	case WORLD_LIAR:
		(void)choose_zone(service, &question->name, question->type);
		begin_with_lies(service);
		answer(service);
		put_lies(service);
		break;
	case WORLD_GARBLED:
		answer(service);
		put_garbage(service->world, &service->out);
		return true;
	case WORLD_GOOD:
	case WORLD_SLOW:
	case WORLD_LOSSY:
	case WORLD_SPOOFED:
	case WORLD_CHATTY:
	case WORLD_REORDERS:
	case WORLD_REFERS:
	case WORLD_BREAKS:
	case WORLD_MANNERS:
		service->break_sigs = manner == WORLD_BREAKS;
		answer(service);
		break;
	}
	message_kit_end(&service->out, question, ask->stream);
	return true;
}

/* A resolver that finds all that can be found. */
static void forward(struct network *network, const struct network_ask *ask, struct service *service,
	enum world_manner manner)
{
	const struct message_kit_question *question = &service->question;
	struct world *world = service->world;
	uint64_t delay = 2000 + random_below(&network->random, 30000);

	/* Who was sent here by a lie in some glue does not want recursion. */
	if ((question->flags & WIRE_FLAG_RD) == 0) {
		network_refuse(network, ask, delay);
		return;
	}
	ASSERT((question->flags & WIRE_FLAG_CD) != 0);
	service->host = EVERY_ZONE;
	delay += manner == WORLD_SLOW ? 200000 : 0;
	if (manner == WORLD_DEAD) {
		if (random_below(&network->random, 2) == 0) {
			network_refuse(network, ask, delay);
		}
		return;
	}
	message_kit_begin(&service->out, question, WIRE_FLAG_QR);
	const struct world_zone *zone =
		&world->zones[world_zone_of(world, &question->name, question->type)];
	if (manner == WORLD_FAILS || zone->unreachable || zone->dark_ms != WORLD_ALWAYS) {
		set_flags(service, RCODE_SERVFAIL);
	} else {
		answer(service);
		octets_put_u16(service->out.octets + 2,
			(uint16_t)(octets_get_u16(service->out.octets + 2) & ~WIRE_FLAG_AA));
	}
	set_flags(service, WIRE_FLAG_RA | WIRE_FLAG_RD | WIRE_FLAG_CD);
	message_kit_end(&service->out, question, ask->stream);
	network_reply(network, ask, delay, service->out.octets, service->out.len);
}

void authority_serve(void *context, struct network *network, const struct network_ask *ask)
{
	static struct service service;
	struct random *random = &network->random;
	uint8_t lie[4];

	service.world = context;
	service.zone = 0;
	service.break_sigs = false;
	service.proof_count = 0;
	ASSERT(message_kit_read_question(ask->octets, ask->len, &service.question));
	octets_put_u32(lie, AUTHORITY_LIE);
	if (ask->to.family == ADDR_V4 && memcmp(ask->to.octets, lie, 4) == 0) {
		message_kit_begin(&service.out, &service.question, WIRE_FLAG_QR);
		say_lie(&service);
		network_reply(network, ask, 10, service.out.octets, service.out.len);
		return;
	}
	for (uint32_t i = 0; i < WORLD_FORWARDERS; i++) {
		uint8_t octets[4];
		world_forwarder(i, octets);
		if (ask->to.family == ADDR_V4 && memcmp(ask->to.octets, octets, 4) == 0) {
			forward(network, ask, &service, service.world->forwarders[i]);
			return;
		}
	}
	if (!find_host(service.world, &ask->to, &service.host)) {
		network_refuse(network, ask, 1000);
		return;
	}
	const struct world_host *host = &service.world->hosts[service.host];
	uint64_t delay = host->rtt_us + random_below(random, host->rtt_us / 2);
	delay *= ask->stream ? 2 : 1;
	if (host->manner == WORLD_SLOW) {
		delay += 150000 + random_below(random, 250000);
	}
	if (host->manner == WORLD_SPOOFED && !ask->stream) {
		spoof(network, ask, &service);
	}
	if (!speak(&service, ask, host->is_down ? WORLD_DEAD : host->manner)) {
		if (ask->stream || random_below(random, 3) == 0) {
			network_refuse(network, ask, delay);
		}
		return;
	}
	if (host->manner == WORLD_LOSSY && random_below(random, 3) == 0) {
		return;
	}
	if (host->manner == WORLD_REORDERS) {
		network_reply(network, ask, 3 * delay, service.out.octets, service.out.len);
	}
	network_reply(network, ask, delay, service.out.octets, service.out.len);
}

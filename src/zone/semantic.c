/* semantic.c - checks of a zone, owner by owner. */
#include "zone/semantic.h"

#include "base/diaglog.h"
#include "base/octets.h"
#include "wire/rrtype.h"

static void owner_text(const struct semantic *semantic, const struct collect_owner *owner,
	char text[NAME_TEXT_MAX])
{
	struct name name;

	if (name_join(owner->name, owner->name_len, owner->labels, &semantic->collect->origin,
		    &name) == WIRE_OK) {
		name_to_text(&name, text);
	}
}

/* Complains about a record. */
static void complain(struct semantic *semantic, enum diag_level level,
	const struct collect_owner *owner, const struct collect_item *item, const char *what)
{
	char text[NAME_TEXT_MAX] = "";

	if (level == DIAG_ERROR && ++semantic->errors > DIAG_ERRORS_MAX) {
		return;
	}
	owner_text(semantic, owner, text);
	diag_report(semantic->sink, level, collect_file(semantic->collect, item),
		collect_line(semantic->collect, item), 1, "%s: %s", text, what);
}

/* RFC 1035 sec 5.2: exactly one SOA, at the top. */
void semantic_apex(struct semantic *semantic, const struct collect_owner *apex)
{
	char text[NAME_TEXT_MAX];
	uint32_t first = 0;
	uint32_t count = collect_owner_type(apex, RRTYPE_SOA, &first);

	name_to_text(&semantic->collect->origin, text);
	if (count == 0) {
		semantic->errors++;
		diag_report(semantic->sink, DIAG_ERROR, semantic->file, 0, 0,
			"%s: the zone has no SOA record (one at its apex was expected)", text);
	} else if (count > 1) {
		complain(semantic, DIAG_ERROR, apex, &apex->items[first + 1],
			"a second SOA record (a zone has exactly one)");
	}
	if (collect_owner_type(apex, RRTYPE_NS, &first) == 0) {
		diag_report(semantic->sink, DIAG_WARNING, semantic->file, 0, 0,
			"%s: the zone has no NS records at its apex (RFC 2181 sec 6.1 wants its "
			"servers there)",
			text);
	}
	if (collect_owner_type(apex, RRTYPE_NSEC3, &first) > 0) {
		complain(semantic, DIAG_WARNING, apex, &apex->items[first],
			"an NSEC3 record at the apex belongs to no chain (RFC 5155 sec 3) and is "
			"left out");
	}
	count = collect_owner_type(apex, RRTYPE_NSEC3PARAM, &first);
	for (uint32_t i = first; count > 0 && i < first + count; i++) {
		const uint8_t *rdata = apex->items[i].rdata;
		if (rdata[0] == 1 && rdata[1] == 0 &&
			octets_get_u16(rdata + 2) > SEMANTIC_ITERATIONS_MAX) {
			complain(semantic, DIAG_ERROR, apex, &apex->items[i],
				"too many NSEC3 iterations (0 is recommended, 2500 the most)");
		}
	}
}

/* What may stand beside a CNAME: RFC 2181 sec 10.1, RFC 4034 sec 2.3 and 4, RFC 3007 sec 3.1.1 (KEY). */
static bool beside_cname(uint16_t type)
{
	return type == RRTYPE_CNAME || type == RRTYPE_RRSIG || type == RRTYPE_NSEC ||
	       type == RRTYPE_NSEC3 || type == RRTYPE_KEY || type == RRTYPE_SIG ||
	       type == RRTYPE_NXT;
}

static void check_aliases(struct semantic *semantic, const struct collect_owner *owner)
{
	uint32_t first = 0;

	if (collect_owner_type(owner, RRTYPE_DNAME, &first) > 1) {
		complain(semantic, DIAG_ERROR, owner, &owner->items[first + 1],
			"a second DNAME record (RFC 6672 sec 2.4 allows one)");
	}
	uint32_t count = collect_owner_type(owner, RRTYPE_CNAME, &first);
	if (count > 1) {
		complain(semantic, DIAG_ERROR, owner, &owner->items[first + 1],
			"a second CNAME record (RFC 2181 sec 10.1 allows one)");
	}
	for (uint32_t i = 0; count > 0 && i < owner->count; i++) {
		if (!beside_cname(owner->items[i].type)) {
			complain(semantic, DIAG_ERROR, owner, &owner->items[i],
				"CNAME and other data (RFC 1034 sec 3.6.2 allows no other)");
			break;
		}
	}
}

void semantic_owner(struct semantic *semantic, const struct collect_owner *owner, bool below_dname)
{
	const struct collect_item *items = owner->items;

	check_aliases(semantic, owner);
	for (uint32_t i = 0; i < owner->count; i++) {
		if (items[i].type == RRTYPE_SOA && owner->labels != 0) {
			complain(semantic, DIAG_ERROR, owner, &items[i],
				"a SOA record below the apex (it belongs to another zone)");
		}
		if (i > 0 && items[i].type == items[i - 1].type &&
			items[i].ttl != items[i - 1].ttl && items[i].type != RRTYPE_RRSIG) {
			complain(semantic, DIAG_WARNING, owner, &items[i],
				"the TTL differs from that of the others in its RRset; the first "
				"one read is used");
		}
	}
	if (below_dname && owner->count > 0) {
		complain(semantic, DIAG_WARNING, owner, &items[0],
			"data below a DNAME is never answered (RFC 6672 sec 2.4)");
	}
}

/* RFC 1034 sec 4.2.1: a server inside the zone that it serves can be found only by glue. */
void semantic_no_glue(
	struct semantic *semantic, const struct collect_owner *cut, const struct collect_item *ns)
{
	complain(semantic, DIAG_WARNING, cut, ns,
		"a server below this delegation has no glue (an A or AAAA record was expected)");
}

/* Passes complaints on; of errors no more than are listed. */
static void pass_on(void *context, const struct diag *diag)
{
	struct semantic *semantic = context;

	if (diag->level != DIAG_ERROR || semantic->errors++ < DIAG_ERRORS_MAX) {
		semantic->sink->report(semantic->sink->context, diag);
	}
}

void semantic_join(
	struct semantic *semantic, const struct semantic *part, const struct diaglog *kept)
{
	const struct diag_sink sink = {.report = pass_on, .context = semantic};
	uint32_t errors = semantic->errors + part->errors;

	diaglog_tell(kept, &sink);
	semantic->errors = errors; /* the part has not kept all of its own */
}

bool semantic_finish(struct semantic *semantic)
{
	if (semantic->errors > DIAG_ERRORS_MAX) {
		diag_report(semantic->sink, DIAG_ERROR, semantic->file, 0, 0, "%u more errors",
			semantic->errors - DIAG_ERRORS_MAX);
	}
	return semantic->errors == 0;
}

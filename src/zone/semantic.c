/* semantic.c - checks of a whole zone. */
#include "zone/semantic.h"

#include <string.h>

#include "base/octets.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/image.h"

struct check {
	const struct collect *collect;
	const char *file;
	const struct diag_sink *sink;
	uint32_t errors;
};

/* Complains about a record. The owner's text is the first argument of every format. */
static void complain(struct check *check, enum diag_level level, const struct collect_owner *owner,
	uint32_t record, const char *what)
{
	const struct collect_record *at = &check->collect->records[record];
	char text[NAME_TEXT_MAX];

	if (level == DIAG_ERROR) {
		check->errors++;
	}
	if (level == DIAG_ERROR && check->errors > DIAG_ERRORS_MAX) {
		return;
	}
	diag_report(check->sink, level, collect_file(check->collect, at), at->line, 1, "%s: %s",
		collect_owner_text(check->collect, owner, text), what);
}

static void complain_zone(struct check *check, const char *what)
{
	char text[NAME_TEXT_MAX];

	check->errors++;
	diag_report(check->sink, DIAG_ERROR, check->file, 0, 0, "%s: %s",
		name_to_text(&check->collect->origin, text), what);
}

/* RFC 1035 sec 5.2: exactly one SOA, at the top; RFC 1034 sec 4.2.1: and the zone's servers. */
static void check_apex(struct check *check)
{
	const struct collect *collect = check->collect;
	const struct collect_owner *apex = &collect->owners[0];
	uint32_t first;
	uint32_t count = collect_type(collect, apex, RRTYPE_SOA, &first);

	if (count == 0) {
		complain_zone(check, "the zone has no SOA record (one at its apex was expected)");
	} else if (count > 1) {
		complain(check, DIAG_ERROR, apex, first + 1,
			"a second SOA record (a zone has exactly one)");
	}
	if (collect_type(collect, apex, RRTYPE_NS, &first) == 0) {
		diag_report(check->sink, DIAG_WARNING, check->file, 0, 0,
			"the zone has no NS records at its apex (RFC 2181 sec 6.1 wants its "
			"servers there)");
	}
	count = collect_type(collect, apex, RRTYPE_NSEC3PARAM, &first);
	for (uint32_t i = first; count > 0 && i < first + count; i++) {
		const uint8_t *rdata = collect_rdata(collect, &collect->records[i]);
		if (rdata[0] == 1 && rdata[1] == 0 &&
			octets_get_u16(rdata + 2) > SEMANTIC_ITERATIONS_MAX) {
			complain(check, DIAG_ERROR, apex, i,
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

static void check_aliases(struct check *check, const struct collect_owner *owner)
{
	const struct collect *collect = check->collect;
	uint32_t first;

	if (collect_type(collect, owner, RRTYPE_DNAME, &first) > 1) {
		complain(check, DIAG_ERROR, owner, first + 1,
			"a second DNAME record (RFC 6672 sec 2.4 allows one)");
	}
	uint32_t count = collect_type(collect, owner, RRTYPE_CNAME, &first);
	if (count > 1) {
		complain(check, DIAG_ERROR, owner, first + 1,
			"a second CNAME record (RFC 2181 sec 10.1 allows one)");
	}
	for (uint32_t i = owner->first; count > 0 && i < owner->first + owner->count; i++) {
		if (!beside_cname(collect->records[i].type)) {
			complain(check, DIAG_ERROR, owner, i,
				"CNAME and other data (RFC 1034 sec 3.6.2 allows no other)");
			break;
		}
	}
}

static void check_types(struct check *check, const struct collect_owner *owner)
{
	const struct collect_record *records = check->collect->records;

	for (uint32_t i = owner->first; i < owner->first + owner->count; i++) {
		if (records[i].type == RRTYPE_SOA && owner->labels != 0) {
			complain(check, DIAG_ERROR, owner, i,
				"a SOA record below the apex (it belongs to another zone)");
		}
		if (i > owner->first && records[i].type == records[i - 1].type &&
			records[i].ttl != records[i - 1].ttl && records[i].type != RRTYPE_RRSIG) {
			complain(check, DIAG_WARNING, owner, i,
				"the TTL differs from that of the others in its RRset; the first "
				"one read is used");
		}
	}
}

/* RFC 1034 sec 4.2.1: a server inside the zone that it serves can be found only by glue. */
static void check_glue(struct check *check, const struct collect_owner *cut)
{
	const struct collect *collect = check->collect;
	uint32_t first, ignored;
	uint32_t count = collect_type(collect, cut, RRTYPE_NS, &first);

	for (uint32_t i = first; i < first + count; i++) {
		const struct collect_record *ns = &collect->records[i];
		uint8_t lower[NAME_LEN_MAX];
		uint32_t tail = (uint32_t)cut->name_len + collect->origin.len;
		if (ns->rdata_len < tail) {
			continue;
		}
		name_octets_lower(lower, collect_rdata(collect, ns), ns->rdata_len);
		uint32_t at = 0;
		while (ns->rdata_len - at > tail) {
			at += lower[at] + 1u;
		}
		const uint8_t *suffix = lower + at;
		if (ns->rdata_len - at != tail ||
			memcmp(suffix, collect_name(collect, cut), cut->name_len) != 0 ||
			memcmp(suffix + cut->name_len, collect->origin.octets,
				collect->origin.len) != 0) {
			continue;
		}
		uint32_t host = collect_below(
			collect, cut, lower, ns->rdata_len - (uint32_t)collect->origin.len);
		if (host == COLLECT_NONE ||
			(collect_type(collect, &collect->owners[host], RRTYPE_A, &ignored) == 0 &&
				collect_type(collect, &collect->owners[host], RRTYPE_AAAA,
					&ignored) == 0)) {
			complain(check, DIAG_WARNING, cut, i,
				"a server below this delegation has no glue (an A or AAAA record "
				"was expected)");
		}
	}
}

bool semantic_check(const struct collect *collect, const char *file, const struct diag_sink *sink)
{
	struct check check = {.collect = collect, .file = file, .sink = sink};
	uint32_t dname_depth = 0;

	check_apex(&check);
	for (uint32_t i = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		check_aliases(&check, owner);
		check_types(&check, owner);
		if ((owner->flags & COLLECT_CUT) != 0) {
			check_glue(&check, owner);
		}
		if ((owner->flags & (COLLECT_DNAME | COLLECT_CUT)) == COLLECT_DNAME) {
			dname_depth = owner->cut_depth;
		} else if ((owner->flags & COLLECT_OCCLUDED) == 0) {
			dname_depth = 0;
		} else if (dname_depth != 0 && owner->cut_depth == dname_depth &&
			   owner->count > 0) {
			complain(&check, DIAG_WARNING, owner, owner->first,
				"data below a DNAME is never answered (RFC 6672 sec 2.4)");
		}
	}
	if (check.errors > DIAG_ERRORS_MAX) {
		diag_report(sink, DIAG_ERROR, file, 0, 0, "%u more errors",
			check.errors - DIAG_ERRORS_MAX);
	}
	return check.errors == 0;
}

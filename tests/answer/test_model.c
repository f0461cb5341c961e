/* test_model.c - random small zones, answered by saker and by a slow model of the algorithm.
 *
 * The model works on text and lists: it shares no code and no idea with the images. It knows RFC 1034 sec 4.3.2,
 * RFC 4592 (wildcards, empty non-terminals), RFC 6672 (DNAME) and RFC 2308; and the glue of RFC 9471.
 * The same zones are printed, and every record must be there, in canonical order (RFC 4034 sec 6.1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_kit.h"
#include "kit/kit.h"
#include "zone/load.h"

#define STEPS_MAX   18
#define RECORDS_MAX (2 + 2 * (3 + STEPS_MAX))
#define LINES_MAX   64
#define TEXT_MAX    320
#define CHAIN_MAX   17 /* alias records that saker writes: the first and RESPOND_CHAIN_MAX more */
#define ZONES       3000
#define QUESTIONS   40

struct record {
	char owner[TEXT_MAX];
	char type[8];
	char rdata[TEXT_MAX];
};

static struct record records[RECORDS_MAX];
static int record_count;

/* What the model says. */
static char lines[LINES_MAX][2 * TEXT_MAX];
static int line_count;
static const char *rcode;
static bool authoritative;
static char authority[TEXT_MAX];           /* `NS owner`, `SOA`, or nothing */
static char glue[LINES_MAX][2 * TEXT_MAX]; /* of a referral */
static int glue_count;

static bool is_below(const char *name, const char *ancestor)
{
	size_t name_len = strlen(name), len = strlen(ancestor);

	return name_len >= len && strcmp(name + name_len - len, ancestor) == 0 &&
	       (name_len == len || name[name_len - len - 1] == '.');
}

static const char *parent_of(const char *name)
{
	return strchr(name, '.') + 1;
}

static const struct record *find(const char *owner, const char *type)
{
	for (int i = 0; i < record_count; i++) {
		if (strcmp(records[i].owner, owner) == 0 && strcmp(records[i].type, type) == 0) {
			return &records[i];
		}
	}
	return NULL;
}

static bool exists(const char *name)
{
	for (int i = 0; i < record_count; i++) {
		if (is_below(records[i].owner, name)) {
			return true;
		}
	}
	return false;
}

static bool add_line(const char *owner, const char *type, const char *rdata)
{
	char line[2 * TEXT_MAX];

	snprintf(line, sizeof(line), "an %s 300 %s %s", owner, type, rdata);
	for (int i = 0; i < line_count; i++) {
		if (strcmp(lines[i], line) == 0) {
			return false;
		}
	}
	CHECK(line_count < LINES_MAX);
	strcpy(lines[line_count++], line);
	return true;
}

/* The records that answer at source, with name as owner. True: something did; target: the alias to follow. */
static bool from(const char *source, const char *name, const char *qtype, char *target)
{
	bool any = false;

	for (int i = 0; i < record_count; i++) {
		if (strcmp(records[i].owner, source) == 0 && strcmp(records[i].type, qtype) == 0) {
			add_line(name, qtype, records[i].rdata);
			any = true;
		}
	}
	const struct record *cname = find(source, "CNAME");
	if (!any && cname != NULL) {
		add_line(name, "CNAME", cname->rdata);
		strcpy(target, cname->rdata);
		any = true;
	}
	return any;
}

/* The addresses that the zone has for the servers of a cut, wherever they stand. */
static void add_glue(const char *cut)
{
	for (int n = 0; n < record_count; n++) {
		const struct record *ns = &records[n];
		if (strcmp(ns->owner, cut) != 0 || strcmp(ns->type, "NS") != 0) {
			continue;
		}
		for (int i = 0; i < record_count; i++) {
			if (strcmp(records[i].owner, ns->rdata) == 0 &&
				(strcmp(records[i].type, "A") == 0 ||
					strcmp(records[i].type, "AAAA") == 0)) {
				CHECK(glue_count < LINES_MAX);
				snprintf(glue[glue_count++], sizeof(glue[0]),
					"ar %.300s 300 %s %.300s", records[i].owner,
					records[i].type, records[i].rdata);
			}
		}
	}
}

/* One name; true: target holds the next. */
static bool resolve(const char *name, const char *qtype, char *target)
{
	const char *ancestors[64];
	int count = 0;

	target[0] = '\0';
	for (const char *at = name;; at = parent_of(at)) {
		ancestors[count++] = at;
		if (strcmp(at, "z.") == 0) {
			break;
		}
	}
	while (count-- > 0) {
		const char *at = ancestors[count];
		bool apex = strcmp(at, "z.") == 0;
		if (!apex && find(at, "NS") != NULL && !(at == name && strcmp(qtype, "DS") == 0)) {
			authoritative = line_count > 0;
			snprintf(authority, sizeof(authority), "NS %s", at);
			add_glue(at);
			return false;
		}
		if (!apex && find(at, "NS") != NULL) {
			break; /* DS at the cut itself: the parent's */
		}
		const struct record *dname = find(at, "DNAME");
		if (dname != NULL && at != name) {
			char new_name[2 * TEXT_MAX];
			add_line(at, "DNAME", dname->rdata);
			snprintf(new_name, sizeof(new_name), "%.*s%s", (int)(at - name), name,
				dname->rdata);
			CHECK(strlen(new_name) < 250);
			add_line(name, "CNAME", new_name);
			strcpy(target, new_name);
			return strcmp(qtype, "CNAME") != 0;
		}
	}
	if (exists(name)) {
		if (from(name, name, qtype, target)) {
			return target[0] != '\0';
		}
		strcpy(authority, "SOA");
		return false;
	}
	const char *encloser = parent_of(name);
	while (!exists(encloser)) {
		encloser = parent_of(encloser);
	}
	char star[TEXT_MAX];
	snprintf(star, sizeof(star), "*.%s", encloser);
	if (!exists(star)) {
		rcode = "NXDOMAIN";
		strcpy(authority, "SOA");
		return false;
	}
	if (from(star, name, qtype, target)) {
		return target[0] != '\0';
	}
	strcpy(authority, "SOA");
	return false;
}

static void model(const char *qname, const char *qtype)
{
	static char passed[CHAIN_MAX + 1][2 * TEXT_MAX];
	int passed_count = 0;

	line_count = glue_count = 0;
	rcode = "NOERROR";
	authoritative = true;
	authority[0] = '\0';
	strcpy(passed[passed_count++], qname);
	while (is_below(passed[passed_count - 1], "z.")) {
		char target[2 * TEXT_MAX];
		if (!resolve(passed[passed_count - 1], qtype, target) ||
			passed_count == CHAIN_MAX) {
			return;
		}
		for (int i = 0; i < passed_count; i++) {
			if (strcmp(passed[i], target) == 0) {
				return;
			}
		}
		strcpy(passed[passed_count++], target);
	}
}

static void random_owner(char *out)
{
	static const char *const labels[] = {"a", "b", "c", "*"};
	int count = 1 + (int)kit_random(3);

	out[0] = '\0';
	for (int i = 0; i < count; i++) {
		strcat(out, labels[kit_random(4)]);
		strcat(out, ".");
	}
	strcat(out, "z.");
}

static void add_record(const char *owner, const char *type, const char *rdata)
{
	for (int i = 0; i < record_count; i++) {
		const struct record *other = &records[i];
		bool same = strcmp(other->owner, owner) == 0;
		bool alias = strcmp(type, "CNAME") == 0 || strcmp(other->type, "CNAME") == 0;
		bool single = strcmp(type, "DNAME") == 0 && strcmp(other->type, "DNAME") == 0;
		bool equal = strcmp(other->type, type) == 0 && strcmp(other->rdata, rdata) == 0;
		if (same && (alias || single || equal)) {
			return; /* no valid zone has these */
		}
	}
	struct record *record = &records[record_count++];
	strcpy(record->owner, owner);
	strcpy(record->type, type);
	strcpy(record->rdata, rdata);
}

static void random_zone(void)
{
	record_count = 0;
	add_record("z.", "SOA", "ns.x. host.x. 1 2 3 4 300");
	add_record("z.", "NS", "ns.x.");
	for (int i = 3 + (int)kit_random(STEPS_MAX); i > 0; i--) {
		char owner[TEXT_MAX], rdata[TEXT_MAX];
		random_owner(owner);
		bool wild = strchr(owner, '*') != NULL;
		switch (kit_random(wild ? 4 : 10)) {
		case 8:
			snprintf(rdata, sizeof(rdata), "2001:db8::%u", 1 + kit_random(4));
			add_record(owner, "AAAA", rdata);
			break;
		case 0:
		case 9:
			snprintf(rdata, sizeof(rdata), "192.0.2.%u", kit_random(4));
			add_record(owner, "A", rdata);
			break;
		case 1:
			add_record(owner, "TXT", "\"t\"");
			break;
		case 2:
		case 3:
			random_owner(rdata);
			add_record(owner, "CNAME", kit_random(6) == 0 ? "out.x." : rdata);
			break;
		case 4:
		case 5:
			random_owner(rdata);
			if (kit_random(2) == 0) { /* a server below the cut, with glue */
				snprintf(rdata, sizeof(rdata), "%c.%.300s", "abc"[kit_random(3)],
					owner);
				if (kit_random(2) == 0) {
					add_record(rdata, "A", "192.0.2.9");
				} else {
					add_record(rdata, "AAAA", "2001:db8::9");
				}
			}
			add_record(owner, "NS", kit_random(3) == 0 ? "ns.x." : rdata);
			break;
		case 6:
			random_owner(rdata);
			add_record(kit_random(12) == 0 ? "z." : owner, "DNAME",
				kit_random(6) == 0 ? "x." : rdata);
			break;
		default:
			add_record(owner, "DS",
				"1 13 2 "
				"00000000000000000000000000000000000000000000000000000000000000FF");
			break;
		}
	}
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The answer's lines that begin with section, sorted; the first authority line as the model writes it. */
static int read_lines(const char *text, const char *section, char out[LINES_MAX][2 * TEXT_MAX],
	char *first_authority)
{
	int count = 0;

	first_authority[0] = '\0';
	while (*text != '\0') {
		const char *end = strchr(text, '\n');
		char line[2 * TEXT_MAX], owner[TEXT_MAX], type[16];
		CHECK((size_t)(end - text) < sizeof(line));
		snprintf(line, sizeof(line), "%.*s", (int)(end - text), text);
		if (strncmp(line, section, 3) == 0) {
			CHECK(count < LINES_MAX);
			strcpy(out[count++], line);
		} else if (strncmp(line, "ns ", 3) == 0 && first_authority[0] == '\0') {
			CHECK(sscanf(line, "ns %300s %*u %15s", owner, type) == 2);
			if (strcmp(type, "SOA") == 0) {
				strcpy(first_authority, "SOA");
			} else {
				snprintf(first_authority, TEXT_MAX, "%.8s %.300s", type, owner);
			}
		}
		text = end + 1;
	}
	qsort(out, (size_t)count, sizeof(out[0]), compare_lines);
	return count;
}

static bool same_lines(
	char a[LINES_MAX][2 * TEXT_MAX], int a_count, char b[LINES_MAX][2 * TEXT_MAX], int b_count)
{
	bool same = a_count == b_count;

	for (int i = 0; same && i < a_count; i++) {
		same = strcmp(a[i], b[i]) == 0;
	}
	return same;
}

/* What a label of these zones sorts by: they are single octets. */
static void order_key(const char *owner, char *out)
{
	size_t len = strlen(owner);

	for (size_t i = 0; i < len; i++) {
		out[i] = owner[len - 1 - i];
	}
	out[len] = '\0';
}

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

/* The zone as saker prints it: every record, owners in canonical order. */
static void check_print(const char *zone)
{
	static const struct hash_key key = {.words = {3, 5}};
	static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'z', 0}};
	const struct diag_sink sink = {.report = ignore};
	struct load *load = load_new();
	struct image *image;
	char *text = NULL, last[TEXT_MAX] = "";
	size_t len = 0;
	int count = 0;

	CHECK(load != NULL);
	CHECK_U(load_octets(load, "zone", zone, strlen(zone), &origin, &key, &sink, &image),
		STATUS_OK);
	FILE *out = open_memstream(&text, &len);
	CHECK(out != NULL && image_print(image, out) == STATUS_OK && fclose(out) == 0);
	for (char *save = NULL, *line = strtok_r(text, "\n", &save); line != NULL;
		line = strtok_r(NULL, "\n", &save)) {
		char owner[TEXT_MAX], type[16], now[TEXT_MAX];
		int rdata = 0;
		CHECK(sscanf(line, "%300s 300 IN %15s %n", owner, type, &rdata) == 2 && rdata > 0);
		order_key(owner, now);
		CHECK(strcmp(last, now) <= 0);
		strcpy(last, now);
		bool found = false;
		for (int i = 0; !found && i < record_count; i++) {
			found = strcmp(records[i].owner, owner) == 0 &&
				strcmp(records[i].type, type) == 0 &&
				strcmp(records[i].rdata, line + rdata) == 0;
		}
		CHECK(found);
		count++;
	}
	CHECK(count == record_count);
	free(text);
	image_free(image);
	load_free(load);
}

static void explain(const char *zone, const char *question, const char *got)
{
	print_error("zone:\n%s\nquestion: %s\nsaker:\n%s\nmodel: %s%s %s\n", zone, question, got,
		rcode, authoritative ? " aa" : "", authority);
	for (int i = 0; i < line_count; i++) {
		print_error("%s\n", lines[i]);
	}
	for (int i = 0; i < glue_count; i++) {
		print_error("%s\n", glue[i]);
	}
}

TEST(saker_answers_like_the_model)
{
	static const char *const qtypes[] = {"A", "TXT", "CNAME", "NS", "DNAME", "DS"};
	uint32_t aliases = 0, referrals = 0, denials = 0, glued = 0;

	for (uint32_t round = 0; round < ZONES; round++) {
		static char zone[RECORDS_MAX * 2 * TEXT_MAX], again[LINES_MAX][2 * TEXT_MAX];
		const char *const zones[] = {"z.", zone};
		size_t len = 0;

		random_zone();
		for (int i = 0; i < record_count; i++) {
			len += (size_t)snprintf(zone + len, sizeof(zone) - len, "%s 300 IN %s %s\n",
				records[i].owner, records[i].type, records[i].rdata);
		}
		check_print(zone);
		struct answer_kit *kit = answer_kit_new(zones, 1);
		for (uint32_t q = 0; q < QUESTIONS; q++) {
			char question[TEXT_MAX], qname[TEXT_MAX], first_authority[TEXT_MAX],
				head[32];
			const char *qtype = qtypes[kit_random(6)];

			random_owner(qname);
			snprintf(question, sizeof(question), "%.200s %s +tcp", qname, qtype);
			model(qname, qtype);
			qsort(lines, (size_t)line_count, sizeof(lines[0]), compare_lines);
			const char *got = answer_kit_ask(kit, question);
			int count = read_lines(got, "an ", again, first_authority);
			snprintf(head, sizeof(head), "%s%s\n", rcode, authoritative ? " aa" : "");
			bool same = strncmp(got, head, strlen(head)) == 0 &&
				    strcmp(authority, first_authority) == 0 &&
				    same_lines(lines, line_count, again, count);
			if (glue_count > 0 || authority[0] == 'N') {
				qsort(glue, (size_t)glue_count, sizeof(glue[0]), compare_lines);
				count = read_lines(got, "ar ", again, first_authority);
				same = same && same_lines(glue, glue_count, again, count);
			}
			if (!same) {
				explain(zone, question, got);
			}
			CHECK(same);
			aliases += line_count > 1;
			referrals += authority[0] == 'N';
			denials += authority[0] == 'S';
			glued += glue_count > 0;
		}
		answer_kit_free(kit);
	}
	CHECK(aliases > 5000 && referrals > 5000 && denials > 5000 && glued > 3000);
}

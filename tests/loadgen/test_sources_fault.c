/* test_sources_fault.c - the Nth allocation fails, for every N, where lists of queries are made and reports compared. */
#include <stdio.h>
#include <string.h>

#include "fault/fault.h"
#include "kit/kit.h"
#include "loadgen/accesslog.h"
#include "loadgen/compare.h"
#include "loadgen/querylist.h"
#include "loadgen/zonequeries.h"
#include "wire/name.h"

#define TRIES_MAX 1000u /* far more allocations than any of these makes */
#define LINES     1500u /* so that every table has to grow */
#define TEXT_MAX  (1u << 17)

static char text[TEXT_MAX];

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static const struct diag_sink sink = {.report = ignore};

/* Runs what attempt does until no allocation is left to fail; returns how often that was told. (The C library reads
 * on without a buffer where it gets none: then all is well.)
 */
static uint32_t exhaust(enum status (*attempt)(const char *path), const char *path)
{
	uint32_t failures = 0;

	for (uint32_t nth = 1; nth < TRIES_MAX; nth++) {
		int64_t before = fault_live();

		fault_arm(nth);
		enum status status = attempt(path);
		bool failed = fault_disarm();
		CHECK(failed || status == STATUS_OK);
		CHECK(status == STATUS_OK || status == STATUS_MEMORY || status == STATUS_REFUSED);
		CHECK_U(fault_live(), before);
		failures += status != STATUS_OK;
		if (!failed) {
			break;
		}
	}
	return failures;
}

static enum status read_log(const char *path)
{
	struct querylist list;
	uint64_t dropped;
	enum status status = querylist_init(&list);

	if (status == STATUS_OK) {
		status = accesslog_read(path, true, &sink, &list);
	}
	if (status == STATUS_OK) {
		CHECK_U(list.count, LINES);
		status = querylist_prune(&list, 2, &dropped);
	}
	querylist_fini(&list);
	return status;
}

TEST(an_access_log_is_read_or_is_not)
{
	size_t used = 0;

	for (uint32_t i = 0; i < LINES; i++) {
		used += (size_t)snprintf(
			text + used, TEXT_MAX - used, "10.0.%u.%u - -\n", i / 256, i % 256);
	}
	CHECK(exhaust(read_log, kit_temp_file(text, used)) > 8);
}

static enum status read_zone(const char *path)
{
	const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'z', 0}};
	const struct zonequeries_options options = {.exponent = 1};
	struct zonequeries queries;
	enum status status = zonequeries_init(&queries, path, &origin, &options, &sink);

	if (status == STATUS_OK) {
		CHECK_U(queries.askable_count, LINES + 1);
	}
	zonequeries_fini(&queries);
	return status;
}

TEST(a_zone_is_read_or_is_not)
{
	size_t used =
		(size_t)snprintf(text, TEXT_MAX, "$TTL 60\n@ SOA a b 1 2 3 4 5\n@ NS ns.x.\n");

	for (uint32_t i = 0; i < LINES; i++) {
		used += (size_t)snprintf(text + used, TEXT_MAX - used,
			"n%u A 10.0.0.1\nn%u AAAA ::1\nn%u TXT x\n", i, i, i);
	}
	CHECK(exhaust(read_zone, kit_temp_file(text, used)) > 10);
}

static enum status compare(const char *path)
{
	struct compare_side sides[2];
	FILE *out = NULL;
	static char written[TEXT_MAX];
	enum status status = compare_read(path, &sink, &sides[0]);

	if (status != STATUS_OK) {
		return status;
	}
	status = compare_read(path, &sink, &sides[1]);
	if (status == STATUS_OK) {
		out = fmemopen(written, sizeof(written), "w");
		status = out == NULL ? STATUS_MEMORY : compare_text(out, sides, 2);
		if (out != NULL) {
			fclose(out);
		}
		compare_fini(&sides[1]);
	}
	compare_fini(&sides[0]);
	return status;
}

TEST(reports_are_compared_or_are_not)
{
	size_t used = (size_t)snprintf(
		text, TEXT_MAX, "{\"mode\": \"run\", \"settings\": {}, \"intervals\": [");

	for (uint32_t i = 0; i < 10; i++) {
		used += (size_t)snprintf(text + used, TEXT_MAX - used,
			"%s{\"length_s\": 1, \"sent\": %u, \"answered\": %u, \"lost\": 0}",
			i == 0 ? "" : ", ", 100 + i, 100 + i);
	}
	used += (size_t)snprintf(text + used, TEXT_MAX - used, "]}");
	CHECK(exhaust(compare, kit_temp_file(text, used)) > 50);
}

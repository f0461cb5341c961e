/* test_load.c - several threads make of a zone file what one makes of it: the image, and what is complained of. */
#include "zone/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "kit/kit.h"

#define TEXT_MAX  (6u << 20) /* octets: several pieces of zonefile.c */
#define DIAGS_MAX 65536u
#define OWNERS                                                                                     \
	20000u /* names that come again and again, so that runs of an owner lie in many pieces */

static const struct hash_key key = {{1, 2}};
static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};

struct outcome {
	enum status status;
	char *records; /* owns: what image_print() gave */
	size_t records_len;
	char diags[DIAGS_MAX]; /* `LINE:COLUMN: text` a line */
	uint32_t diags_len;
};

static void keep_diag(void *context, const struct diag *diag)
{
	struct outcome *outcome = context;

	outcome->diags_len += (uint32_t)snprintf(outcome->diags + outcome->diags_len,
		DIAGS_MAX - outcome->diags_len, "%u:%u: %s\n", diag->line, diag->column,
		diag->text);
	CHECK(outcome->diags_len < DIAGS_MAX);
}

static void load_with(const char *path, uint32_t threads, struct outcome *out)
{
	static struct load *load; /* one for all, so that no zone may leave anything to the next */
	const struct diag_sink sink = {.report = keep_diag, .context = out};
	struct image *image = NULL;

	*out = (struct outcome){.records = NULL};
	load = load != NULL ? load : load_new();
	CHECK(load != NULL);
	load_set_threads(load, threads);
	out->status = load_file(load, path, &origin, &key, &sink, NULL, &image);
	if (out->status == STATUS_OK) {
		FILE *stream = open_memstream(&out->records, &out->records_len);
		CHECK(stream != NULL);
		CHECK_U(image_print(image, stream), STATUS_OK);
		CHECK(fclose(stream) == 0);
		image_free(image);
	}
}

/* A zone with something to say about it here and there. errors: it has an error late in the file, too. */
static size_t make_zone(char *text, bool errors)
{
	size_t len = (size_t)snprintf(
		text, TEXT_MAX, "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nns A 198.51.100.53\n");
	uint32_t stranger = 0;

	while (len < TEXT_MAX - 1000) {
		uint32_t owner = kit_random(OWNERS), kind = kit_random(1000000);
		const char *spelling = kit_random(50) == 0 ? "N" : "n";
		if (kind < 4 && stranger++ < 30) {
			len += (size_t)snprintf(text + len, 100, "x%u.other. A 192.0.2.1\n", owner);
		} else if (kind < 6) {
			len += (size_t)snprintf(text + len, 100,
				"$ORIGIN sub%u.e.\nx A 192.0.2.9\n$ORIGIN e.\n", owner);
		} else if (kind < 8) {
			len += (size_t)snprintf(
				text + len, 100, "big%u 4294967295 A 192.0.2.3\n", owner);
		} else if (kind < 12) {
			len += (size_t)snprintf(text + len, 200,
				"paren%u TXT (\nn%u A 192.0.2.1\n\"\nn1 A 192.0.2.1\n\" )\n", owner,
				owner);
		} else if (kind < 500000) {
			/* The same record in several spellings: which is kept is told by the first. */
			len += (size_t)snprintf(text + len, 100, "%s%u MX 1 %s%u\n", spelling,
				owner, kit_random(2) == 0 ? "MAIL" : "mail", kit_random(3));
		} else {
			len += (size_t)snprintf(text + len, 100, "%s%u %s A 192.0.2.%u\n", spelling,
				owner, kind % 1000 == 0 ? "61" : "", kit_random(200));
		}
	}
	len += (size_t)snprintf(text + len, 100, "last.other. A 192.0.2.1\n");
	if (errors) {
		len += (size_t)snprintf(
			text + len, 200, "cn CNAME a\ncn A 192.0.2.1\nbad A 192.0.2.256\n");
	} else {
		len += (size_t)snprintf(text + len, 200, "cut NS ns.cut\ncut NS cut\n");
	}
	return len;
}

TEST(several_threads_make_what_one_makes)
{
	static struct outcome one, several;
	char *text = malloc(TEXT_MAX);

	CHECK(text != NULL);
	for (uint32_t round = 0; round < 3; round++) {
		size_t len = make_zone(text, round == 2);
		const char *path = kit_temp_file(text, len);
		load_with(path, 1, &one);
		CHECK_U(one.status, round == 2 ? STATUS_REFUSED : STATUS_OK);
		CHECK(strstr(one.diags, "outside the zone") != NULL);
		CHECK(round == 2 || strstr(one.diags, "no address record") != NULL ||
			strstr(one.diags, "glue") != NULL);
		for (uint32_t threads = 2; threads <= 4; threads++) {
			load_with(path, threads, &several);
			CHECK_U(several.status, one.status);
			CHECK_S(several.diags, one.diags);
			CHECK_U(several.records_len, one.records_len);
			CHECK(one.records_len == 0 ||
				memcmp(several.records, one.records, one.records_len) == 0);
			free(several.records);
		}
		free(one.records);
	}
	free(text);
}

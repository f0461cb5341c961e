/* test_load.c - several threads make of a zone file what one makes of it: the image, and what is complained of. */
#include "zone/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "kit/kit.h"
#include "os/diskfile.h"
#include "zone/image.h"
#include "zone/image_file.h"
#include "zone/sources.h"

#define TEXT_MAX  (2u << 20) /* octets: several pieces of zonefile.c */
#define DIAGS_MAX (4u << 20)
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

static struct image *load_image(const char *path, uint32_t threads, struct outcome *out)
{
	static struct load *load; /* one for all, so that no zone may leave anything to the next */
	const struct diag_sink sink = {.report = keep_diag, .context = out};
	struct image *image = NULL;

	out->records = NULL;
	out->records_len = out->diags_len = 0;
	out->diags[0] = '\0';
	load = load != NULL ? load : load_new();
	CHECK(load != NULL);
	load_set_threads(load, threads);
	out->status = load_file(load, path, &origin, &key, &sink, NULL, &image);
	return image;
}

static void load_with(const char *path, uint32_t threads, struct outcome *out)
{
	struct image *image = load_image(path, threads, out);

	if (out->status == STATUS_OK) {
		FILE *stream = open_memstream(&out->records, &out->records_len);
		CHECK(stream != NULL);
		CHECK_U(image_print(image, stream), STATUS_OK);
		CHECK(fclose(stream) == 0);
		image_free(image);
	}
}

enum fault { FAULT_NONE, FAULT_SYNTAX, FAULT_SEMANTIC, FAULTS };

/* A zone with something to say about it here and there, and with a fault. */
static size_t make_zone(char *text, enum fault fault)
{
	size_t len = (size_t)snprintf(
		text, TEXT_MAX, "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nns A 198.51.100.53\n");
	uint32_t stranger = 0;

	while (len < TEXT_MAX - 10000) {
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
	if (fault == FAULT_SYNTAX) {
		len += (size_t)snprintf(text + len, 200, "bad A 192.0.2.256\n");
	}
	/* More than are listed, and all over the zone. */
	for (uint32_t i = 0; fault == FAULT_SEMANTIC && i < 2 * DIAG_ERRORS_MAX; i++) {
		len += (size_t)snprintf(
			text + len, 200, "n%ux CNAME a\nn%ux A 192.0.2.1\n", i * 2001, i * 2001);
	}
	len += (size_t)snprintf(text + len, 200, "cut NS ns.cut\ncut NS cut\n");
	return len;
}

/* A zone in canonical order and not, with each construct that looks at the apex, at names above, or at names below. */
static size_t make_tree(char *text, bool dname, const char *denial)
{
	size_t len = (size_t)snprintf(text, TEXT_MAX,
		"$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\n* A 198.51.100.53\n%s%s",
		dname ? "@ DNAME other.\n" : "", denial);

	for (uint32_t i = 0; i < 9000; i++) {
		uint32_t top = kit_random(4000), deep = kit_random(50);
		char *at = text + len;
		switch (kit_random(10)) {
		case 0:
			len += (size_t)sprintf(
				at, "c%u NS ns.c%u\nns.c%u A 192.0.2.%u\n", top, top, top, deep);
			break;
		case 1:
			len += (size_t)sprintf(at, "c%u NS ns.c%u\nx.ns.c%u TXT occluded\n", top,
				kit_random(4000), top);
			break;
		case 2:
			len += (size_t)sprintf(
				at, "a.b.c.e%u TXT deep\n*.w%u A 192.0.2.1\n", top, top);
			break;
		case 3:
			len += (size_t)sprintf(at,
				"!m%u MX 1 ns\n!m%u MX 2 ns.c%u\nM%u SRV 1 2 3 a.b.c.e%u\n", top,
				top, deep, top, deep);
			break;
		case 4:
			len += (size_t)sprintf(at, "d%u DNAME ns\nsub.d%u A 192.0.2.1\n", top, top);
			break;
		case 5:
			len += (size_t)sprintf(at, "n%u NSEC n%u A\n", top, top + 1);
			break;
		case 6:
			len += (size_t)sprintf(at,
				"%.24s%08u NSEC3 1 0 0 - 0123456789abcdef0123456789abcdef A\n",
				"0123456789abcdef0123456789abcdef", top);
			break;
		default:
			len += (size_t)sprintf(at, "%sp%u A 192.0.2.%u\n*.p%u %s TXT t\n",
				deep % 8 != 0 ? "!" : "", top, deep, top, deep == 0 ? "61" : "");
			break;
		}
	}
	return len;
}

/* What look-ups rely on holds: an image is written and read again, which proves it. */
static void check_provable(const struct image *image)
{
	const char *path = kit_temp_file("", 0);
	const struct image_file_want want = {.key = &key, .zone = &origin};
	const struct sources none = {.items = NULL};
	struct sources read = {.items = NULL};
	struct image *back = NULL;
	struct diskfile file;
	char why[IMAGE_FILE_WHY_MAX] = "";
	bool rehashed;

	CHECK_U(image_file_write(path, image, &none), STATUS_OK);
	CHECK_U(diskfile_open(path, &file), STATUS_OK);
	enum status status =
		image_file_read(&file, 0, file.len, &want, &read, &back, &rehashed, why);
	CHECK_S(why, "");
	CHECK_U(status, STATUS_OK);
	diskfile_close(&file);
	sources_fini(&read);
	image_free(back);
}

/* Header, fix-ups and what is sent. */
static void check_same_octets(const struct image_block *a, const struct image_block *b)
{
	size_t head = (size_t)((const uint8_t *)image_block_targets(a) - (const uint8_t *)a);

	CHECK(memcmp(a, b, head) == 0);
	CHECK_OCTETS(image_block_octets(b), (size_t)b->plain_len + b->tail_len,
		image_block_octets(a), (size_t)a->plain_len + a->tail_len);
}

static void check_same_block(
	const struct image *one, uint32_t left, const struct image *several, uint32_t right)
{
	const struct image_block *a = image_block(one, left), *b = image_block(several, right);

	check_same_octets(a, b);
	for (uint32_t i = 0; i < a->target_count; i++) {
		const struct image_target *from = &image_block_targets(a)[i];
		const struct image_target *to = &image_block_targets(b)[i];
		CHECK_U(to->off, from->off);
		CHECK_U(to->glue, from->glue);
		if (from->glue == 0) {
			CHECK_U(to->ref, from->ref); /* a node: they stand in the same places */
		} else {
			check_same_octets(
				image_block(one, from->ref), image_block(several, to->ref));
		}
	}
}

/* Both have the same names with the same sets, flags and places, and each name is found. */
static void check_same_tree(const struct image *one, const struct image *several)
{
	uint32_t left = IMAGE_FIRST, right = IMAGE_FIRST;

	CHECK_U(several->header.nodes_end, one->header.nodes_end);
	CHECK(memcmp(&several->header.counts, &one->header.counts, sizeof(one->header.counts)) ==
		0);
	CHECK_U(several->header.nsec_count, one->header.nsec_count);
	CHECK_U(several->header.nsec3_count, one->header.nsec3_count);
	CHECK_U(several->header.loose_count, one->header.loose_count);
	CHECK_U(several->header.first_probe, one->header.first_probe);
	while (left != one->header.nodes_end) {
		const struct image_node *a = image_node(one, left), *b = image_node(several, right);
		CHECK_U(left, right);
		CHECK(memcmp(a, b, sizeof(*a)) == 0);
		CHECK(memcmp(image_node_name(a), image_node_name(b), a->name_len) == 0);
		if ((a->flags & IMAGE_NODE_DENIAL) != 0) {
			CHECK(memcmp(image_node_denial(a), image_node_denial(b),
				      sizeof(struct image_denial)) == 0);
		}
		for (uint32_t i = 0; i < a->set_count; i++) {
			check_same_block(
				one, image_node_blocks(a)[i], several, image_node_blocks(b)[i]);
		}
		left = image_node_next(one, left);
		right = image_node_next(several, right);
	}
	CHECK_U(right, several->header.nodes_end);
}

TEST(several_threads_build_the_tree_that_one_builds)
{
	static const char *const denials[] = {"", "@ NSEC3PARAM 1 0 0 -\n"};
	static struct outcome one, several;
	char *text = malloc(TEXT_MAX);
	uint32_t nsec3 = 0, delegations = 0;

	CHECK(text != NULL);
	for (uint32_t round = 0; round < 4; round++) {
		size_t len = make_tree(text, round == 3, denials[round % 2]);
		const char *path = kit_temp_file(text, len);
		struct image *built = load_image(path, 1, &one);
		CHECK(built != NULL);
		for (uint32_t threads = 2; threads <= 5; threads += 3) {
			struct image *same = load_image(path, threads, &several);
			CHECK(same != NULL);
			CHECK_S(several.diags, one.diags);
			check_same_tree(built, same);
			check_provable(same);
			image_free(same);
		}
		nsec3 += built->header.nsec3_count;
		delegations += built->header.counts.delegations > 0;
		image_free(built);
	}
	CHECK(nsec3 > 100 && delegations > 0);
	free(text);
}

TEST(several_threads_make_what_one_makes)
{
	static struct outcome one, several;
	char *text = malloc(TEXT_MAX);

	CHECK(text != NULL);
	for (uint32_t round = 0; round < FAULTS; round++) {
		size_t len = make_zone(text, (enum fault)round);
		const char *path = kit_temp_file(text, len);
		load_with(path, 1, &one);
		CHECK_U(one.status, round == FAULT_NONE ? STATUS_OK : STATUS_REFUSED);
		CHECK(round != FAULT_SEMANTIC || strstr(one.diags, "20 more errors") != NULL);
		CHECK(strstr(one.diags, "outside the zone") != NULL);
		CHECK(round == FAULT_SYNTAX || strstr(one.diags, "has no glue") != NULL);
		for (uint32_t threads = 2; threads <= 3; threads++) {
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

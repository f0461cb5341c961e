/* test_image_file.c - images to disk and back; and that no octet of one can lead astray, once the checksum is right. */
#include "zone/image_file.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer/image_probe.h"
#include "answer/odd_zones.h"
#include "base/checksum.h"
#include "base/diag.h"
#include "kit/kit.h"
#include "os/diskfile.h"

static const char large[] = "$TTL 60\n@ SOA ns host 1 2 3 4 5\n@ NS ns\nNs A 192.0.2.1\n"
			    "$GENERATE 1-20000 host-$.Example A 192.0.2.1\n";

static const struct {
	const char *origin, *text;
} zones[] = {{"z.", odd_plain}, {".", odd_root}, {"nsec.", odd_nsec}, {"z.test.", odd_nsec3},
	{"optout.", odd_optout}, {"large.", large}, {"tiny.", odd_tiny}};

#define ZONES (sizeof(zones) / sizeof(zones[0]))

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	CHECK(diag->level != DIAG_ERROR);
}

static struct image *build(size_t i, struct name *origin_out)
{
	const struct diag_sink sink = {.report = ignore};
	const struct name root = {.len = 1};
	struct load *load = load_new();
	struct image *image = NULL;

	KIT_NOTE(zones[i].origin);
	CHECK(load != NULL);
	CHECK_U(name_from_text(
			zones[i].origin, (uint32_t)strlen(zones[i].origin), &root, origin_out),
		WIRE_OK);
	CHECK_U(load_octets(load, "test", zones[i].text, strlen(zones[i].text), origin_out,
			&image_probe_key, &sink, &image),
		STATUS_OK);
	load_free(load);
	return image;
}

static char *print(const struct image *image)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	CHECK(out != NULL);
	CHECK_U(image_print(image, out), STATUS_OK);
	fclose(out);
	return text;
}

/* The octets of a zone's image file. */
static uint8_t *file_of(size_t i, size_t *len_out)
{
	const char *path = kit_temp_file("", 0);
	const struct sources none = {.items = NULL};
	struct diskfile file;
	struct name origin;
	struct image *image = build(i, &origin);

	CHECK_U(image_file_write(path, image, &none), STATUS_OK);
	image_free(image);
	CHECK_U(diskfile_open(path, &file), STATUS_OK);
	uint8_t *octets = malloc(file.len);
	CHECK(octets != NULL);
	CHECK_U(diskfile_read(&file, 0, octets, file.len), STATUS_OK);
	*len_out = file.len;
	diskfile_close(&file);
	return octets;
}

TEST(an_image_from_disk_holds_what_the_one_that_was_built_holds)
{
	for (size_t i = 0; i < ZONES; i++) {
		const char *zone_file = kit_temp_file("x", 1);
		const char *path = kit_temp_file("", 0);
		char why[IMAGE_FILE_WHY_MAX] = "";
		struct file_identity identity;
		struct sources sources = {.items = NULL}, read = {.items = NULL};
		struct diskfile file;
		struct image *back = NULL;
		bool rehashed = true;
		struct name origin;
		struct stat about;
		struct image *image = build(i, &origin);
		const struct image_file_want want = {
			.key = &image_probe_key, .zone = &origin, .path = zone_file};

		CHECK_U(file_identify(zone_file, &identity), STATUS_OK);
		CHECK_U(sources_add(&sources, zone_file, &identity), STATUS_OK);
		CHECK_U(sources_add(&sources, "/nonexistent", NULL), STATUS_OK);
		CHECK_U(image_file_write(path, image, &sources), STATUS_OK);
		CHECK(stat(path, &about) == 0 && (about.st_mode & 0777) == 0600);
		CHECK_U(diskfile_open(path, &file), STATUS_OK);
		CHECK_U(file.len, image_file_write_len(image, &sources));
		CHECK_U(image_file_read(&file, 0, file.len, &want, &read, &back, &rehashed, why),
			STATUS_OK);
		CHECK_S(why, "");
		CHECK_U(read.count, 2);
		CHECK(!rehashed);
		char *before = print(image), *after = print(back);
		CHECK(strcmp(before, after) == 0);
		free(before);
		free(after);
		diskfile_close(&file);
		sources_fini(&sources);
		sources_fini(&read);
		image_free(image);
		image_free(back);
	}
}

static void check_refused(
	const uint8_t *octets, size_t len, const struct image_file_want *want, const char *expected)
{
	char why[IMAGE_FILE_WHY_MAX] = "";
	struct sources sources = {.items = NULL};
	struct image *image;
	bool rehashed;

	CHECK_U(image_file_read_octets(octets, len, want, &sources, &image, &rehashed, why),
		STATUS_REFUSED);
	CHECK_U(sources.count, 0);
	if (expected != NULL) {
		CHECK_S(why, expected);
	}
}

TEST(what_is_foreign_old_or_damaged_is_refused_with_a_reason)
{
	const struct name tiny_name = {.len = 6, .label_count = 1, .octets = "\4tiny"};
	const struct name else_name = {.len = 6, .label_count = 1, .octets = "\4tinz"};
	struct image_file_want want = {.key = &image_probe_key, .zone = &tiny_name};
	size_t len;
	uint8_t *octets = file_of(ZONES - 1, &len);

	want.zone = &else_name;
	check_refused(octets, len, &want, "it is of another zone");
	want.zone = &tiny_name;
	want.path = "/nonexistent";
	check_refused(octets, len, &want, "the zone file, or what it includes, has changed");
	want.path = NULL;
	octets[8]++;
	check_refused(octets, len, &want, "another version of saker made it");
	octets[8]--;
	octets[0]++;
	check_refused(octets, len, &want, "it is no image");
	octets[0]--;
	octets[len - 20]++;
	check_refused(octets, len, &want, "it is damaged: the checksum differs");
	octets[len - 20]--;
	for (size_t cut = 0; cut < len; cut++) {
		check_refused(octets, cut, &want, NULL);
	}
	for (size_t i = 0; i < len; i++) {
		octets[i] ^= 0x55;
		check_refused(octets, len, &want, NULL);
		octets[i] ^= 0x55;
	}
	free(octets);
}

/* The node of each name in the image, found by the key that it has now. */
static void check_all_found(const struct image *image)
{
	uint32_t count = 0;

	for (uint32_t ref = IMAGE_FIRST; ref != image->header.nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		struct name name;
		struct image_key split;
		image_node_full_name(image, node, false, &name);
		image_key_init(&split, &image->header.key, &name);
		if (node->label_count > image->header.apex_labels) {
			CHECK_U(image_find(image, &split, node->label_count), ref);
		}
		count++;
	}
	CHECK(count > 1);
}

TEST(an_image_made_with_another_key_is_rehashed)
{
	const struct hash_key other = {{1, 3}};

	for (size_t i = 0; i < ZONES; i++) {
		struct name origin;
		struct image *built = build(i, &origin), *back = NULL;
		const struct image_file_want want = {.key = &other, .zone = &origin};
		struct sources sources = {.items = NULL};
		char why[IMAGE_FILE_WHY_MAX] = "";
		bool rehashed = false;
		size_t len;
		uint8_t *octets = file_of(i, &len);

		CHECK_U(image_file_read_octets(octets, len, &want, &sources, &back, &rehashed, why),
			STATUS_OK);
		CHECK(rehashed);
		CHECK(memcmp(&back->header.key, &other, sizeof(other)) == 0);
		check_all_found(built);
		check_all_found(back);
		char *before = print(built), *after = print(back);
		CHECK(strcmp(before, after) == 0);
		free(before);
		free(after);
		free(octets);
		sources_fini(&sources);
		image_free(built);
		image_free(back);
	}
}

/* Who can write an image can make the checksum fit. */
static void forge_checksum(uint8_t *octets, size_t len)
{
	uint64_t sum = checksum_once(octets, len - sizeof(sum));

	memcpy(octets + len - sizeof(sum), &sum, sizeof(sum));
}

TEST(a_table_without_room_is_not_rehashed)
{
	const struct hash_key other = {{1, 3}};
	const struct name large_name = {.len = 7, .label_count = 1, .octets = "\5large"};
	struct image_file_want want = {.key = &image_probe_key, .zone = &large_name};
	struct image_file_head head;
	struct sources sources = {.items = NULL};
	struct image *image;
	bool rehashed;
	char why[IMAGE_FILE_WHY_MAX];
	size_t len;
	uint8_t *octets = file_of(5, &len);

	/* One bucket, empty: the others are cut out. */
	memcpy(&head, octets, sizeof(head));
	size_t cut = ((size_t)head.header.bucket_count - 1) * sizeof(struct image_bucket);
	uint8_t *at = octets + sizeof(head) + head.sources_len;
	memset(at, 0, sizeof(struct image_bucket));
	memmove(at + sizeof(struct image_bucket), at + sizeof(struct image_bucket) + cut,
		len - cut - (size_t)(at - octets) - sizeof(struct image_bucket));
	head.len = len -= cut;
	head.header.bucket_count = 1;
	head.section_len[IMAGE_SECTION_BUCKETS] = sizeof(struct image_bucket);
	memcpy(octets, &head, sizeof(head));
	forge_checksum(octets, len);
	CHECK_U(image_file_read_octets(octets, len, &want, &sources, &image, &rehashed, why),
		STATUS_OK); /* a false table is the checksum's to tell */
	image_free(image);
	want.key = &other;
	check_refused(
		octets, len, &want, "it was made with another key, and its table has no room");
	free(octets);
}

TEST(no_changed_octet_leads_a_look_up_astray)
{
	static const uint8_t masks[] = {0x01, 0x80, 0xff};
	struct image_probe probe;
	uint64_t tries = 0;

	image_probe_init(&probe);
	for (size_t z = 0; z < ZONES; z++) {
		size_t len;
		if (zones[z].text == large || zones[z].text == odd_plain) {
			continue; /* too many octets to try each */
		}
		uint8_t *octets = file_of(z, &len);
		uint8_t *copy = malloc(len);
		CHECK(copy != NULL);
		for (size_t i = 8; i < len; i += zones[z].text == odd_tiny ? 1 : 5) {
			for (size_t m = 0; m < sizeof(masks); m++) {
				memcpy(copy, octets, len);
				copy[i] ^= masks[m];
				image_probe_take(&probe, copy, len);
				tries++;
			}
		}
		free(copy);
		free(octets);
	}
	CHECK(probe.accepted > tries / 100 && probe.accepted < tries);
	image_probe_fini(&probe);
}

TEST(no_random_damage_leads_a_look_up_astray)
{
	struct image_probe probe;

	image_probe_init(&probe);
	for (size_t z = 0; z < ZONES; z++) {
		size_t len;
		if (zones[z].text == large) {
			continue;
		}
		uint8_t *octets = file_of(z, &len);
		uint8_t *copy = malloc(len);
		CHECK(copy != NULL);
		for (uint32_t round = 0; round < 500; round++) {
			memcpy(copy, octets, len);
			for (uint32_t count = 1 + kit_random(3); count > 0; count--) {
				uint32_t at =
					(uint32_t)sizeof(struct image_file_head) +
					kit_random(
						(uint32_t)(len - sizeof(struct image_file_head)));
				uint32_t from = kit_random((uint32_t)len);
				copy[at] = kit_random(2) != 0 ? octets[from]
							      : (uint8_t)kit_random(256);
			}
			image_probe_take(&probe, copy, len);
		}
		free(copy);
		free(octets);
	}
	image_probe_fini(&probe);
}

TEST(a_write_that_fails_leaves_what_was_there)
{
	static const char before[] = "what was there";
	const char *path = kit_temp_file(before, sizeof(before));
	const struct sources none = {.items = NULL};
	struct name origin;
	struct image *image = build(5, &origin);
	uint64_t len = image_file_write_len(image, &none);
	struct rlimit limit, lowered;
	char part[DISKFILE_PATH_MAX];

	CHECK(len > 2 * DISKFILE_BUFFER);
	snprintf(part, sizeof(part), "%s.new", path);
	CHECK(getrlimit(RLIMIT_FSIZE, &limit) == 0);
	signal(SIGXFSZ, SIG_IGN);
	for (uint64_t most = 0; most < len; most += DISKFILE_BUFFER / 2) {
		char read[sizeof(before)];
		struct diskfile file;
		lowered = (struct rlimit){.rlim_cur = most, .rlim_max = limit.rlim_max};
		CHECK(setrlimit(RLIMIT_FSIZE, &lowered) == 0);
		enum status status = image_file_write(path, image, &none);
		int error = errno;
		CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
		CHECK_U(status, STATUS_IO);
		CHECK_U(error, EFBIG);
		CHECK_U(diskfile_open(path, &file), STATUS_OK);
		CHECK_U(file.len, sizeof(before));
		CHECK_U(diskfile_read(&file, 0, read, sizeof(read)), STATUS_OK);
		CHECK(memcmp(read, before, sizeof(before)) == 0);
		diskfile_close(&file);
		CHECK(access(part, F_OK) != 0);
	}
	CHECK_U(image_file_write("/nonexistent/image", image, &none), STATUS_IO);
	CHECK_U(image_file_write(path, image, &none), STATUS_OK);
	image_free(image);
}

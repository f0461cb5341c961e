/* seeds_image.c - the seeds of fuzz_image: images of this version of the format, without which its fuzzer gets no further
 * than the head of a file.
 *
 * usage: seeds_image write|check FOLDER
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/image_probe.h"
#include "answer/odd_zones.h"
#include "base/diag.h"
#include "os/diskfile.h"
#include "zone/image_file.h"
#include "zone/load.h"
#include "zone/sources.h"

static const struct {
	const char *file, *origin, *text;
} seeds[] = {{"nsec", "nsec.", odd_nsec}, {"nsec3", "z.test.", odd_nsec3},
	{"optout", "optout.", odd_optout}, {"plain", "z.", odd_plain}, {"root", ".", odd_root},
	{"tiny", "tiny.", odd_tiny}};

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static struct image *build(const char *zone, const char *text)
{
	const struct diag_sink sink = {.report = ignore};
	const struct name root = {.len = 1};
	struct load *load = load_new();
	struct image *image = NULL;
	struct name origin;

	if (load == NULL ||
		name_from_text(zone, (uint32_t)strlen(zone), &root, &origin) != WIRE_OK ||
		load_octets(load, zone, text, strlen(text), &origin, &image_probe_key, &sink,
			&image) != STATUS_OK) {
		abort();
	}
	load_free(load);
	return image;
}

/* The octets of a file; NULL: it cannot be read. */
static uint8_t *read_all(const char *path, uint64_t *len_out)
{
	struct diskfile file;

	if (diskfile_open(path, &file) != STATUS_OK) {
		return NULL;
	}
	uint8_t *octets = malloc(file.len + 1);
	if (octets != NULL && diskfile_read(&file, 0, octets, file.len) != STATUS_OK) {
		free(octets);
		octets = NULL;
	}
	*len_out = file.len;
	diskfile_close(&file);
	return octets;
}

static bool same_files(const char *a, const char *b)
{
	uint64_t a_len = 0, b_len = 0;
	uint8_t *left = read_all(a, &a_len), *right = read_all(b, &b_len);
	bool same =
		left != NULL && right != NULL && a_len == b_len && memcmp(left, right, a_len) == 0;

	free(left);
	free(right);
	return same;
}

int main(int argc, char **argv)
{
	const struct sources none = {.items = NULL};
	int exit_status = 0;

	if (argc != 3 || (strcmp(argv[1], "write") != 0 && strcmp(argv[1], "check") != 0)) {
		fprintf(stderr, "usage: seeds_image write|check FOLDER\n");
		return 2;
	}
	bool check = argv[1][0] == 'c';
	char scratch[] = "/tmp/saker-seed-XXXXXX";
	if (check && mkdtemp(scratch) == NULL) {
		return 1;
	}
	for (size_t i = 0; i < sizeof(seeds) / sizeof(seeds[0]); i++) {
		char path[512], made[512];
		struct image *image = build(seeds[i].origin, seeds[i].text);
		snprintf(path, sizeof(path), "%s/%s", argv[2], seeds[i].file);
		snprintf(made, sizeof(made), "%s/%s", check ? scratch : argv[2], seeds[i].file);
		bool good = image_file_write(made, image, &none) == STATUS_OK &&
			    (!check || same_files(path, made));
		image_free(image);
		if (check) {
			remove(made);
		}
		if (!good) {
			fprintf(stderr, "seeds_image: %s is not what this version writes\n", path);
			exit_status = 1;
		}
	}
	if (check) {
		remove(scratch);
	}
	return exit_status;
}

/* cmd_zone.c - `saker zone`: what a zone holds once it is loaded, as text or as an image. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "apps/zone_arg.h"
#include "base/hash.h"
#include "os/diskfile.h"
#include "zone/image_file.h"
#include "zone/load.h"
#include "zone/sources.h"

static const char usage[] =
	"usage: saker zone print NAME FILE\n"
	"       saker zone compile NAME FILE -o IMAGE [--key FILE]\n"
	"\n"
	"print loads a zone and prints its records in canonical order, one a line: owner,\n"
	"TTL, class, type and RDATA, with a tab between. compile writes its image, for the\n"
	"server whose state folder has that key.\n";

static int print_zone(const char *name, const char *file)
{
	struct image *image;
	int exit_status = zone_arg_load(name, file, &zone_arg_key, NULL, &image);

	if (exit_status != APPS_EXIT_OK) {
		return exit_status;
	}
	enum status status = image_print(image, stdout);
	if (status == STATUS_OK && fflush(stdout) != 0) {
		status = STATUS_IO;
	}
	image_free(image);
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: the zone cannot be printed: %s\n", status_text(status));
		return APPS_EXIT_FAIL;
	}
	return APPS_EXIT_OK;
}

static bool read_key(const char *path, struct hash_key *out)
{
	struct diskfile file;

	if (diskfile_open(path, &file) != STATUS_OK) {
		fprintf(stderr, "saker: %s: cannot be read: %s\n", path, strerror(errno));
		return false;
	}
	bool good =
		file.len == sizeof(*out) && diskfile_read(&file, 0, out, sizeof(*out)) == STATUS_OK;
	diskfile_close(&file);
	if (!good) {
		fprintf(stderr, "saker: %s: is no key (expected %zu octets)\n", path, sizeof(*out));
	}
	return good;
}

static int compile_zone(const char *name, const char *file, const char *out, const char *key_path)
{
	struct hash_key key = zone_arg_key;
	struct sources sources = {.items = NULL};
	struct image *image;

	if (key_path != NULL && !read_key(key_path, &key)) {
		return APPS_EXIT_FAIL;
	}
	int exit_status = zone_arg_load(name, file, &key, &sources, &image);
	if (exit_status == APPS_EXIT_OK) {
		uint64_t len = image_file_write_len(image, &sources);
		enum status status = image_file_write(out, image, &sources);
		if (status == STATUS_OK) {
			printf("%s: %llu octets\n", out, (unsigned long long)len);
		} else {
			fprintf(stderr, "saker: %s: cannot be written: %s\n", out,
				status == STATUS_IO ? strerror(errno) : status_text(status));
			exit_status = APPS_EXIT_FAIL;
		}
		image_free(image);
	}
	sources_fini(&sources);
	return exit_status;
}

/* The words behind `compile`. */
static int compile(int argc, char **argv)
{
	const char *words[2] = {NULL, NULL};
	const char *out = NULL, *key = NULL;
	int count = 0;

	for (int i = 0; i < argc; i++) {
		bool is_out = strcmp(argv[i], "-o") == 0;
		if ((is_out || strcmp(argv[i], "--key") == 0) && i + 1 < argc) {
			i++;
			out = is_out ? argv[i] : out;
			key = is_out ? key : argv[i];
		} else if (count < 2 && argv[i][0] != '-') {
			words[count++] = argv[i];
		} else {
			count = -1;
			break;
		}
	}
	if (count != 2 || out == NULL) {
		fprintf(stderr, "saker: zone compile wants more (expected NAME FILE -o IMAGE)\n%s",
			usage);
		return APPS_EXIT_USAGE;
	}
	return compile_zone(words[0], words[1], out, key);
}

int cmd_zone(int argc, char **argv)
{
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	if (argc == 4 && strcmp(argv[1], "print") == 0) {
		return print_zone(argv[2], argv[3]);
	}
	if (argc >= 2 && strcmp(argv[1], "compile") == 0) {
		return compile(argc - 2, argv + 2);
	}
	fprintf(stderr, "saker: zone wants to know what to do (expected print or compile)\n%s",
		usage);
	return APPS_EXIT_USAGE;
}

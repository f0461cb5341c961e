/* replay.c - gives each file of a folder to a fuzz target once, without libFuzzer; prints TAP.
 *
 * What is found is a crash, or a report of the sanitizer that the program was built with.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 100000 /* a corpus that is larger should be merged first; a guess */
#define FILE_MAX  (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void run_file(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	uint8_t *octets = malloc(FILE_MAX);
	if (file == NULL || octets == NULL) {
		perror(path);
		exit(1);
	}
	size_t len = fread(octets, 1, FILE_MAX, file);
	fclose(file);
	uint8_t *exact = malloc(len == 0 ? 1 : len); /* so that one octet too far is seen */
	if (exact == NULL) {
		perror(path);
		exit(1);
	}
	memcpy(exact, octets, len);
	LLVMFuzzerTestOneInput(exact, len);
	free(exact);
	free(octets);
}

static int is_no_dotfile(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	int count = argc == 2 ? scandir(argv[1], &entries, is_no_dotfile, alphasort) : -1;

	if (count <= 0 || count > FILES_MAX) {
		fprintf(stderr, "usage: replay FOLDER   (with files in it)\n");
		return 2;
	}
	printf("1..%d\n", count);
	for (int i = 0; i < count; i++) {
		run_file(argv[1], entries[i]->d_name);
		printf("ok %d - %s\n", i + 1, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

/* kit.c - what cmocka lacks. */
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/random.h"

#define TESTS_MAX 256
#define GUARDS    16u
#define GUARD_LEN (1u << 18) /* octets of the largest guarded input */
#define TEMP_MAX  128u
#define TEMP_LEN  64u

static struct CMUnitTest tests[TESTS_MAX];
static size_t test_count;
static const char *note = "";
static struct random generator;
static char temp_paths[TEMP_MAX][TEMP_LEN];
static uint32_t temp_count;

void kit_register(const char *name, void (*run)(void **state))
{
	if (test_count == TESTS_MAX) {
		fprintf(stderr, "kit: more than %d tests in one file\n", TESTS_MAX);
		exit(2);
	}
	tests[test_count++] = (struct CMUnitTest){.name = name, .test_func = run};
}

void kit_note(const char *text)
{
	note = text;
}

static void tell(const char *file, int line)
{
	print_error("%s:%d: [%s] ", file, line, note);
}

void kit_check(int holds, const char *what, const char *file, int line)
{
	if (!holds) {
		tell(file, line);
		print_error("%s does not hold\n", what);
		_fail(file, line);
	}
}

void kit_check_u(uint64_t got, uint64_t want, const char *what, const char *file, int line)
{
	if (got != want) {
		tell(file, line);
		print_error("%s is %llu, want %llu\n", what, (unsigned long long)got,
			(unsigned long long)want);
		_fail(file, line);
	}
}

void kit_check_s(const char *got, const char *want, const char *what, const char *file, int line)
{
	if (strcmp(got, want) != 0) {
		tell(file, line);
		print_error("%s is\n  %s\nwant\n  %s\n", what, got, want);
		_fail(file, line);
	}
}

void kit_check_octets(const void *got, size_t got_len, const void *want, size_t want_len,
	const char *what, const char *file, int line)
{
	if (got_len == want_len && (got_len == 0 || memcmp(got, want, got_len) == 0)) {
		return;
	}
	tell(file, line);
	print_error("%s differs\n  got  ", what);
	for (size_t i = 0; i < got_len; i++) {
		print_error("%02x", ((const uint8_t *)got)[i]);
	}
	print_error("\n  want ");
	for (size_t i = 0; i < want_len; i++) {
		print_error("%02x", ((const uint8_t *)want)[i]);
	}
	print_error("\n");
	_fail(file, line);
}

uint8_t *kit_guarded(const void *octets, size_t len)
{
	static uint8_t *regions[GUARDS];
	static uint32_t next;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t **region = &regions[next++ % GUARDS];

	if (len > GUARD_LEN) {
		fprintf(stderr, "kit: %zu octets are too many to guard\n", len);
		exit(2);
	}
	if (*region == NULL) {
		*region = mmap(NULL, GUARD_LEN + page, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (*region == MAP_FAILED || mprotect(*region + GUARD_LEN, page, PROT_NONE) != 0) {
			perror("kit: guard page");
			exit(2);
		}
	}
	uint8_t *at = *region + GUARD_LEN - len;
	if (len != 0) {
		memcpy(at, octets, len);
	}
	return at;
}

uint32_t kit_random(uint32_t bound)
{
	return random_below(&generator, bound);
}

static void remove_temp_files(void)
{
	for (uint32_t i = 0; i < temp_count; i++) {
		unlink(temp_paths[i]);
	}
}

const char *kit_temp_file(const char *text, size_t len)
{
	if (temp_count == TEMP_MAX) {
		fprintf(stderr, "kit: more than %u temporary files\n", TEMP_MAX);
		exit(2);
	}
	if (temp_count == 0) {
		atexit(remove_temp_files);
	}
	char *path = temp_paths[temp_count++];
	snprintf(path, TEMP_LEN, "/tmp/saker-test-XXXXXX");
	int fd = mkstemp(path);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len) {
		perror("kit: temporary file");
		exit(2);
	}
	close(fd);
	return path;
}

int main(void)
{
	random_init(&generator, 1);
	return _cmocka_run_group_tests("saker", tests, test_count, NULL, NULL);
}

/* kit.h - what cmocka lacks: guard pages, seeded random numbers, one-line tests.
 *
 * TEST(name) { ... } defines and registers a test; the kit's main() runs all of a file.
 */
#ifndef SAKER_TESTS_KIT_H
#define SAKER_TESTS_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* TEST - one test, run in the order of the file. */
#define TEST(name)                                                                                 \
	static void name(void **kit_state);                                                        \
	__attribute__((constructor)) static void kit_register_##name(void)                         \
	{                                                                                          \
		kit_register(#name, name);                                                         \
	}                                                                                          \
	static void name(__attribute__((unused)) void **kit_state)

void kit_register(const char *name, void (*run)(void **state));

/* CHECK - the condition holds, or the test fails and tells the last KIT_NOTE. */
#define CHECK(condition) kit_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
/* CHECK_U - two unsigned numbers are equal; CHECK_S - two strings are. */
#define CHECK_U(got, want) kit_check_u((uint64_t)(got), (uint64_t)(want), #got, __FILE__, __LINE__)
#define CHECK_S(got, want) kit_check_s((got), (want), #got, __FILE__, __LINE__)
#define CHECK_OCTETS(got, got_len, want, want_len)                                                 \
	kit_check_octets((got), (got_len), (want), (want_len), #got, __FILE__, __LINE__)
/* KIT_NOTE - says which case of a table runs. */
#define KIT_NOTE(text) kit_note(text)

void kit_check(int holds, const char *what, const char *file, int line);
void kit_check_u(uint64_t got, uint64_t want, const char *what, const char *file, int line);
void kit_check_s(const char *got, const char *want, const char *what, const char *file, int line);
void kit_check_octets(const void *got, size_t got_len, const void *want, size_t want_len,
	const char *what, const char *file, int line);
void kit_note(const char *text);

/* BYTES(1, 2, 3) - a pointer and a length, for two fields or arguments. */
#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

/* kit_guarded - a copy of octets whose last octet touches an unreadable page; void at the next call but 15. */
uint8_t *kit_guarded(const void *octets, size_t len);

/* kit_random - evenly spread over [0, bound), the same numbers in every run. */
uint32_t kit_random(uint32_t bound);

/* kit_temp_file - writes text to a new file that is removed at the end; returns its path. */
const char *kit_temp_file(const char *text, size_t len);

#endif

/* test_arena.c - arenas: alignment, the cap, and that a reset keeps memory for use. */
#include "base/arena.h"

#include <string.h>

#include "kit/kit.h"

TEST(memory_is_aligned_and_writable)
{
	struct arena arena;

	arena_init(&arena, 0);
	for (size_t len = 0; len < 20000; len += 77) {
		uint8_t *octets = arena_alloc(&arena, len);
		CHECK(octets != NULL);
		CHECK_U((uintptr_t)octets % 8, 0);
		memset(octets, 0xa5, len);
	}
	arena_fini(&arena);
}

TEST(the_cap_is_exact)
{
	struct arena arena;

	arena_init(&arena, 64);
	CHECK(arena_alloc(&arena, 40) != NULL);
	CHECK(arena_alloc(&arena, 32) == NULL);
	CHECK(arena_alloc(&arena, 24) != NULL);
	CHECK(arena_alloc(&arena, 1) == NULL);
	arena_reset(&arena);
	CHECK(arena_alloc(&arena, 64) != NULL);
	arena_fini(&arena);
}

TEST(absurd_lengths_are_refused)
{
	struct arena arena;

	arena_init(&arena, 0);
	CHECK(arena_alloc(&arena, SIZE_MAX) == NULL);
	arena_fini(&arena);
}

TEST(a_copy_holds_the_octets)
{
	struct arena arena;

	arena_init(&arena, 0);
	CHECK_S(arena_copy(&arena, "falcon", 7), "falcon");
	arena_fini(&arena);
}

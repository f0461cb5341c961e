/* arena.c - memory that is given back all at once. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_LEN_FIRST 1024u         /* small arenas, of which there are thousands, stay small */
#define BLOCK_LEN_MOST  (1024u << 10) /* growth stops here: waste is at most one block */
#define ALIGNMENT       8u

struct arena_block {
	struct arena_block *next; /* owns: an older block */
	size_t len;               /* octets of octets[] */
	size_t used;
	_Alignas(ALIGNMENT) uint8_t octets[];
};

void arena_init(struct arena *arena, size_t cap)
{
	*arena = (struct arena){.cap = cap};
}

static struct arena_block *block_new(struct arena *arena, size_t len)
{
	size_t want = arena->blocks == NULL ? BLOCK_LEN_FIRST : arena->blocks->len * 2;

	want = want > BLOCK_LEN_MOST ? BLOCK_LEN_MOST : want;
	want = want < len ? len : want;
	struct arena_block *block = malloc(sizeof(*block) + want);
	if (block == NULL) {
		return NULL;
	}
	block->len = want;
	block->used = 0;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t len)
{
	if (len > SIZE_MAX / 2) {
		return NULL;
	}
	len = (len + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (arena->cap != 0 && len > arena->cap - arena->used) {
		return NULL;
	}
	struct arena_block *block = arena->blocks;
	if (block == NULL || len > block->len - block->used) {
		block = block_new(arena, len);
		if (block == NULL) {
			return NULL;
		}
	}
	void *out = block->octets + block->used;
	block->used += len;
	arena->used += len;
	return out;
}

void *arena_copy(struct arena *arena, const void *octets, size_t len)
{
	void *out = arena_alloc(arena, len);

	if (out != NULL && len != 0) {
		memcpy(out, octets, len);
	}
	return out;
}

static void free_until(struct arena *arena, const struct arena_block *last)
{
	while (arena->blocks != last) {
		struct arena_block *next = arena->blocks->next;
		free(arena->blocks);
		arena->blocks = next;
	}
}

void arena_reset(struct arena *arena)
{
	struct arena_block *oldest = arena->blocks;

	while (oldest != NULL && oldest->next != NULL) {
		oldest = oldest->next;
	}
	free_until(arena, oldest);
	if (oldest != NULL) {
		oldest->used = 0;
	}
	arena->used = 0;
}

void arena_fini(struct arena *arena)
{
	free_until(arena, NULL);
	arena->used = 0;
}

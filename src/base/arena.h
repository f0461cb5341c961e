/* arena.h - memory that is given back all at once.
 *
 * Blocks of growing size are chained; arena_reset() keeps the first block. A cap makes exhaustion a
 * value (NULL), not a surprise.
 *
 * thread  one owner
 */
#ifndef SAKER_BASE_ARENA_H
#define SAKER_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* owns: newest first */
	size_t used;                /* octets handed out */
	size_t cap;                 /* most octets that may be handed out; 0: no cap */
};

/* arena_init - an empty arena; allocates nothing. */
void arena_init(struct arena *arena, size_t cap);

/* arena_alloc - len octets aligned to 8, not zeroed; NULL where memory or the cap ends. */
MUST_USE void *arena_alloc(struct arena *arena, size_t len);

/* arena_copy - a copy of octets[0..len); NULL like arena_alloc(). */
MUST_USE void *arena_copy(struct arena *arena, const void *octets, size_t len);

/* arena_reset - all memory handed out is void; the oldest block is kept for use. */
void arena_reset(struct arena *arena);

/* arena_fini - gives every block back. */
void arena_fini(struct arena *arena);

#endif

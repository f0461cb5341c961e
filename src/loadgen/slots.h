/* slots.h - the queries in flight of one socket, found by their message ID.
 *
 *     ID  <-- keyed permutation of 16 bits -->  | generation | slot |
 *
 * Turning the permutation back gives the slot, so there is no search. A slot's generation grows each
 * time it is used, so an ID comes back only after every other ID of its slot, and slots are taken in the
 * order in which they became free: an ID is not in flight twice, and rests as long as it can. Two
 * bits an ID tell what became of its last query, so an answer that comes too late, or twice, is known
 * for what it is.
 *
 * invariant  each slot is in exactly one list: in flight (oldest first) or free (longest free first)
 * memory     all of it allocated by slots_init()
 * thread     one owner
 * source     RFC 5452 sec 4.3 (why IDs are not counted up); the key is 64 bits from the kernel
 */
#ifndef SAKER_LOADGEN_SLOTS_H
#define SAKER_LOADGEN_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define SLOTS_NONE UINT32_MAX
/* In flight on a socket: half of all IDs, so that the others can rest. */
#define SLOTS_WINDOW_MAX 32768u

/* What became of the last query with an ID. */
enum slots_fate {
	SLOTS_UNUSED,
	SLOTS_IN_FLIGHT,
	SLOTS_ANSWERED,
	SLOTS_EXPIRED /* its time was up before an answer came */
};

struct slot {
	uint64_t due_ns;    /* when the query was to be sent: latency counts from here */
	uint32_t query_idx; /* into the query file */
	uint32_t next;      /* younger in flight, or next free; SLOTS_NONE at the end */
	uint32_t prev;      /* older in flight; means nothing while free */
	uint16_t id;
	uint16_t generation;
};

struct slots {
	struct slot *items; /* owns: cap of them */
	uint8_t *fates;     /* owns: two bits an ID */
	uint32_t cap;       /* a power of two */
	uint32_t in_flight_count;
	uint32_t oldest; /* ends of the list in flight */
	uint32_t newest;
	uint32_t free_first; /* ends of the free list */
	uint32_t free_last;
	uint16_t forth[3]; /* the permutation's key, odd where it multiplies */
	uint16_t back[2];  /* inverses of forth[1] and forth[2] modulo 2^16 */
};

/* slots_init - room for window queries in flight, 1..SLOTS_WINDOW_MAX.
 *
 * errors  STATUS_MEMORY: nothing is left to be undone
 */
MUST_USE enum status slots_init(struct slots *slots, uint32_t window, uint64_t key);
void slots_fini(struct slots *slots);

/* slots_take - puts a query in flight; returns its slot. At least one must be free. */
uint32_t slots_take(struct slots *slots, uint32_t query_idx, uint64_t due_ns);

/* slots_settle - takes a slot out of flight: SLOTS_ANSWERED, SLOTS_EXPIRED, or SLOTS_UNUSED where it was never sent. */
void slots_settle(struct slots *slots, uint32_t slot, enum slots_fate fate);

/* slots_find - what became of the query with this ID; *out is its slot where it is in flight, else unchanged. */
enum slots_fate slots_find(const struct slots *slots, uint16_t id, uint32_t *out);

/* slots_mark - the fate of an ID that is not in flight becomes another: its late answer came. */
void slots_mark(struct slots *slots, uint16_t id, enum slots_fate fate);

/* slots_is_valid - the invariant; for tests, O(cap). */
bool slots_is_valid(const struct slots *slots);

#endif

/* region.h - memory that grows without moving: a large reservation of addresses, paid for as it is written.
 *
 * Behind its first REGION_SMALL octets the kernel is asked for huge pages, so that what is large costs few page
 * faults and TLB entries, and what is small costs no more than it needs.
 *
 * thread  one owner
 */
#ifndef SAKER_OS_REGION_H
#define SAKER_OS_REGION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define REGION_CAP_MOST ((uint64_t)1 << 37) /* octets: 128 GiB, a zone of a billion records */
#define REGION_CAP_LEAST                                                                           \
	((uint64_t)1 << 26) /* where addresses are rationed (ulimit -v), less will do */
#define REGION_STEP_LEAST                                                                          \
	((uint64_t)64 << 10) /* octets made ready at once; then as many as there are */
#define REGION_STEP_MOST ((uint64_t)64 << 20)
#define REGION_SMALL     ((uint64_t)2 << 20) /* octets: one huge page */

struct region {
	uint8_t *start; /* owns; NULL: nothing reserved */
	uint64_t len;   /* octets in use */
	uint64_t ready; /* octets that may be touched */
	uint64_t cap;   /* octets reserved */
};

/* region_init - reserves up to REGION_CAP_MOST octets, or as many as can be had. errors: STATUS_MEMORY */
MUST_USE enum status region_init(struct region *region);

/* region_init_many - the same for count regions at once, whose addresses follow each other.
 *
 * errors  STATUS_MEMORY; none is there then
 */
MUST_USE enum status region_init_many(struct region *regions, uint32_t count);

/* region_make_ready - so that len more octets may be touched; false where the reservation or memory ends. */
MUST_USE bool region_make_ready(struct region *region, uint64_t len);

/* region_add - len more octets, zero; NULL where the reservation or memory ends. cost: O(1), amortised */
static inline uint8_t *region_add(struct region *region, uint64_t len)
{
	if (UNLIKELY(len > region->ready - region->len) && !region_make_ready(region, len)) {
		return NULL;
	}
	uint8_t *at = region->start + region->len;
	region->len += len;
	return at;
}

/* region_reset - empty again, and zero again: for one use after the other.
 *
 * cost  what was used is cleared, or given back to the kernel where it is large
 */
void region_reset(struct region *region);

/* region_fini - gives all back. */
void region_fini(struct region *region);

#endif

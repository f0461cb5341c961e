/* collect_log.h - how collect.c writes runs, and collect_sort.c and gather.c read them. Nobody else needs it. */
#ifndef SAKER_ZONE_COLLECT_LOG_H
#define SAKER_ZONE_COLLECT_LOG_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "zone/collect.h"
#include "zone/order.h"

/* Of addresses: logs of all parts lie below. The other bits of a word are left for the order. */
#define COLLECT_LOG_BITS 40u
_Static_assert(REGION_CAP_MOST *COLLECT_PARTS_MAX <= (uint64_t)1 << COLLECT_LOG_BITS &&
		       COLLECT_LOG_BITS + ORDER_MORE_BITS == 64,
	"an offset fits beside order_more()");

struct collect_run {
	uint64_t prefix; /* order_prefix() of the owner */
	uint64_t more : ORDER_MORE_BITS;
	uint64_t log : COLLECT_LOG_BITS; /* offset of its head in the logs */
};
_Static_assert(sizeof(struct collect_run) == 16, "four in a cache line");

/* collect_log_cannot_equal - true where the owners of two runs differ for sure, without a look at the log. */
static inline bool collect_log_cannot_equal(
	const struct collect_run *a, const struct collect_run *b)
{
	return a->prefix != b->prefix || a->more != b->more;
}

/* Followed by the name in lower case, the spelling where flagged, and the records. Unaligned: copied in and out. */
struct collect_run_head {
	uint32_t record_count;
	uint8_t name_len;
	uint8_t labels;
	uint8_t spelled;
	uint8_t spare;
};

/* Followed by its RDATA. */
struct collect_log_record {
	uint32_t ttl;
	uint32_t line;
	uint32_t file;
	uint16_t type;
	uint16_t rdata_len;
};

/* collect_log_name - the owner name of a run. */
static inline const uint8_t *collect_log_name(
	const struct collect *collect, const struct collect_run *run)
{
	return collect->log + run->log + sizeof(struct collect_run_head);
}

/* collect_log_head - a copy of a run's head. */
static inline struct collect_run_head collect_log_head(
	const struct collect *collect, const struct collect_run *run)
{
	struct collect_run_head head;

	memcpy(&head, collect->log + run->log, sizeof(head));
	return head;
}

#endif

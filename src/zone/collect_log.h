/* collect_log.h - how collect.c writes runs and collect_sort.c reads them. Nobody else needs it. */
#ifndef SAKER_ZONE_COLLECT_LOG_H
#define SAKER_ZONE_COLLECT_LOG_H

#include <stdint.h>

struct collect_run {
	uint64_t prefix; /* order_prefix() of the owner */
	uint64_t log;    /* offset of its head in the log */
};

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

#endif

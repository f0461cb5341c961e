/* source_set.h - the local addresses that a load test asks from: one socket after the other, in turn.
 *
 *     192.0.2.7               one address
 *     192.0.2.7,192.0.2.9     several
 *     127.1.0.0/24            those of a prefix but its first and last, which are not hosts'
 *
 * Linux answers for all of 127.0.0.0/8 without being told; others must be this machine's.
 *
 * thread  read-only once parsed
 */
#ifndef SAKER_LOADGEN_SOURCE_SET_H
#define SAKER_LOADGEN_SOURCE_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"

#define SOURCE_SET_MAX 256u /* addresses of a list; a prefix holds as many as it likes */

struct source_set {
	struct addr list[SOURCE_SET_MAX]; /* of a prefix: its first address alone */
	uint32_t list_count;              /* 0: any address, as the kernel chooses */
	uint64_t prefix_count;            /* addresses of a prefix; 0: it is a list */
};

/* source_set_parse - reads one of the forms above; family: of the server, which all must have.
 *
 * errors  false: *why_out says what is wrong; a static text
 */
MUST_USE bool source_set_parse(
	const char *text, enum addr_family family, struct source_set *out, const char **why_out);

/* source_set_get - the address of the nth socket; ADDR_NONE where any will do. */
struct addr source_set_get(const struct source_set *sources, uint32_t nth);

#endif

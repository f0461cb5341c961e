/* zoneline.h - one record in zone file form inside a line of another kind of file.
 *
 * thread  no shared state
 */
#ifndef SAKER_LOADGEN_ZONELINE_H
#define SAKER_LOADGEN_ZONELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"
#include "wire/rdata.h"

#define ZONELINE_LEN_MAX 65536u /* octets of text */

struct zoneline_record {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	bool has_ttl; /* it was written */
	uint32_t rdata_len;
	uint8_t rdata[RDATA_LEN_MAX];
};

/* Where the text stands, for complaints. */
struct zoneline_place {
	const char *file;
	uint32_t line;
	uint32_t column; /* of the text's first octet, from 1 */
};

/* zoneline_read - reads `OWNER [TTL] TYPE RDATA`, all in one line.
 *
 * errors  STATUS_REFUSED  one complaint went to the sink; STATUS_MEMORY
 */
MUST_USE enum status zoneline_read(const struct zoneline_place *place, const char *text, size_t len,
	const struct name *origin, const struct diag_sink *sink, struct zoneline_record *out);

#endif

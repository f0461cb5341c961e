/* rdata.h - RDATA in wire form, walked by the field letters of rrtype.def.
 *
 * thread  no shared state
 */
#ifndef SAKER_WIRE_RDATA_H
#define SAKER_WIRE_RDATA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/reader.h"
#include "wire/wire.h"

#define RDATA_LEN_MAX 65535u
#define RDATA_NAMES_MAX                                                                            \
	2u /* names in the fixed part of any type of the table (SOA, MINFO, RP, PX, TALINK) */

/* A domain name inside uncompressed RDATA. */
struct rdata_name {
	uint16_t off;      /* from the start of the RDATA */
	uint8_t len;       /* octets with the root label */
	bool compressible; /* a sender may compress it: types of RFC 1035 only, RFC 3597 sec 4 */
	bool canonical_lower; /* letters go to lower case in canonical form, RFC 4034 sec 6.2, RFC 6840 sec 5.1 */
};

/* rdata_check - is this well-formed uncompressed RDATA of the type? Unknown types always are.
 *
 * errors  WIRE_TRUNCATED, WIRE_LABEL_TYPE, WIRE_NAME_LEN, WIRE_TRAILING, WIRE_VALUE
 */
MUST_USE enum wire_status rdata_check(uint16_t type, const uint8_t *rdata, uint32_t len);

/* rdata_names - where the names of checked RDATA stand; returns how many (HIP's servers are not listed). */
uint32_t rdata_names(
	uint16_t type, const uint8_t *rdata, uint32_t len, struct rdata_name out[RDATA_NAMES_MAX]);

/* rdata_canonical - letters of the names that RFC 4034 sec 6.2 lists go to lower case, in place. */
void rdata_canonical(uint16_t type, uint8_t *rdata, uint32_t len);

/* rdata_compare - canonical order of two canonical RDATA: as left-justified octet strings, RFC 4034 sec 6.3. */
int rdata_compare(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len);

/* rdata_expand - checked, uncompressed RDATA out of a message.
 *
 * shape   msg: cursor over the whole message, off at the RDATA, which is rdlength octets long
 *         out: cap octets of room
 * effect  WIRE_OK: msg->off stands behind the RDATA and out_len octets are in out; else msg is unchanged
 * errors  as rdata_check() and name_parse(); WIRE_SPACE
 * source  RFC 3597 sec 4: names are expanded only in the types where a sender may have compressed
 */
MUST_USE enum wire_status rdata_expand(struct reader *msg, uint16_t type, uint16_t rdlength,
	uint8_t *out, uint32_t cap, uint32_t *out_len);

#endif

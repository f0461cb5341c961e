/* rrtype.h - the RR types, from the one table in rrtype.def.
 *
 * source  IANA "Resource Record (RR) TYPEs"; the RFC of each type stands in its row
 */
#ifndef SAKER_WIRE_RRTYPE_H
#define SAKER_WIRE_RRTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define RRTYPE_TEXT_MAX 16u /* octets of the longest mnemonic or TYPEnnnnn with its zero */

enum rrtype {
#define RRTYPE(code, mnemonic, symbol, fields, rfc) RRTYPE_##symbol = (code),
#include "wire/rrtype.def"
#undef RRTYPE
	RRTYPE_OPT = 41,
	RRTYPE_NXNAME = 128, /* only ever in type bitmaps, RFC 9824 sec 2 */
	RRTYPE_TKEY = 249,
	RRTYPE_TSIG = 250,
	RRTYPE_IXFR = 251,
	RRTYPE_AXFR = 252,
	RRTYPE_MAILB = 253,
	RRTYPE_MAILA = 254,
	RRTYPE_ANY = 255
};

struct rrtype_info {
	uint16_t code;
	const char *mnemonic;
	const char *fields; /* field letters, see rrtype.def */
};

/* rrtype_info - the row of a type; NULL where the table has none (RFC 3597 then).
 *
 * cost  O(1)
 */
const struct rrtype_info *rrtype_info(uint16_t code);

/* rrtype_is_meta - types that are never stored: OPT, TKEY, TSIG, 128 to 255, and 0. */
bool rrtype_is_meta(uint16_t code);

/* rrtype_from_text - a mnemonic in any case, or TYPEnnn (RFC 3597 sec 5).
 *
 * errors  false: neither; out is unchanged. Question types (ANY, AXFR, ...) are found too.
 */
MUST_USE bool rrtype_from_text(const char *text, uint32_t len, uint16_t *out);

/* rrtype_to_text - the mnemonic or TYPEnnn into text[RRTYPE_TEXT_MAX]; returns text. */
const char *rrtype_to_text(uint16_t code, char *text);

#endif

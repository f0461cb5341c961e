/* rdata_text.h - RDATA in presentation form.
 *
 * source  RFC 1035 sec 5.1, RFC 3597 sec 5, and the RFC of each type (rrtype.def)
 */
#ifndef SAKER_ZONEFILE_RDATA_TEXT_H
#define SAKER_ZONEFILE_RDATA_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define RDATA_TEXT_MAX (4u * 65535u + 1024u) /* octets: every octet as \DDD, and room for spaces */

/* rdata_to_text - one line, absolute names, into text[cap]; returns the length without the zero.
 *
 * shape   rdata: checked octets (rdata_check()); cap at least RDATA_TEXT_MAX
 * effect  reading the text gives the same octets back
 */
size_t rdata_to_text(uint16_t type, const uint8_t *rdata, uint32_t len, char *text, size_t cap);

#endif

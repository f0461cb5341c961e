/* rdata_text.h - RDATA in presentation form.
 *
 * Octets that no presentation form of their type can say (a LOC beyond the poles, an APL of an unknown
 * family, unused bits that are set, ...) are printed in the form of RFC 3597, so that reading gives the
 * same octets back, whatever they are.
 *
 * source  RFC 1035 sec 5.1, RFC 3597 sec 5, and the RFC of each type (rrtype.def)
 */
#ifndef SAKER_ZONEFILE_RDATA_TEXT_H
#define SAKER_ZONEFILE_RDATA_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Octets. The longest is a bitmap of all types: TYPEnnnnn and a blank, 10 octets of text a bit. */
#define RDATA_TEXT_MAX (10u * 65536u + 4096u)

/* rdata_text_print - one line, absolute names, into text[cap]; returns the length without the zero.
 *
 * shape   rdata: checked octets (rdata_check()); cap at least RDATA_TEXT_MAX
 * effect  reading the text gives the same octets back
 */
size_t rdata_text_print(uint16_t type, const uint8_t *rdata, uint32_t len, char *text, size_t cap);

#endif

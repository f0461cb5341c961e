/* svcb.h - the parameters of SVCB and HTTPS records in wire form.
 *
 * Each is a key, a length and a value; keys ascend. rdata.c asks for the check, the zone-file reader
 * and printer for the names of the keys.
 *
 * source  RFC 9460 sec 2.2, 7, 8 and 14.3.2
 * thread  no shared state
 */
#ifndef SAKER_WIRE_SVCB_H
#define SAKER_WIRE_SVCB_H

#include <stdint.h>

#include "base/check.h"
#include "wire/wire.h"

#define SVCB_HEAD_LEN 4u /* octets of key and length, RFC 9460 sec 2.2 */

enum svcb_key {
	SVCB_MANDATORY = 0,
	SVCB_ALPN = 1,
	SVCB_NO_DEFAULT_ALPN = 2,
	SVCB_PORT = 3,
	SVCB_IPV4HINT = 4,
	SVCB_ECH = 5,
	SVCB_IPV6HINT = 6,
	SVCB_DOHPATH = 7, /* RFC 9461 sec 5 */
	SVCB_OHTTP = 8,   /* RFC 9540 sec 4 */
	SVCB_KEY_INVALID = 65535
};

/* svcb_check_value - has the value of a key the form that its RFC wants? Unknown keys always have.
 *
 * errors  WIRE_VALUE
 */
MUST_USE enum wire_status svcb_check_value(uint16_t key, const uint8_t *value, uint32_t len);

/* svcb_check - all parameters of a record, octets[0..len): order, values, and what mandatory lists.
 *
 * errors  WIRE_TRUNCATED, WIRE_VALUE
 */
MUST_USE enum wire_status svcb_check(const uint8_t *octets, uint32_t len);

#endif

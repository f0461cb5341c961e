/* dnstap.h - the queries in a dnstap file: protocol buffers inside Frame Streams.
 *
 *     length 4 | frame           length 0: a control frame, with a length and a type of its own
 *     frame  = Dnstap { 14: Message { 1: type, 3: protocol, 4: address, 6: port, 8, 9: time, 10: the query } , 15: kind }
 *
 * Only these fields are looked at; every other is passed over by its wire type, as protocol buffers want it.
 *
 * source  dnstap.proto of dnstap.info, the Frame Streams documentation of fstrm, protobuf.dev "Encoding"
 */
#ifndef SAKER_CAPTURE_DNSTAP_H
#define SAKER_CAPTURE_DNSTAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define DNSTAP_LOOK_LEN 12u /* octets that tell the format */

struct offer;

/* dnstap_is - do these DNSTAP_LOOK_LEN octets begin a file of Frame Streams? */
bool dnstap_is(const uint8_t *octets);

/* dnstap_read - reads the whole file and offers its queries.
 *
 * errors  what the sink returned; damage is told and ends the reading with STATUS_OK
 */
MUST_USE enum status dnstap_read(struct offer *offer);

#endif

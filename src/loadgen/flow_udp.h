/* flow_udp.h - queries in datagrams, one a datagram, in batches.
 *
 * source  RFC 1035 sec 4.2.1
 */
#ifndef SAKER_LOADGEN_FLOW_UDP_H
#define SAKER_LOADGEN_FLOW_UDP_H

#include "loadgen/flow.h"

extern const struct flow_kind flow_udp;

#endif

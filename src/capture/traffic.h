/* traffic.h - the queries in captured packets: UDP datagrams, fragmented ones too, and TCP streams.
 *
 * thread  one owner
 */
#ifndef SAKER_CAPTURE_TRAFFIC_H
#define SAKER_CAPTURE_TRAFFIC_H

#include "base/check.h"
#include "base/status.h"

struct offer;

/* traffic_read_pcap, traffic_read_pcapng - read the whole file and offer its queries.
 *
 * errors  STATUS_MEMORY, or what the sink returned; damage is told and ends the reading with STATUS_OK
 */
MUST_USE enum status traffic_read_pcap(struct offer *offer);
MUST_USE enum status traffic_read_pcapng(struct offer *offer);

#endif

/* tally.c - sums. */
#include "loadgen/tally.h"

#include <string.h>

void tally_init(struct tally *tally)
{
	memset(tally, 0, sizeof(*tally));
	histogram_init(&tally->latency_ns);
	histogram_init(&tally->lateness_ns);
}

void tally_add_all(struct tally *tally, const struct tally *from)
{
	tally->sent += from->sent;
	tally->answered += from->answered;
	tally->lost += from->lost;
	tally->interrupted += from->interrupted;
	tally->unsent += from->unsent;
	tally->refused += from->refused;
	tally->error = from->error != 0 ? from->error : tally->error;

	tally->heard += from->heard;
	tally->late += from->late;
	tally->duplicate += from->duplicate;
	tally->mismatched += from->mismatched;
	tally->unmatched += from->unmatched;
	tally->malformed += from->malformed;
	tally->truncated += from->truncated;
	tally->dropped += from->dropped;
	tally->octets += from->octets;
	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		tally->rcodes[i] += from->rcodes[i];
	}
	tally->compared += from->compared;
	tally->differing += from->differing;
	for (uint32_t i = 0; i < DIFFER_KINDS; i++) {
		tally->differing_by_kind[i] += from->differing_by_kind[i];
	}
	histogram_add_all(&tally->latency_ns, &from->latency_ns);
	histogram_add_all(&tally->lateness_ns, &from->lateness_ns);

	tally->connections += from->connections;
	tally->reconnects += from->reconnects;
	tally->resent += from->resent;
	tally->out_of_order += from->out_of_order;
	tally->send_blocked_ns += from->send_blocked_ns;
	if (from->in_flight_max > tally->in_flight_max) {
		tally->in_flight_max = from->in_flight_max;
	}

	if (from->first_ns != 0 && (tally->first_ns == 0 || from->first_ns < tally->first_ns)) {
		tally->first_ns = from->first_ns;
	}
	if (from->last_sent_ns > tally->last_sent_ns) {
		tally->last_sent_ns = from->last_sent_ns;
	}
	if (from->last_ns > tally->last_ns) {
		tally->last_ns = from->last_ns;
	}
	tally->busy_ns += from->busy_ns;
	tally->span_ns += from->span_ns;
	tally->cpu_ns += from->cpu_ns;
}

bool tally_is_valid(const struct tally *tally)
{
	uint64_t with_rcode = 0;

	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		with_rcode += tally->rcodes[i];
	}
	return tally->sent == tally->answered + tally->lost + tally->interrupted &&
	       tally->late <= tally->lost && with_rcode == tally->answered &&
	       tally->latency_ns.count == tally->answered && tally->truncated <= tally->answered;
}

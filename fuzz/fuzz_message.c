/* fuzz_message.c - any octets as a message: what the fast parser takes it reads like the thorough one. */
#include <stdlib.h>
#include <string.h>

#include "wire/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	struct message fast, thorough;

	if (len > WIRE_MESSAGE_LEN_MAX) {
		return 0;
	}
	enum message_status status = message_parse(octets, (uint32_t)len, &thorough);
	if (message_parse_fast(octets, (uint32_t)len, &fast)) {
		must(status == MESSAGE_OK);
		must(fast.id == thorough.id && fast.flags == thorough.flags);
		must(fast.question_end == thorough.question_end && fast.question_end <= len);
		must(fast.qtype == thorough.qtype && fast.qclass == thorough.qclass);
		must(fast.qname_len == thorough.qname_len &&
			fast.label_count == thorough.label_count);
		must(memcmp(fast.label_at, thorough.label_at, fast.label_count + 1u) == 0);
		must(fast.has_edns == thorough.has_edns && fast.edns_do == thorough.edns_do);
		must(fast.edns_version == thorough.edns_version);
		must(fast.edns_udp_len == thorough.edns_udp_len && thorough.tsig_at == 0);
	}
	return 0;
}

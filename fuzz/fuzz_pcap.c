/* fuzz_pcap.c - any octets as pcap, little endian with microseconds. */
#include "capture_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	return capture_read_as("\xd4\xc3\xb2\xa1", 4, octets, len);
}

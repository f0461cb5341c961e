/* fuzz_dnstap.c - any octets as dnstap. */
#include "capture_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	return capture_read_as("\0\0\0", 4, octets, len);
}

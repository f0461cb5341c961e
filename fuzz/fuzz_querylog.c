/* fuzz_querylog.c - any octets as a BIND query log. */
#include "capture_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	return capture_read_as("", 0, octets, len);
}

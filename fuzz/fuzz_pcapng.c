/* fuzz_pcapng.c - any octets as pcapng. */
#include "capture_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	return capture_read_as("\x0a\x0d\x0d\x0a", 4, octets, len);
}

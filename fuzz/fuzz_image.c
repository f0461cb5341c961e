/* fuzz_image.c - any octets as an image file whose checksum is right: it is refused, or whatever is asked of it stays
 * inside.
 */
#include "answer/image_probe.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct image_probe probe;
	uint8_t *copy = malloc(len == 0 ? 1 : len);

	if (copy == NULL) {
		return 0;
	}
	if (probe.answerer == NULL) {
		image_probe_init(&probe);
	}
	if (len > 0) {
		memcpy(copy, octets, len);
	}
	image_probe_take(&probe, copy, len);
	free(copy);
	return 0;
}

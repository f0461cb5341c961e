/* zipf.c - the inverse of a sum, found by halving. */
#include "loadgen/zipf.h"

#include <math.h>
#include <stdlib.h>

enum status zipf_init(struct zipf *zipf, uint32_t count, double exponent)
{
	ASSERT(count > 0);
	ASSERT(exponent >= 0 && exponent <= ZIPF_EXPONENT_MAX);
	*zipf = (struct zipf){.count = count};
	if (exponent == 0.0) {
		return STATUS_OK;
	}
	zipf->sums = malloc(count * sizeof(*zipf->sums));
	if (zipf->sums == NULL) {
		return STATUS_MEMORY;
	}
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) {
		sum += pow(i + 1.0, -exponent);
		zipf->sums[i] = sum;
	}
	return STATUS_OK;
}

void zipf_fini(struct zipf *zipf)
{
	free(zipf->sums);
	zipf->sums = NULL;
}

double zipf_unit(struct random *random)
{
	return (double)(random_u64(random) >> 11) * 0x1p-53;
}

uint32_t zipf_draw(const struct zipf *zipf, struct random *random)
{
	if (zipf->sums == NULL) {
		return random_below(random, zipf->count);
	}
	double want = zipf_unit(random) * zipf->sums[zipf->count - 1];
	uint32_t low = 0, high = zipf->count - 1;

	/* The first rank whose sum is above want: sums[high] always is, but for rounding at the end. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (zipf->sums[middle] > want) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}

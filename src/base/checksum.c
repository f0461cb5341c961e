/* checksum.c - XXH3 behind names of our own. */
#include "base/checksum.h"

#include <xxhash.h>

/* The library's own state under another name. */
static XXH3_state_t *state(struct checksum *checksum)
{
	return (XXH3_state_t *)(void *)checksum;
}

struct checksum *checksum_new(void)
{
	XXH3_state_t *made = XXH3_createState();

	if (made != NULL) {
		(void)XXH3_64bits_reset(made);
	}
	return (struct checksum *)(void *)made;
}

void checksum_free(struct checksum *checksum)
{
	(void)XXH3_freeState(state(checksum));
}

void checksum_reset(struct checksum *checksum)
{
	(void)XXH3_64bits_reset(state(checksum));
}

void checksum_add(struct checksum *checksum, const void *octets, size_t len)
{
	if (len != 0) {
		(void)XXH3_64bits_update(state(checksum), octets, len);
	}
}

uint64_t checksum_get(const struct checksum *checksum)
{
	return XXH3_64bits_digest((const XXH3_state_t *)(const void *)checksum);
}

uint64_t checksum_once(const void *octets, size_t len)
{
	return XXH3_64bits(octets, len);
}

/* checksum.h - a checksum against damage, not against forgery, of octets that come piece by piece.
 *
 * source  XXH3 with 64 bits, through libxxhash
 */
#ifndef SAKER_BASE_CHECKSUM_H
#define SAKER_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

struct checksum;

/* checksum_new - of nothing yet; NULL: no memory. */
MUST_USE struct checksum *checksum_new(void);

/* checksum_free - accepts NULL. */
void checksum_free(struct checksum *checksum);

/* checksum_reset - of nothing again. */
void checksum_reset(struct checksum *checksum);

void checksum_add(struct checksum *checksum, const void *octets, size_t len);

/* checksum_get - of all octets since the last reset. */
uint64_t checksum_get(const struct checksum *checksum);

/* checksum_once - of octets that are all there. */
uint64_t checksum_once(const void *octets, size_t len);

#endif

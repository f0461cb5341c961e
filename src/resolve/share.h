/* share.h - how many places of a core the clients of one prefix hold.
 *
 * Clients count by prefix: /24 of IPv4 and /56 of IPv6, what one customer has at most. What follows from the counts is
 * resolve/places.h.
 *
 * Counts stand in a sketch of two rows under a secret hash: a prefix's count is the lesser of two cells, never too small.
 * It is too large only where both cells are shared, which nobody can aim at.
 *
 * memory  64 KiB, however many prefixes there are
 * thread  the core's
 * source  Cormode and Muthukrishnan, count-min sketch, 2005
 */
#ifndef SAKER_RESOLVE_SHARE_H
#define SAKER_RESOLVE_SHARE_H

#include <stdint.h>

#include "base/addr.h"
#include "base/siphash.h"

#define SHARE_ROWS 2u
#define SHARE_COLUMNS                                                                              \
	16384u /* a row holds each of ten thousand places in a cell of its own, mostly */
#define SHARE_BITS_V4 24u
#define SHARE_BITS_V6 56u

struct share {
	uint8_t key[SIPHASH_KEY_LEN];
	uint16_t counts[SHARE_ROWS][SHARE_COLUMNS];
};

/* Where a prefix is counted. */
struct share_place {
	uint16_t columns[SHARE_ROWS];
};

/* share_init - nothing is held. key: unpredictable */
void share_init(struct share *share, const uint8_t key[SIPHASH_KEY_LEN]);

/* share_place_of - of the prefix of an address; port and scope do not matter. */
struct share_place share_place_of(const struct share *share, const struct addr *addr);

/* share_held - places that the prefix holds, or more. */
uint32_t share_held(const struct share *share, struct share_place place);

/* share_take, share_give - one more, one less. Each give follows a take of the same place. */
void share_take(struct share *share, struct share_place place);
void share_give(struct share *share, struct share_place place);

#endif

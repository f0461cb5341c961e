/* fragments.h - IP datagrams put together from their fragments.
 *
 *     octets   |........|        |........|....    pieces where they belong, in units of eight octets
 *     seen      1        0        1        1       a bit a unit
 *
 * Where two pieces overlap the first stays, and a datagram that stays incomplete makes room for a newer one.
 *
 * memory  at most FRAGMENTS_PENDING_MAX datagrams of 64 KiB
 * thread  one owner
 * source  RFC 791 sec 3.2, RFC 8200 sec 4.5, RFC 5722 (overlaps)
 */
#ifndef SAKER_CAPTURE_FRAGMENTS_H
#define SAKER_CAPTURE_FRAGMENTS_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "capture/packet.h"

#define FRAGMENTS_PENDING_MAX                                                                      \
	64u /* incomplete at the same time; queries are hardly ever cut. A guess. */

struct fragments_datagram;

struct fragments {
	struct fragments_datagram *pending[FRAGMENTS_PENDING_MAX]; /* owns; NULL: free */
	uint64_t clock; /* counts fragments: the datagram not touched for longest goes first */
	uint64_t given_up_count;
};

/* fragments_init - nothing pending. */
void fragments_init(struct fragments *fragments);
void fragments_fini(struct fragments *fragments);

/* fragments_add - takes a PACKET_FRAGMENT.
 *
 * effect  STATUS_OK: *octets_out is the whole datagram where this was the last piece, else NULL; it stays in place
 *         until the next call
 * errors  STATUS_MEMORY
 */
MUST_USE enum status fragments_add(struct fragments *fragments, const struct packet *piece,
	const uint8_t **octets_out, uint32_t *len_out);

#endif

/* fragments.c - pieces to datagrams. */
#include "capture/fragments.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DATAGRAM_MAX 65535u
#define UNIT         8u
#define UNITS        ((DATAGRAM_MAX + UNIT) / UNIT)

struct fragments_datagram {
	struct addr from;
	struct addr to;
	uint32_t id;
	uint8_t protocol;
	bool is_done;        /* given out: may be used again at the next call */
	uint32_t len;        /* 0: the last piece has not come */
	uint32_t end_max;    /* of all pieces so far; at most len where that is known */
	uint32_t seen_count; /* units */
	uint64_t touched;
	uint8_t seen[(UNITS + 7) / 8];
	uint8_t octets[UNITS * UNIT];
};

void fragments_init(struct fragments *fragments)
{
	memset(fragments, 0, sizeof(*fragments));
}

void fragments_fini(struct fragments *fragments)
{
	for (uint32_t i = 0; i < FRAGMENTS_PENDING_MAX; i++) {
		free(fragments->pending[i]);
		fragments->pending[i] = NULL;
	}
}

static bool is_of(const struct fragments_datagram *datagram, const struct packet *piece)
{
	return !datagram->is_done && datagram->id == piece->datagram_id &&
	       datagram->protocol == piece->protocol && addr_equal(&datagram->from, &piece->from) &&
	       addr_equal(&datagram->to, &piece->to);
}

/* The datagram that the piece belongs to, a new one where there is none yet; NULL: no memory. */
static struct fragments_datagram *find(struct fragments *fragments, const struct packet *piece)
{
	struct fragments_datagram **victim = NULL;
	uint32_t i = 0;

	for (; i < FRAGMENTS_PENDING_MAX && fragments->pending[i] != NULL; i++) {
		struct fragments_datagram **at = &fragments->pending[i];
		if (is_of(*at, piece)) {
			return *at;
		}
		if (victim == NULL || (*at)->touched < (*victim)->touched) {
			victim = at;
		}
	}
	if ((victim == NULL || !(*victim)->is_done) && i < FRAGMENTS_PENDING_MAX) {
		victim = &fragments->pending[i];
		*victim = malloc(sizeof(**victim));
		if (*victim == NULL) {
			return NULL;
		}
	} else if (!(*victim)->is_done) {
		fragments->given_up_count++;
	}
	struct fragments_datagram *datagram = *victim;
	memset(datagram, 0, offsetof(struct fragments_datagram, octets));
	datagram->from = piece->from;
	datagram->to = piece->to;
	datagram->id = piece->datagram_id;
	datagram->protocol = piece->protocol;
	return datagram;
}

/* None of its pieces is waited for any more. */
static void finish(struct fragments_datagram *datagram)
{
	datagram->is_done = true;
	datagram->touched = 0; /* the first to be used again */
}

/* Copies those units that were not there yet; the last may be short. */
static void place(struct fragments_datagram *datagram, const struct packet *piece)
{
	for (uint32_t off = 0; off < piece->len; off += UNIT) {
		uint32_t unit = (piece->offset + off) / UNIT;
		uint32_t len = piece->len - off < UNIT ? piece->len - off : UNIT;
		uint8_t bit = (uint8_t)(1u << unit % 8);
		if ((datagram->seen[unit / 8] & bit) == 0) {
			datagram->seen[unit / 8] |= bit;
			datagram->seen_count++;
			memcpy(datagram->octets + unit * UNIT, piece->payload + off, len);
		}
	}
}

/* Does the piece, which ends at end, agree with the others on where the datagram ends? */
static bool fits(
	const struct fragments_datagram *datagram, const struct packet *piece, uint32_t end)
{
	if (datagram->len != 0) {
		return piece->has_more ? end <= datagram->len : end == datagram->len;
	}
	return piece->has_more || end >= datagram->end_max;
}

enum status fragments_add(struct fragments *fragments, const struct packet *piece,
	const uint8_t **octets_out, uint32_t *len_out)
{
	*octets_out = NULL;
	*len_out = 0;
	/* All but the last are whole units (RFC 791 sec 3.2), and none is empty or reaches too far. */
	if (piece->len == 0 || piece->len > DATAGRAM_MAX - piece->offset ||
		(piece->has_more && piece->len % UNIT != 0)) {
		return STATUS_OK;
	}
	struct fragments_datagram *datagram = find(fragments, piece);
	if (datagram == NULL) {
		return STATUS_MEMORY;
	}
	datagram->touched = ++fragments->clock;
	uint32_t end = piece->offset + piece->len;
	if (!fits(datagram, piece, end)) {
		finish(datagram);
		fragments->given_up_count++;
		return STATUS_OK;
	}
	datagram->end_max = end > datagram->end_max ? end : datagram->end_max;
	datagram->len = piece->has_more ? datagram->len : end;
	place(datagram, piece);
	if (datagram->len != 0 && datagram->seen_count == (datagram->len + UNIT - 1) / UNIT) {
		finish(datagram);
		*octets_out = datagram->octets;
		*len_out = datagram->len;
	}
	return STATUS_OK;
}

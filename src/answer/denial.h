/* denial.h - proofs that something does not exist.
 *
 * Each function notes NSEC or NSEC3 sets for the authority section; nothing happens in a zone without a chain, or
 * where the client did not set DO.
 *
 * thread  an answerer's own
 * source  RFC 4035 sec 3.1.3, RFC 5155 sec 7.2
 */
#ifndef SAKER_ANSWER_DENIAL_H
#define SAKER_ANSWER_DENIAL_H

#include "answer/respond.h"
#include "zone/image.h"

/* denial_nodata - the name exists and the type does not. */
void denial_nodata(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit);

/* denial_wild_nodata - a wildcard (its node) answers for the name, and has no such type. */
void denial_wild_nodata(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit, uint32_t wild);

/* denial_name - neither the name nor a wildcard for it exists. */
void denial_name(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit);

/* denial_wild - a wildcard answered: the name itself does not exist. */
void denial_wild(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit);

/* denial_ds - a delegation without DS. */
void denial_ds(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit);

#endif

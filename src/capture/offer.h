/* offer.h - what every format does with a message that it found: judge it, count it, hand it on.
 *
 * thread  one owner
 */
#ifndef SAKER_CAPTURE_OFFER_H
#define SAKER_CAPTURE_OFFER_H

#include "base/check.h"
#include "base/status.h"
#include "capture/capture.h"

struct intake;

struct offer {
	struct intake *intake;                 /* borrows: the reading's */
	const struct capture_options *options; /* borrows: the caller's */
	const struct capture_sink *sink;       /* ditto */
	struct capture_counts *counts;         /* ditto */
	const char *name;                      /* ditto: of the file, for complaints */
	uint32_t complaint_count;
};

/* offer_message - hands a query to the sink; a message that is none is counted for what it is.
 *
 * errors  what the sink returned
 */
MUST_USE enum status offer_message(struct offer *offer, const struct capture_query *query);

/* offer_damage - the file holds what cannot be; what came before it is used, unless strict.
 *
 * shape  line: 0 where the file has none
 */
void offer_damage(struct offer *offer, uint32_t line, uint32_t column, const char *what);

#endif

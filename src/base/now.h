/* now.h - time as an argument.
 *
 * Read once a batch (os/clock.h) and handed down, so that tests own it.
 */
#ifndef SAKER_BASE_NOW_H
#define SAKER_BASE_NOW_H

#include <stdint.h>

#define NOW_NS_A_SECOND      1000000000ull
#define NOW_NS_A_MILLISECOND 1000000ull

struct now {
	uint64_t mono_ns; /* never goes back; its zero means nothing */
	int64_t wall_s;   /* seconds since 1970, UTC */
};

#endif

/* overload.c - large, or as much as is served in some milliseconds. Called by shedder.c and by tests. */
#include "server/overload.h"

#define NS_A_MS          1000000u
#define SMOOTHING        8u  /* a reading counts an eighth: 80 ms to follow. Guess */
#define EMPTY_SMOOTHING  32u /* a third of a second to follow; see OVERLOAD_EMPTY_MAX */
#define HYSTERESIS_SHARE 8u  /* a buffer within an eighth of the wanted one stays: saves the call */

/* Of service in the small buffer. The design says 5, but what is answered must leave within 10 even where the
 * processor is taken away for some milliseconds: with 5 the 99th percentile was 10.2 ms, with 4 it was 8.9, at 400,000
 * queries a second in one run of bench/offer.c each, 2026-11-30.
 */
#define TARGET_MS 4u

/* Below this age the quotient of two readings is mostly noise: a batch is answered in a tenth of it. */
#define AGE_MEASURABLE_NS NS_A_MS

_Static_assert(
	OVERLOAD_READ_BUSY_NS * 2u <= OVERLOAD_STANDS_NS, "several readings tell that it stands");
_Static_assert(OVERLOAD_OVER_NS > OVERLOAD_STANDS_NS, "does not flap");

void overload_init(struct overload *overload, uint32_t len_large)
{
	*overload = (struct overload){.len = len_large, .len_large = len_large};
}

static uint32_t clamp_len(const struct overload *overload, uint64_t len)
{
	uint64_t least =
		overload->len_large < OVERLOAD_LEN_MIN ? overload->len_large : OVERLOAD_LEN_MIN;

	if (len < least) {
		return (uint32_t)least;
	}
	return len > overload->len_large ? overload->len_large : (uint32_t)len;
}

/* The receive buffer follows what is served. */
static void follow(struct overload *overload, const struct overload_reading *reading)
{
	if (reading->age_ns < AGE_MEASURABLE_NS) {
		return;
	}
	uint64_t len_ms = (uint64_t)reading->queued_len * NS_A_MS / reading->age_ns;
	overload->len_ms = overload->len_ms == 0
				   ? len_ms
				   : (overload->len_ms * (SMOOTHING - 1) + len_ms) / SMOOTHING;
	uint32_t wanted = clamp_len(overload, overload->len_ms * TARGET_MS);
	uint32_t apart = wanted > overload->len ? wanted - overload->len : overload->len - wanted;
	if (apart > overload->len / HYSTERESIS_SHARE) {
		overload->len = wanted;
	}
}

static enum overload_change begin(struct overload *overload, const struct overload_reading *reading)
{
	uint64_t now_ns = reading->now_ns;

	overload->on = true;
	overload->began_ns = overload->old_ns;
	overload->bad_ns = now_ns;
	overload->dropped = reading->dropped;
	overload->len_ms = 0;
	overload->empty_share = 0;
	follow(overload, reading);
	overload->told = overload->told_ns == 0 || now_ns - overload->told_ns >= OVERLOAD_TELL_NS;
	if (!overload->told) {
		overload->untold++;
		return OVERLOAD_SAME;
	}
	overload->told_ns = now_ns;
	return OVERLOAD_BEGINS;
}

static enum overload_change end(struct overload *overload)
{
	overload->on = false;
	overload->len = overload->len_large;
	overload->old_ns = 0;
	if (!overload->told) {
		return OVERLOAD_SAME;
	}
	return OVERLOAD_ENDS;
}

enum overload_change overload_step(
	struct overload *overload, const struct overload_reading *reading)
{
	uint64_t now_ns = reading->now_ns;
	bool old = reading->age_ns > OVERLOAD_AGE_NS;
	/* A row with a hole in it is none: who knows what the queue was meanwhile. */
	bool hole = now_ns - overload->read_ns > OVERLOAD_STANDS_NS;

	overload->read_ns = now_ns;
	if (!old) {
		overload->old_ns = 0;
	} else if (overload->old_ns == 0 || hole) {
		overload->old_ns = now_ns;
	}
	if (!overload->on) {
		bool stands = old && now_ns - overload->old_ns >= OVERLOAD_STANDS_NS;
		return stands ? begin(overload, reading) : OVERLOAD_SAME;
	}
	overload->dropped += reading->dropped;
	if (old || reading->dropped != 0) {
		overload->bad_ns = now_ns;
	} else if (now_ns - overload->bad_ns >= OVERLOAD_OVER_NS) {
		return end(overload);
	}
	overload->empty_share = (overload->empty_share * (EMPTY_SMOOTHING - 1) +
					(reading->empty ? OVERLOAD_ALL : 0)) /
				EMPTY_SMOOTHING;
	if (overload->empty_share > OVERLOAD_EMPTY_MAX) {
		return end(overload);
	}
	follow(overload, reading);
	return OVERLOAD_SAME;
}

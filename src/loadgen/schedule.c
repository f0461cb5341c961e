/* schedule.c - arithmetic on times. */
#include "loadgen/schedule.h"

#include <math.h>

#include "base/now.h"

#define SEARCH_MAX                                                                                 \
	(1ull << 52) /* queries: as many as a double counts, a year at SCHEDULE_RATE_MAX */

struct schedule schedule_closed(void)
{
	return (struct schedule){.kind = SCHEDULE_CLOSED};
}

struct schedule schedule_rate(double rate)
{
	ASSERT(rate >= SCHEDULE_RATE_MIN && rate <= SCHEDULE_RATE_MAX);
	return (struct schedule){.kind = SCHEDULE_RATE, .rate = rate};
}

struct schedule schedule_ramp(double rate_end, uint64_t ramp_ns)
{
	ASSERT(rate_end >= SCHEDULE_RATE_MIN && rate_end <= SCHEDULE_RATE_MAX);
	return (struct schedule){.kind = SCHEDULE_RAMP, .rate = rate_end, .ramp_ns = ramp_ns};
}

struct schedule schedule_times(const uint64_t *times_ns, uint64_t time_count, double speed)
{
	ASSERT(time_count > 0);
	ASSERT(speed > 0.0);
	return (struct schedule){.kind = SCHEDULE_TIMES,
		.times_ns = times_ns,
		.time_count = time_count,
		.speed = speed};
}

/* By time t a ramp to the rate R at T has sent R t^2 / 2T, so query k is due at the root of 2 T k / R. */
static double ramp_due(const struct schedule *schedule, double k)
{
	double ramp_ns = (double)schedule->ramp_ns;
	double a_ns = schedule->rate / (double)NOW_NS_A_SECOND;
	double in_ramp = a_ns * ramp_ns / 2;

	return k < in_ramp ? sqrt(2 * ramp_ns * k / a_ns) : ramp_ns + (k - in_ramp) / a_ns;
}

/* How long one pass takes, up to the first query of the next. */
static uint64_t pass_ns(const struct schedule *schedule)
{
	uint64_t last_ns = schedule->times_ns[schedule->time_count - 1];

	return schedule->time_count == 1 ? NOW_NS_A_SECOND
					 : last_ns + last_ns / (schedule->time_count - 1);
}

HOT uint64_t schedule_due_ns(const struct schedule *schedule, uint64_t k)
{
	switch (schedule->kind) {
	case SCHEDULE_RATE:
		return (uint64_t)((double)k * ((double)NOW_NS_A_SECOND / schedule->rate));
	case SCHEDULE_RAMP:
		return (uint64_t)ramp_due(schedule, (double)k);
	case SCHEDULE_TIMES: {
		uint64_t at_ns = schedule->times_ns[k % schedule->time_count];
		if (k >= schedule->time_count) {
			at_ns += k / schedule->time_count * pass_ns(schedule);
		}
		return (uint64_t)((double)at_ns / schedule->speed);
	}
	case SCHEDULE_CLOSED:
	default:
		ASSERT(false);
		return 0;
	}
}

HOT uint32_t schedule_count(
	const struct schedule *schedule, uint64_t from, uint64_t at_ns, uint32_t limit)
{
	uint32_t count = 0;

	while (count < limit && schedule_due_ns(schedule, from + count) <= at_ns) {
		count++;
	}
	return count;
}

/* Doubles until it is past, then halves: no inverse of schedule_due_ns() that might be off by one. */
uint64_t schedule_first(const struct schedule *schedule, uint64_t at_ns)
{
	uint64_t high = 1;

	while (high < SEARCH_MAX && schedule_due_ns(schedule, high - 1) < at_ns) {
		high *= 2;
	}
	uint64_t low = high / 2;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (schedule_due_ns(schedule, middle) < at_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

double schedule_rate_at(const struct schedule *schedule, uint64_t at_ns)
{
	switch (schedule->kind) {
	case SCHEDULE_RATE:
		return schedule->rate;
	case SCHEDULE_RAMP:
		return at_ns >= schedule->ramp_ns
			       ? schedule->rate
			       : schedule->rate * (double)at_ns / (double)schedule->ramp_ns;
	case SCHEDULE_TIMES:
		return (double)schedule->time_count * schedule->speed * (double)NOW_NS_A_SECOND /
		       (double)pass_ns(schedule);
	case SCHEDULE_CLOSED:
	default:
		return 0.0;
	}
}

/* clock.c - the clocks, through libc so that tests can shift them. */
#include "os/clock.h"

#include <sys/prctl.h>
#include <time.h>

static uint64_t read_ns(clockid_t id)
{
	struct timespec at;

	clock_gettime(id, &at);
	return (uint64_t)at.tv_sec * NOW_NS_A_SECOND + (uint64_t)at.tv_nsec;
}

struct now clock_now(void)
{
	return (struct now){.mono_ns = read_ns(CLOCK_MONOTONIC), .wall_s = time(NULL)};
}

uint64_t clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

uint64_t clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

void clock_sleep_until(uint64_t mono_ns)
{
	struct timespec at = {.tv_sec = (time_t)(mono_ns / NOW_NS_A_SECOND),
		.tv_nsec = (long)(mono_ns % NOW_NS_A_SECOND)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

void clock_be_precise(void)
{
	prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul);
}

uint64_t clock_cpu_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

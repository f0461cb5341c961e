/* clock.c - the clocks, through libc so that tests can shift them. */
#include "os/clock.h"

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

uint64_t clock_cpu_ns(void)
{
	return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

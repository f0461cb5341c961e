/* clock.h - reads the clocks. The only place that does; everything else takes a struct now.
 *
 * thread  any
 */
#ifndef SAKER_OS_CLOCK_H
#define SAKER_OS_CLOCK_H

#include <stdint.h>

#include "base/now.h"

/* clock_now - both clocks. cost: two vDSO calls, about 50 ns */
struct now clock_now(void);

/* clock_mono_ns - the monotonic clock alone. */
uint64_t clock_mono_ns(void);

/* clock_wall_ns - time since 1970 for people's eyes; it may jump. */
uint64_t clock_wall_ns(void);

/* clock_sleep_until - sleeps until the monotonic clock says so, or a signal comes. */
void clock_sleep_until(uint64_t mono_ns);

/* clock_be_precise - the calling thread's sleeps may no longer be stretched by the usual 50 us (prctl(2), timer slack). */
void clock_be_precise(void);

/* clock_cpu_ns - processor time that this process has used, all threads. */
uint64_t clock_cpu_ns(void);

#endif

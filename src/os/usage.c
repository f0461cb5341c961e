/* usage.c - the thread's clock, and the scheduler's own count of delays. */
#include "os/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"

struct usage usage_thread(void)
{
	struct timespec cpu = {0};
	struct usage usage = {0};
	uint64_t running_ns;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	usage.cpu_ns = (uint64_t)cpu.tv_sec * NOW_NS_A_SECOND + (uint64_t)cpu.tv_nsec;

	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	if (file != NULL) {
		if (fscanf(file, "%" SCNu64 " %" SCNu64, &running_ns, &usage.delay_ns) != 2) {
			usage.delay_ns = 0;
		}
		fclose(file);
	}
	return usage;
}

uint64_t usage_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), len = sysconf(_SC_PAGESIZE);

	return pages > 0 && len > 0 ? (uint64_t)pages * (uint64_t)len : 0;
}

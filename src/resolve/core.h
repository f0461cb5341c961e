/* core.h - what the parts of the resolver's core share.
 *
 * thread  the core's owner
 */
#ifndef SAKER_RESOLVE_CORE_H
#define SAKER_RESOLVE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/now.h"
#include "base/random.h"
#include "resolve/job.h"
#include "resolve/resolve.h"
#include "resolve/timers.h"

struct exchanges;
struct servers;
struct spans;

#define CORE_JOB_CHAINS                                                                            \
	4096u /* chains of the table of jobs: a few jobs each when the core is full */
#define CORE_ACTIONS_MAX                                                                           \
	65536u /* more actions than one step can cause are not lost: the step ends first */

struct core_actions {
	struct resolve_action *items; /* owns: a ring */
	uint32_t cap;                 /* a power of two */
	uint32_t head, tail;
};

struct resolve {
	struct resolve_config config;
	struct resolve_shared shared;
	struct resolve_counters counters;
	struct now now;        /* of the step */
	struct random random;  /* for choices that need no secrecy */
	uint8_t secret[32];    /* for IDs and cookies */
	uint64_t secret_count; /* how much was drawn */
	struct timers timers;
	struct core_jobs {
		struct job *chains[CORE_JOB_CHAINS];
		struct job *ready, *ready_last;
		struct job *any; /* all of them */
		uint32_t count;
	} jobs;
	struct exchanges *exchanges; /* owns */
	struct servers *servers;     /* owns */
	struct spans *spans;         /* owns */
	struct core_actions actions;
	struct arena answers; /* octets of answers until the next step */
	uint32_t query_count; /* client queries in work */
};

/* core_act - an action for the caller of the core; false: no memory. */
MUST_USE bool core_act(struct resolve *core, const struct resolve_action *action);

/* core_random - 64 bits that nobody outside can foresee: SipHash of a counter under the secret. */
uint64_t core_random(struct resolve *core);

/* core_now_ms - the step's monotonic time. */
static inline int64_t core_now_ms(const struct resolve *core)
{
	return (int64_t)(core->now.mono_ns / NOW_NS_A_MILLISECOND);
}

#endif

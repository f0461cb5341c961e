/* core.h - what the parts of the resolver's core share.
 *
 * thread  the core's owner
 */
#ifndef SAKER_RESOLVE_CORE_H
#define SAKER_RESOLVE_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/now.h"
#include "base/publish.h"
#include "base/random.h"
#include "dnssec/keyset.h"
#include "resolve/job.h"
#include "resolve/places.h"
#include "resolve/resolve.h"
#include "resolve/timers.h"

struct exchanges;
struct refresh;
struct memo;
struct signature_keys;
struct hit_item;
struct servers;
struct spans;

#define CORE_JOB_CHAINS                                                                            \
	4096u /* chains of the table of jobs: a few jobs each when the core is full */
#define CORE_ACTIONS_MAX                                                                           \
	65536u /* more actions than one step can cause are not lost: the step ends first */

#define CORE_REFRESHES_MAX 16u /* between two steps; more will be met again */

struct core_actions {
	struct resolve_action *items; /* owns: a ring */
	uint32_t cap;                 /* a power of two */
	uint32_t head, tail;
};

/* The cache's time: monotonic, but when the wall clock runs ahead (a machine that was suspended: its monotonic clock stood
 * still, the world's TTLs did not), it follows. All cores see the same jumps.
 */
struct core_clock {
	uint64_t mono_ns; /* as of the last look */
	int64_t wall_s;
	int64_t ahead_ms; /* of the monotonic clock */
};

#define CORE_JUMP_S 3 /* the wall clock is read in whole seconds, and may be slewed */

struct resolve {
	struct resolve_config config;
	struct resolve_shared shared;
	uint64_t rules_number; /* of those that config and shared are of; resolve/rules.h */
	struct resolve_counters counters;
	struct resolve_listener listener;
	struct now now; /* of the step */
	struct core_clock clock;
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
	struct exchanges *exchanges;       /* owns */
	struct servers *servers;           /* owns */
	struct signature_keys *ready_keys; /* owns */
	struct memo *memo;                 /* owns */
	struct spans *spans;               /* owns */
	struct refresh *refresh; /* owns; NULL: somebody else follows the anchors, or nobody */
	struct core_actions actions;
	struct arena answers;       /* octets of answers until the next step */
	uint32_t checks_this_turn;  /* signatures, since the last event of time */
	struct places *places;      /* owns: of clients that wait */
	uint32_t unattended_count;  /* queries in work that nobody waits for */
	struct hit_item *hit_items; /* owns: RESOLVE_HITS_MAX, scratch of resolve_hits() */
	uint32_t refresh_count;     /* answers that are about to expire, for the next step */
	struct core_refresh {
		struct name name;
		uint16_t type;
		int64_t expires_ms;
	} refreshes[CORE_REFRESHES_MAX];
};

/* core_act - an action for the caller of the core; false: no memory. */
MUST_USE bool core_act(struct resolve *core, const struct resolve_action *action);

/* core_random - 64 bits that nobody outside can foresee: SipHash of a counter under the secret. */
uint64_t core_random(struct resolve *core);

/* core_look - brings the clock up to date; at each step and each hit. */
static inline void core_look(struct resolve *core, struct now now)
{
	struct core_clock *clock = &core->clock;
	int64_t mono_s = (int64_t)((now.mono_ns - clock->mono_ns) / NOW_NS_A_SECOND);
	int64_t wall_s = now.wall_s - clock->wall_s;

	if (wall_s == 0) {
		return;
	}
	if (clock->wall_s != 0 && wall_s > mono_s + CORE_JUMP_S) {
		clock->ahead_ms += (wall_s - mono_s) * 1000;
	}
	clock->mono_ns = now.mono_ns;
	clock->wall_s = now.wall_s;
}

/* core_anchors - the trust anchors that count now; not to be kept beyond the step. */
static inline const struct anchors *core_anchors(const struct resolve *core)
{
	const struct published *changing = core->shared.changing_anchors;

	return changing != NULL ? publish_get(changing) : core->shared.anchors;
}

/* core_policy - how signatures are checked. */
static inline struct keyset_policy core_policy(const struct resolve *core)
{
	return (struct keyset_policy){
		.sha1 = core->config.sha1, .ready = core->ready_keys, .memo = core->memo};
}

/* core_now_ms - the cache's time of the last look. */
static inline int64_t core_now_ms(const struct resolve *core)
{
	return (int64_t)(core->now.mono_ns / NOW_NS_A_MILLISECOND) + core->clock.ahead_ms;
}

#endif

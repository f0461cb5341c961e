/* resolve.h - the resolver's core: events in, actions out, no I/O and no clock of its own.
 *
 *     resolve_step(core, event)   a query, a datagram or stream from somebody we asked, a failure, time passing
 *     resolve_action(core, out)   what is to be done now, until there is no more: send, close, answer
 *     resolve_deadline(core)      when to come back with an event of time at the latest
 *
 * So a test runs a whole internet on a simulated clock. A worker has one core; cores share the cache and nothing else.
 *
 * Inside, work is jobs (resolve/job.h). A client's question is a query; it looks names up one after the other along aliases
 * (resolve/search.h); a look-up is answered from the cache, or fetches from servers (resolve/fetch.h), then is validated
 * along the chain of trust (resolve/trust.h). Jobs that want the same wait for one.
 *
 * thread  one owner
 * source  RFC 1034 sec 5.3.3, RFC 4035 sec 4 and 5, RFC 9156, RFC 9520; limits: design
 */
#ifndef SAKER_RESOLVE_RESOLVE_H
#define SAKER_RESOLVE_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/now.h"
#include "base/status.h"
#include "resolve/dns64.h"
#include "wire/name.h"

struct anchors;
struct cache;
struct hints;
struct localdata;
struct published;
struct rebinding;
struct resolve;
struct rollover_sight;

/* Budgets of one client query, all that it causes included; out of one: SERVFAIL with an extended error. */
#define RESOLVE_PACKETS_MAX  100u /* datagrams and streams sent to servers */
#define RESOLVE_DEPTH_MAX    7u   /* addresses of servers of addresses of ... */
#define RESOLVE_ALIASES_MAX  11u  /* CNAME and DNAME followed */
#define RESOLVE_SERVERS_MAX  13u  /* names of a delegation that are looked at */
#define RESOLVE_MISSING_MAX  5u   /* server names that turn out not to exist (NXNSAttack) */
#define RESOLVE_CHECKS_MAX   16u  /* signatures checked ... */
#define RESOLVE_FAILURES_MAX 4u   /* ... and failed: a retry at another server needs some */
#define RESOLVE_HASHES_MAX   120u /* NSEC3 hashes: half a millisecond at 50 iterations */
#define RESOLVE_OCTETS_MAX   100000u
#define RESOLVE_TIME_MS      10000u
/* Client queries in work, some 14 KiB each; when all are taken, prefixes that hold more give way (resolve/places.h), or comers are answered
 * from the cache, stale where need be, or with SERVFAIL.
 */
#define RESOLVE_QUERIES_MAX 2048u

struct resolve_config {
	uint16_t udp_len; /* what we offer to servers, RFC 9715 */
	bool validate;
	bool sha1;        /* RFC 9905: may old signatures count? */
	bool minimise;    /* RFC 9156 */
	bool aggressive;  /* RFC 8198 */
	bool minimal_any; /* who asks for all types by datagram is told of one, RFC 8482 sec 4.1 */
	bool query_localhost;        /* ask servers at 127/8 and ::1, too */
	bool ipv4, ipv6;             /* families to ask over */
	uint32_t ttl_max_s;          /* nothing is kept longer; RFC 8767 sec 4: a week at most */
	uint32_t negative_ttl_max_s; /* RFC 2308 sec 5 */
	uint32_t
		stale_s; /* answers that expired not longer ago may serve when servers fail; 0: never */
	/* Proofs that may serve others take so many octets beside the cache, and no more clients' queries are in work. */
	uint64_t spans_size; /* resolve/spans.h */
	uint32_t
		queries_max; /* RESOLVE_QUERIES_MAX, or fewer where memory is short: resolve/sizes.h */
	struct dns64 dns64;
};

#define RESOLVE_CONFIG_DEFAULT                                                                     \
	((struct resolve_config){.udp_len = 1232,                                                  \
		.validate = true,                                                                  \
		.sha1 = true,                                                                      \
		.minimise = true,                                                                  \
		.aggressive = true,                                                                \
		.minimal_any = true,                                                               \
		.ipv4 = true,                                                                      \
		.ipv6 = true,                                                                      \
		.ttl_max_s = 86400,                                                                \
		.negative_ttl_max_s = 3600,                                                        \
		.stale_s = 86400,                                                                  \
		.queries_max = RESOLVE_QUERIES_MAX,                                                \
		.spans_size = 1u << 20})

/* What several cores share; borrowed for their life. */
struct resolve_shared {
	struct cache *cache;
	const struct anchors *anchors;
	const struct published *
		changing_anchors; /* NULL, or a struct anchors that counts instead; it may be replaced */
	const struct hints *hints;         /* of the root; and forward and stub zones */
	const struct localdata *local;     /* NULL: none */
	const struct rebinding *rebinding; /* NULL: any address is good */
	const struct published *
		rules; /* NULL, or a struct rules (resolve/rules.h) that counts instead; it may be replaced */
};

/* resolve_new - secret: unpredictable, for IDs, cookies and choices. errors: NULL, no memory */
MUST_USE struct resolve *resolve_new(const struct resolve_config *config,
	const struct resolve_shared *shared, const uint8_t secret[32]);

/* resolve_free - forgets what is in work; accepts NULL. */
void resolve_free(struct resolve *core);

/* Who wants to know what keys the anchors' zones have (resolve/rollover.h). */
struct resolve_follower {
	void (*seen)(void *context,
		const struct rollover_sight *sight); /* in a step; borrows all during the call */
	void *context;
};

/* resolve_follow - this core fetches the keys of the anchors' zones from now on, as often as RFC 5011 sec 2.3 says.
 *
 * errors  STATUS_MEMORY
 */
MUST_USE enum status resolve_follow(struct resolve *core, const struct resolve_follower *follower);

/* A client's SERVFAIL. */
struct resolve_trouble {
	const struct name *name; /* that was asked for, or that an alias led to */
	uint16_t type;
	int16_t ede;       /* enum dnssec_ede */
	bool root_failed;  /* no server of the root was of use */
	const char *cause; /* in words; may be empty */
	struct now now;
};

/* Who wants to know; in a step, all borrowed during the call. */
struct resolve_listener {
	void (*trouble)(void *context, const struct resolve_trouble *trouble);
	void *context;
};

/* resolve_listen - from now on; failures that the cache remembers are not told again. */
void resolve_listen(struct resolve *core, const struct resolve_listener *listener);

enum resolve_event_kind {
	RESOLVE_QUERY,    /* a client asks */
	RESOLVE_DATAGRAM, /* a datagram came on the socket of an exchange */
	RESOLVE_STREAM,   /* a message came on the stream of an exchange */
	RESOLVE_FAILED,   /* the exchange cannot be had: unreachable, refused, closed, no socket */
	RESOLVE_TIME      /* time has passed */
};

struct resolve_event {
	enum resolve_event_kind kind;
	struct now now;
	uint64_t client; /* QUERY: the caller's name for it; comes back with the answer */
	struct addr
		peer; /* QUERY: who asks; what it holds in work counts for its prefix (resolve/places.h) */
	uint32_t exchange;     /* DATAGRAM, STREAM, FAILED */
	const uint8_t *octets; /* QUERY, DATAGRAM, STREAM: the message; borrowed during the step */
	uint32_t len;
	bool over_stream; /* QUERY: no truncation */
};

enum resolve_action_kind {
	RESOLVE_SEND_DATAGRAM, /* from a fresh socket with a random port, connected to addr */
	RESOLVE_SEND_STREAM,   /* open a stream to addr, send, wait for one message */
	RESOLVE_CLOSE,         /* the exchange is over: its socket may go */
	RESOLVE_ANSWER         /* to the client */
};

struct resolve_action {
	enum resolve_action_kind kind;
	uint32_t exchange;     /* SEND, CLOSE */
	struct addr addr;      /* SEND */
	uint64_t client;       /* ANSWER */
	const uint8_t *octets; /* SEND, ANSWER: valid until the next step */
	uint32_t len;
};

/* resolve_step - takes one event.
 *
 * cost  bounded: at most a few jobs are run; between two events of RESOLVE_TIME JOB_CHECKS_A_TURN signatures are checked, and
 *       those of one job's budget: what is left waits for the next, for which resolve_deadline() is at once
 */
void resolve_step(struct resolve *core, const struct resolve_event *event);

/* resolve_action - the next thing to do; false: nothing more. */
MUST_USE bool resolve_action(struct resolve *core, struct resolve_action *out);

/* resolve_deadline - monotonic time of the next RESOLVE_TIME at the latest, in ns; UINT64_MAX: none is needed. */
uint64_t resolve_deadline(const struct resolve *core);

/* One query that the cache may answer. */
struct resolve_hit {
	uint8_t *octets; /* the query in [0..len), of cap octets; becomes the answer */
	uint32_t len, cap;
	bool over_stream;
	uint32_t answer_len; /* 0: it is not known, give the query to resolve_step() */
};

#define RESOLVE_HITS_MAX                                                                           \
	16u /* queries in one call: as many as the memory can be asked for at once (decision 0008) */

/* resolve_hits - answers from the cache alone, in place; the path that nearly all queries of a busy resolver take.
 *
 * shape   count <= RESOLVE_HITS_MAX
 * cost    a query one probe, a copy, a few TTLs; no allocation, no lock
 */
void resolve_hits(struct resolve *core, struct resolve_hit *hits, uint32_t count, struct now now);

/* resolve_forget - what this core alone knows of names at, below and around one; what the cache knows: resolve/inspect.h */
void resolve_forget(struct resolve *core, const struct name *name);

struct resolve_counters {
	uint64_t queries, hits, answers, failures; /* failures: SERVFAIL */
	uint64_t sent, received, timeouts,
		ignored; /* upstream; ignored: messages that answer nothing asked */
	uint64_t checks; /* of signatures; those that are remembered do not count */
	uint64_t stale, prefetched, refused; /* refused: the core was full */
};

const struct resolve_counters *resolve_counters(const struct resolve *core);

#endif

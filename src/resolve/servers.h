/* servers.h - what is known of the addresses that we ask: how long they take, and what they do not understand.
 *
 * Fixed memory: a table of sets; in a full set the server that was not asked for the longest time makes room.
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_SERVERS_H
#define SAKER_RESOLVE_SERVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/random.h"

#define SERVERS_MAX        16384u
#define SERVERS_COOKIE_MAX 40u
#define SERVERS_FRESH_MS                                                                           \
	900000 /* what was learned is forgotten after a quarter of an hour: Unbound's figure */
#define SERVERS_RTO_FIRST_MS                                                                       \
	400u /* for a server that was never asked: above most of the world's round trips */
#define SERVERS_RTO_MIN_MS 50u
#define SERVERS_RTO_MAX_MS 3000u
/* RFC 6891 sec 6.2.2: what a server cannot do is forgotten again. Unbound keeps it for 15 minutes, PowerDNS for two hours;
 * a server costs one question more each time, and whoever forges one answer has won less.
 */
#define SERVERS_NO_EDNS_MS 300000
#define SERVERS_PENALTY_MS                                                                         \
	60000 /* a server that gave what cannot be true is asked after the others for so long */

struct server {
	struct addr addr;
	int64_t asked_ms;   /* last time; 0: free */
	int64_t penalty_ms; /* until then the others come first */
	uint32_t srtt_us;   /* smoothed round trip, 0: unknown */
	uint32_t rttvar_us;
	uint8_t timeouts; /* since the last answer */
	int64_t no_edns_ms; /* until then it is asked without, for zones that are known to be insecure */
	uint8_t cookie_len; /* client and server part, as it last gave them; 0: none */
	uint8_t cookie[SERVERS_COOKIE_MAX];
};

struct servers;

MUST_USE struct servers *servers_new(void);
void servers_free(struct servers *servers);

/* servers_get - its state, a new one where it is not known; valid until the next call. */
struct server *servers_get(struct servers *servers, const struct addr *addr, int64_t now_ms);

/* servers_answered, servers_timed_out - what a question came to. */
void servers_answered(struct server *server, uint64_t rtt_ns);
void servers_timed_out(struct server *server);

/* servers_rto_ms - how long to wait for it. source: RFC 6298 sec 2, with the limits above */
uint32_t servers_rto_ms(const struct server *server);

/* servers_cost - smaller is asked first: its time-out, with some chance so that what may have become better is tried. */
uint32_t servers_cost(const struct server *server, struct random *random, int64_t now_ms);

#endif

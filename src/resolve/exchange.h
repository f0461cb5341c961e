/* exchange.h - one question to one server, and its answer.
 *
 * Each has a fresh socket with a random port (the caller's) and a random ID; what comes back counts only with that ID and
 * that question. What does not is ignored, and the wait goes on (RFC 5452 sec 9.1).
 *
 *     exchange_ask --> SEND --> reply | time-out | failure --> exchange.done(...) and CLOSE
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_EXCHANGE_H
#define SAKER_RESOLVE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "resolve/timers.h"
#include "wire/name.h"

struct job;
struct resolve;
struct exchanges;

#define EXCHANGE_QUERY_MAX 384u       /* header, a name, OPT with a cookie */
#define EXCHANGE_MOST      (1u << 16) /* at once: as many as one address has ports */
#define EXCHANGE_NONE      0u

enum exchange_end { EXCHANGE_REPLY, EXCHANGE_TIMEOUT, EXCHANGE_FAILURE };

/* A field of who asks; not open while id is EXCHANGE_NONE. */
struct exchange {
	struct resolve *core;
	uint32_t id; /* for the caller of the core */
	struct addr addr;
	struct name name;
	uint16_t type;
	uint16_t message_id;
	bool stream, edns, recurse;
	uint64_t sent_ns;
	struct timer timer;
	/* Told once; octets only with EXCHANGE_REPLY. The exchange is closed when it is called. */
	void (*done)(struct exchange *exchange, enum exchange_end end, const uint8_t *octets,
		uint32_t len);
	uint32_t query_len;
	uint8_t query[EXCHANGE_QUERY_MAX];
};

MUST_USE struct exchanges *exchange_table_new(void);
void exchange_table_free(struct exchanges *exchanges);

/* exchange_ask - sends; core, addr, name, type, stream, edns, recurse and done are set.
 *
 * shape   wait_ms: until EXCHANGE_TIMEOUT
 * errors  false: no room for more exchanges, or no memory
 */
MUST_USE bool exchange_ask(struct exchange *exchange, uint32_t wait_ms);

/* exchange_drop - its answer is not wanted any more; it need not be open. */
void exchange_drop(struct exchange *exchange);

/* exchange_take - a message, or NULL for a failure, that came for an exchange of the table. */
void exchange_take(struct resolve *core, uint32_t id, const uint8_t *octets, uint32_t len);

#endif

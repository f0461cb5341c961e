/* fetch.h - asks servers, from the closest zone that is known downwards, until one speaks for the name.
 *
 *     closest cut -> choose an address -> ask -> referral: the next cut
 *                         ^   |                  answer: done
 *                         |   `-> no address: look one up (resolve/search.h)
 *                         `------ time-out, lame, failed: the next address
 *
 * With minimisation a server is asked for one label more than its zone has, until the whole name is reached (RFC 9156).
 * What comes is neither checked nor kept here, but for the cuts on the way.
 *
 * source  RFC 1034 sec 5.3.3, RFC 9156, RFC 8109
 */
#ifndef SAKER_RESOLVE_FETCH_H
#define SAKER_RESOLVE_FETCH_H

#include "resolve/classify.h"
#include "resolve/cut.h"
#include "resolve/exchange.h"
#include "resolve/job.h"
#include "wire/response.h"

#define FETCH_ASKS_MAX 24u /* of one fetch; the query's budget ends sooner where fetches are many */
/* In a fetch's flags, beside the number of the try: it may end where a parent tells the address that is wanted. */
#define FETCH_TAKES_GLUE   0x100u
#define FETCH_ALIASES_MAX  3u  /* of servers' names */
#define FETCH_MINIMISE_MAX 10u /* steps with one label more; RFC 9156 sec 2.3 */
#define FETCH_MINIMISE_ONE 4u  /* of them, that add one label alone */

extern const struct job_kind fetch_kind;

struct fetch {
	struct job job; /* name and type are what is wanted; flags: the number of the try */
	bool failed;
	int16_t ede; /* why */
	/* Where it did not fail. */
	struct response response; /* in the job's arena */
	struct classified found;
	struct name zone;     /* whose server said so */
	struct addr answered; /* the server */
	bool has_hearsay;     /* response and found are such, unless another answer comes */
	struct response hearsay;
	struct classified hearsay_found;
	struct cut cut;
	struct exchange exchange;
	struct name asked; /* the name of the present question: all of the name, or its end */
	uint16_t asked_type;
	uint32_t asked_labels;
	uint32_t minimised; /* steps so far */
	bool whole;         /* minimisation is over */
	uint32_t asks;
	struct cut_addr *at; /* of the present question */
	struct cut_server *looking_up;
	uint32_t aliases; /* of servers' names that were followed */
	bool glued;       /* ... although its parent told an address */
	uint16_t looking_up_type;
	bool server_failed; /* one said SERVFAIL or the like: there is no other delegation to be found for that */
	bool went_up;      /* what the cache said of the cut was given up once */
	struct name above; /* ... then cuts above this one only */
	bool limit_above;
	bool primed;         /* the root's servers were asked for */
	bool past_forwarder; /* it failed, and may be gone round */
};

#endif

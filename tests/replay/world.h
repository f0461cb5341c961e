/* world.h - a small internet out of a seed: zones, what is in them, who serves them how, and so what is true.
 *
 * A world has up to WORLD_ZONES_MAX zones below a root; some are signed (NSEC, NSEC3, opt-out), some of those in ways that
 * do not hold; each has servers, in it or elsewhere, of which at least one is good unless the zone is unreachable. All
 * names are in lower case. A zone and its servers only depend on zones that were made before it, so nothing goes in rings.
 *
 * What the servers say of a world is in authority.h, what a resolver should in truth.h.
 *
 * memory  sets and RDATA are in the world's arena
 */
#ifndef SAKER_TESTS_WORLD_H
#define SAKER_TESTS_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/random.h"
#include "crypto/sha1.h"
#include "replay/signer.h"
#include "wire/name.h"

#define WORLD_ZONES_MAX  20u
#define WORLD_SETS_MAX   64u /* of a zone */
#define WORLD_RDATAS_MAX 4u  /* of a set */
#define WORLD_HOSTS_MAX  60u
#define WORLD_A_ZONE_MAX 4u   /* hosts that serve a zone */
#define WORLD_LINKS_MAX  160u /* of a chain for denials */
#define WORLD_VALID_S    (30u * 86400u)
#define WORLD_FORWARDERS 2u

enum world_signing { WORLD_UNSIGNED, WORLD_NSEC, WORLD_NSEC3, WORLD_OPT_OUT };

/* What is wrong with a signed zone. */
enum world_fault {
	WORLD_SOUND,
	WORLD_EXPIRED,
	WORLD_NOT_YET,
	WORLD_CORRUPT,    /* signatures of other octets */
	WORLD_STRIPPED,   /* no signatures, though there is a DS */
	WORLD_WRONG_DS,   /* of another key */
	WORLD_UNKNOWN_DS, /* of an algorithm that nobody knows: the zone is insecure */
	WORLD_FAULTS
};

enum world_status { WORLD_SECURE, WORLD_INSECURE, WORLD_BOGUS };

/* How a server behaves. The first ones answer, sooner or later. */
enum world_manner {
	WORLD_GOOD,
	WORLD_SLOW,
	WORLD_LOSSY,
	WORLD_SPOOFED,   /* somebody guesses before it answers */
	WORLD_TRUNCATES, /* TC to every datagram */
	WORLD_CHATTY,    /* chases aliases in all that it serves, and adds what nobody asked for */
	WORLD_LIAR,      /* adds what it has no say in */
	WORLD_REORDERS,  /* answers come twice, and after a while */
	WORLD_FORMERRS,  /* FORMERR to EDNS, now and then */
	WORLD_REFERS,    /* who asks for DS is referred to the child, as others are */
	WORLD_ANSWERS,   /* the number of those above */
	WORLD_NO_EDNS = WORLD_ANSWERS, /* FORMERR to OPT: serves unsigned zones only */
	WORLD_DEAD,
	WORLD_REFUSES,
	WORLD_FAILS,
	WORLD_UPWARD,    /* refers to the root */
	WORLD_GARBLED,   /* octets that are no message */
	WORLD_BREAKS,    /* the signatures in what it says do not hold */
	WORLD_NO_STREAM, /* truncates, and takes no streams */
	WORLD_MANNERS
};

/* A set's owner and type stay; its records change (world_change()), and none is a set that is not there. */
struct world_set {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	uint32_t count;
	struct signer_rdata records[WORLD_RDATAS_MAX]; /* canonical order */
	bool is_broken;                                /* its own signature does not hold */
	uint32_t sig_len;                              /* 0: not signed yet */
	uint8_t *sig;
	int64_t until_ms;               /* of what is over: its last moment */
	const struct world_set *before; /* what it was until then; NULL: this is the first */
};

/* One link of a chain for denials. */
struct world_link {
	struct name owner;      /* NSEC */
	uint8_t hash[SHA1_LEN]; /* NSEC3 */
	struct world_set *set;  /* made when it is asked for */
	uint32_t source;        /* index into nodes */
};

/* A name that exists: with sets, or with names below. */
struct world_node {
	struct name name;
	bool is_cut, has_ds, has_data; /* has_data: sets that are signed */
};

struct world_zone {
	struct name name;
	uint32_t parent; /* the root's: itself */
	enum world_signing signing;
	enum world_fault fault;
	enum world_status status;
	bool has_ds, unreachable;
	uint32_t key;
	uint32_t depth; /* of what has to be known before it can be asked */
	uint32_t iterations, salt_len;
	uint8_t salt[4];
	uint32_t set_count, node_count, link_count, host_count;
	struct world_set sets[WORLD_SETS_MAX];
	struct world_node nodes[WORLD_SETS_MAX + WORLD_LINKS_MAX];
	struct world_link links[WORLD_LINKS_MAX];
	uint32_t hosts[WORLD_A_ZONE_MAX];
	int64_t dark_ms; /* since when none of its servers can be reached; WORLD_ALWAYS: one can */
};

#define WORLD_ALWAYS INT64_MAX

struct world_host {
	struct name name;
	uint32_t zone; /* that holds its addresses */
	enum world_manner manner;
	bool has_v6;
	bool is_down; /* since a while; it comes back */
	uint32_t rtt_us;
	uint32_t serves; /* zones */
};

struct world {
	struct random random;
	struct arena arena;
	uint32_t now_s;
	uint32_t zone_count, host_count;
	struct world_zone zones[WORLD_ZONES_MAX];
	struct world_host hosts[WORLD_HOSTS_MAX];
	/* Resolvers that know all zones: how they behave; GOOD, SLOW, FAILS or DEAD. */
	enum world_manner forwarders[WORLD_FORWARDERS];
};

/* world_make - the world of a seed; now_s: wall clock at its beginning. */
void world_make(struct world *world, uint64_t seed, uint32_t now_s);
void world_fini(struct world *world);

/* What a zone says of a name and type, RFC 1034 sec 4.3.2. */
enum world_kind {
	WORLD_REFERRAL, /* set: the NS set of the cut */
	WORLD_ANSWER,
	WORLD_CNAME,
	WORLD_DNAME,
	WORLD_NODATA,
	WORLD_NXDOMAIN
};

struct world_found {
	enum world_kind kind;
	struct world_set *set;
	struct world_set
		*leaf; /* of the type asked for, there now or at other times; NULL: never */
	bool from_wildcard; /* ANSWER, CNAME: the set is a wildcard's; NODATA: the wildcard lacks the type */
	struct name encloser; /* closest; from_wildcard and NXDOMAIN */
	struct name closer;   /* next closer name; ditto */
};

void world_find(struct world *world, uint32_t zone, const struct name *name, uint16_t type,
	struct world_found *out);

/* world_zone_of - the zone that answers for a name and type: of DS the parent. */
uint32_t world_zone_of(const struct world *world, const struct name *name, uint16_t type);

/* world_get - the set of an owner and type in a zone; NULL: none. */
struct world_set *world_get(
	struct world *world, uint32_t zone, const struct name *owner, uint16_t type);

/* world_sign - makes the set's signature where it has none. */
void world_sign(struct world *world, uint32_t zone, struct world_set *set);

/* world_denial - the NSEC or NSEC3 set at a name (match), or over it; NULL: there is none. */
struct world_set *world_denial(
	struct world *world, uint32_t zone, const struct name *name, bool match);

/* world_change - some of the data becomes other data, comes, or goes; false: nothing did. */
bool world_change(struct world *world, int64_t now_ms);

/* world_break - the servers of a zone cannot be reached any more, or (UINT32_MAX) those of all zones. */
void world_break(struct world *world, uint32_t zone, int64_t now_ms);

/* world_mend - all servers are back. */
void world_mend(struct world *world);

/* world_has_manner - has a zone at or above the name a server that is so? */
bool world_has_manner(const struct world *world, const struct name *name, enum world_manner manner);

/* world_is_whole - no server is down. */
bool world_is_whole(const struct world *world);

/* world_target - of a CNAME or DNAME, from a name; false: too long. */
bool world_target(const struct world_set *set, const struct name *name, struct name *out);

/* world_address - octets of a host's address in a family: 4 or 16. */
void world_address(uint32_t host, bool v6, uint8_t *out);

/* world_forwarder - of a resolver: 4 octets. */
void world_forwarder(uint32_t number, uint8_t *out);

/* world_suffix - the last labels of a name. */
void world_suffix(const struct name *name, uint32_t labels, struct name *out);

#endif

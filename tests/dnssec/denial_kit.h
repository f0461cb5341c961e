/* denial_kit.h - small random zones with a chain for denials, and a slow model of what is in them.
 *
 * The model knows the names of a zone, and no order or hash.
 */
#ifndef SAKER_TESTS_DENIAL_KIT_H
#define SAKER_TESTS_DENIAL_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "crypto/sha1.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define DENIAL_NODES_MAX 24u
#define DENIAL_TYPES_MAX 6u
#define DENIAL_TYPES     4u

enum denial_kind { DENIAL_NSEC, DENIAL_NSEC3, DENIAL_OPT_OUT };

struct denial_node {
	struct name name;
	uint32_t type_count; /* 0: an empty non-terminal */
	uint16_t types[DENIAL_TYPES_MAX];
	uint8_t hash[SHA1_LEN];
};

struct denial_zone {
	enum denial_kind kind;
	struct name apex;
	uint32_t count;
	struct denial_node nodes[DENIAL_NODES_MAX];
	uint32_t link_count;
	const struct rrset *links[DENIAL_NODES_MAX];
	struct arena arena;
};

/* denial_make - another zone; arena_fini(&zone->arena) gives it back. */
void denial_make(struct denial_zone *zone, enum denial_kind kind);

/* denial_begin, denial_add, denial_link - the same by hand: with a SOA at its apex, with more, with its chain. */
void denial_begin(struct denial_zone *zone, enum denial_kind kind, const struct name *apex);
void denial_add(struct denial_zone *zone, const struct name *name, uint16_t type);
void denial_link(struct denial_zone *zone);

/* denial_child - the name of a label below another. */
void denial_child(const struct name *parent, const char *label, struct name *out);

/* denial_random_name - of the zone or below it, there or not; denial_random_type - one of those that zones have. */
void denial_random_name(const struct denial_zone *zone, struct name *out);
uint16_t denial_random_type(void);

/* denial_find - the node of that name; denial_answering - that, or the wildcard's; NULL: there is none. */
const struct denial_node *denial_find(const struct denial_zone *zone, const struct name *name);
const struct denial_node *denial_answering(const struct denial_zone *zone, const struct name *name);

/* denial_encloser - the longest ancestor that is there. */
void denial_encloser(const struct denial_zone *zone, const struct name *name, struct name *out);

/* denial_is_beyond - is the name below a cut or a DNAME? Then it is not the zone's to deny. */
bool denial_is_beyond(const struct denial_zone *zone, const struct name *name);

/* denial_is_chained - does the chain have a record of it? */
bool denial_is_chained(const struct denial_zone *zone, const struct denial_node *node);

bool denial_has_type(const struct denial_node *node, uint16_t type);
bool denial_is_cut(const struct denial_node *node);
/* denial_lacks - has it neither the type nor an alias? */
bool denial_lacks(const struct denial_node *node, uint16_t type);

/* denial_describe - a question and its zone, for people. */
const char *denial_describe(
	const struct denial_zone *zone, const struct name *name, uint16_t type, uint32_t records);

#endif

/* zonequeries.h - a zone file to queries: for names that exist, and for names that do not.
 *
 *     names    every owner that can be asked for: not below a zone cut or a DNAME, not only NSEC3
 *     rank     a permutation of the names by the seed: which of them are popular
 *     query    rank by Zipf -> name -> [another first label: does not exist] -> type
 *
 * A name that does not exist gets an unused first label beside one that does, so that the closest encloser is as
 * real as the names are; where a wildcard would answer for it, another place is tried.
 *
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_ZONEQUERIES_H
#define SAKER_LOADGEN_ZONEQUERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/status.h"
#include "loadgen/octetset.h"
#include "loadgen/zipf.h"

#define ZONEQUERIES_TYPES_MAX 64u /* of a mix; a guess */

struct name;

/* Types to ask for, each as often as its weight says. */
struct zonequeries_mix {
	uint32_t count; /* 0: one of the types that the name has */
	uint16_t types[ZONEQUERIES_TYPES_MAX];
	double weights[ZONEQUERIES_TYPES_MAX]; /* above 0 */
};

struct zonequeries_options {
	uint64_t seed;
	double missing;  /* share of queries for names that do not exist, 0..1 */
	double exponent; /* of the popularity (zipf.h) */
	struct zonequeries_mix mix;
};

struct zonequeries {
	struct zonequeries_options options;
	struct octetset names; /* owners in lower case, all of them */
	uint32_t apex;         /* its number; OCTETSET_NONE: no record at the apex */
	uint32_t *type_starts; /* owns: names.count + 1 of them, into types */
	uint16_t *types;       /* owns: of each name, without RRSIG, NSEC and NSEC3 */
	uint32_t *ranks;       /* owns: askable_count of them, by rank the number of a name */
	uint32_t askable_count;
	struct zipf zipf;
	struct random random;
	double mix_sums[ZONEQUERIES_TYPES_MAX];
};

/* zonequeries_init - reads the zone and makes ready to draw.
 *
 * errors  STATUS_REFUSED  complaints went to the sink: those of the zone file, or no name to ask for
 *         STATUS_MEMORY, STATUS_LIMIT; zonequeries_fini() undoes it all
 */
MUST_USE enum status zonequeries_init(struct zonequeries *queries, const char *path,
	const struct name *origin, const struct zonequeries_options *options,
	const struct diag_sink *sink);
void zonequeries_fini(struct zonequeries *queries);

/* zonequeries_draw - the next query; false where a name that does not exist was wanted and wildcards are everywhere. */
MUST_USE bool zonequeries_draw(
	struct zonequeries *queries, struct name *name_out, uint16_t *type_out);

#endif

/* recipe_reverse.h - the reverse zone 1.10.in-addr.arpa that the thread of 2007 proposed, and queries for it.
 *
 * thread  the process's main thread
 */
#ifndef SAKER_LOADGEN_RECIPE_REVERSE_H
#define SAKER_LOADGEN_RECIPE_REVERSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "loadgen/recipe_stage.h"

#define RECIPE_REVERSE_ZONE "1.10.in-addr.arpa"

/* How often each of the 65,536 names is asked for. */
enum recipe_reverse_spread {
	RECIPE_REVERSE_ONCE,   /* each once, neighbours far apart */
	RECIPE_REVERSE_EVEN,   /* by chance, all alike */
	RECIPE_REVERSE_ZIPF,   /* the k-th with a share of 1/k */
	RECIPE_REVERSE_PRUNED, /* the same without the dozen most frequent: robots, in 2007 */
};

/* recipe_reverse_zone - writes the zone into a file of the stage.
 *
 * shape   is_generated: 256 $GENERATE lines, as in 2007; else 65,536 records, for servers that cannot read those
 * errors  false: why went to standard error
 */
MUST_USE bool recipe_reverse_zone(struct recipe_stage *stage, const char *file, bool is_generated);

/* recipe_reverse_queries - writes PTR queries into a file of the stage; the same ones each time. Errors as above. */
MUST_USE bool recipe_reverse_queries(
	struct recipe_stage *stage, const char *file, enum recipe_reverse_spread spread);

#endif

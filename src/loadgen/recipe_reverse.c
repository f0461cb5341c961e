/* recipe_reverse.c - writes both as text. */
#include "loadgen/recipe_reverse.h"

#include <stdio.h>

#include "base/random.h"
#include "loadgen/zipf.h"

#define OCTET_VALUES  256u
#define NAME_COUNT    (OCTET_VALUES * OCTET_VALUES)
#define DRAW_COUNT    100000u
#define SEED          1u
#define ZIPF_EXPONENT 1.0    /* of many popularity distributions; a guess for addresses */
#define PRUNED        12u    /* "the dozen most frequent" */
#define SPREAD        40503u /* odd: takes each rank to a name of its own, far from its neighbours' */

bool recipe_reverse_zone(struct recipe_stage *stage, const char *file, bool is_generated)
{
	FILE *zone = recipe_stage_create(stage, file);

	if (zone == NULL) {
		return false;
	}
	fputs("$TTL 86400\n@ IN SOA localhost. hostmaster.localhost. 1 10800 3600 2592000 86400\n"
	      "@ IN NS localhost.\n",
		zone);
	for (uint32_t b = 0; b < OCTET_VALUES; b++) {
		if (is_generated) {
			fprintf(zone, "$GENERATE 0-255 $.%u PTR ip-10-1-%u-$.example.com.\n", b, b);
			continue;
		}
		for (uint32_t a = 0; a < OCTET_VALUES; a++) {
			fprintf(zone, "%u.%u PTR ip-10-1-%u-%u.example.com.\n", a, b, b, a);
		}
	}
	return fclose(zone) == 0;
}

/* The name of the i-th query, 0 to NAME_COUNT - 1. */
static uint32_t draw(const struct zipf *zipf, struct random *random,
	enum recipe_reverse_spread spread, uint32_t i)
{
	uint32_t rank = i;

	switch (spread) {
	case RECIPE_REVERSE_ONCE:
		break;
	case RECIPE_REVERSE_EVEN:
		return random_below(random, NAME_COUNT);
	case RECIPE_REVERSE_ZIPF:
		rank = zipf_draw(zipf, random);
		break;
	case RECIPE_REVERSE_PRUNED:
		do {
			rank = zipf_draw(zipf, random);
		} while (rank < PRUNED);
		break;
	}
	return rank * SPREAD % NAME_COUNT;
}

bool recipe_reverse_queries(
	struct recipe_stage *stage, const char *file, enum recipe_reverse_spread spread)
{
	struct zipf zipf;
	struct random random;
	FILE *queries = recipe_stage_create(stage, file);
	uint32_t count = spread == RECIPE_REVERSE_ONCE ? NAME_COUNT : DRAW_COUNT;

	if (queries == NULL) {
		return false;
	}
	random_init(&random, SEED);
	if (zipf_init(&zipf, NAME_COUNT, ZIPF_EXPONENT) != STATUS_OK) {
		fclose(queries);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t nth = draw(&zipf, &random, spread, i);
		fprintf(queries, "%u.%u." RECIPE_REVERSE_ZONE " PTR\n", nth % OCTET_VALUES,
			nth / OCTET_VALUES);
	}
	zipf_fini(&zipf);
	return fclose(queries) == 0;
}

/* bootstrap.c - drawn again and again. */
#include "loadgen/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

#define SEED 2007u /* any */
#define TAIL 0.025 /* of the draws on each side of the interval */

static double divide(double above, double below)
{
	return below == 0.0 ? 0.0 : above / below;
}

double bootstrap_figure(const struct bootstrap_side *side)
{
	struct bootstrap_part sum = {0, 0};

	for (uint32_t r = 0; r < side->run_count; r++) {
		for (uint32_t i = 0; i < side->runs[r].count; i++) {
			sum.above += side->runs[r].parts[i].above;
			sum.below += side->runs[r].parts[i].below;
		}
	}
	return divide(sum.above, sum.below);
}

/* Adds as many intervals as the run has, drawn in blocks that wrap around. */
static void draw_run(
	const struct bootstrap_run *run, struct random *random, struct bootstrap_part *sum)
{
	uint32_t block = (uint32_t)lround(cbrt(run->count));

	for (uint32_t taken = 0; taken < run->count;) {
		uint32_t at = random_below(random, run->count);
		for (uint32_t i = 0; i < block && taken < run->count; i++, taken++) {
			sum->above += run->parts[at].above;
			sum->below += run->parts[at].below;
			at = at + 1 == run->count ? 0 : at + 1;
		}
	}
}

static double draw(const struct bootstrap_side *side, struct random *random)
{
	struct bootstrap_part sum = {0, 0};

	for (uint32_t r = 0; r < side->run_count; r++) {
		draw_run(&side->runs[random_below(random, side->run_count)], random, &sum);
	}
	return divide(sum.above, sum.below);
}

/* Is there enough to draw from: in each run? */
static bool is_enough(const struct bootstrap_side *side)
{
	for (uint32_t r = 0; r < side->run_count; r++) {
		if (side->runs[r].count < BOOTSTRAP_INTERVALS_MIN) {
			return false;
		}
	}
	return side->run_count != 0;
}

static int by_value(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

static double quotient(double a, double b)
{
	return b / a;
}

static double difference(double a, double b)
{
	return b - a;
}

static enum status resample(const struct bootstrap_side *a, const struct bootstrap_side *b,
	double (*combine)(double a, double b), bool needs_divisor, struct bootstrap_result *out)
{
	struct random random;
	uint32_t count = 0;

	*out = (struct bootstrap_result){.value = 0};
	double a_figure = bootstrap_figure(a);
	if (needs_divisor && a_figure == 0.0) {
		return STATUS_OK;
	}
	out->value = combine(a_figure, bootstrap_figure(b));
	if (!is_enough(a) || !is_enough(b)) {
		return STATUS_OK;
	}
	double *values = malloc(BOOTSTRAP_DRAWS * sizeof(*values));
	if (values == NULL) {
		return STATUS_MEMORY;
	}
	random_init(&random, SEED);
	for (uint32_t i = 0; i < BOOTSTRAP_DRAWS; i++) {
		double from_a = draw(a, &random), from_b = draw(b, &random);
		if (!needs_divisor || from_a != 0.0) {
			values[count++] = combine(from_a, from_b);
		}
	}
	/* Where many draws had nothing to divide by, the others are no fair sample. */
	if (count >= BOOTSTRAP_DRAWS - BOOTSTRAP_DRAWS / 100) {
		qsort(values, count, sizeof(*values), by_value);
		uint32_t tail = (uint32_t)(TAIL * count);
		out->low = values[tail];
		out->high = values[count - 1 - tail];
		out->is_known = true;
	}
	free(values);
	return STATUS_OK;
}

enum status bootstrap_ratio(const struct bootstrap_side *a, const struct bootstrap_side *b,
	struct bootstrap_result *out)
{
	return resample(a, b, quotient, true, out);
}

enum status bootstrap_difference(const struct bootstrap_side *a, const struct bootstrap_side *b,
	struct bootstrap_result *out)
{
	return resample(a, b, difference, false, out);
}

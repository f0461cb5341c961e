/* recipe_sheet.h - what a recipe measured: a row for each thing that was asked, with a figure for each round.
 *
 *     subject          setting   number             rounds
 *     saker            warm      workers 4          {61,828 ...} {70,113 ...} {58,004 ...}
 *     up to 64                   in_flight 100      {114,330 ...} ...
 *
 * Tables and JSON are made of it, so both hold the same.
 *
 * thread  one
 */
#ifndef SAKER_LOADGEN_RECIPE_SHEET_H
#define SAKER_LOADGEN_RECIPE_SHEET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/run.h"

#define RECIPE_SHEET_ROUNDS_MAX 32u
#define RECIPE_SHEET_LABEL_MAX  96u

/* One measurement. */
struct recipe_figure {
	double rate;       /* answers a second; of a ramp: the highest before loss */
	double server_us;  /* processor time an answer; 0: not known */
	double lost_part;  /* of what was sent; of a ramp: up to that rate */
	double error_part; /* of the answers: with another RCODE than NOERROR */
	uint64_t p50_ns;
	uint64_t p99_ns;
	bool is_tool_bound;
	enum run_end end; /* of a ramp: why it ended */
};

/* Which row. Texts are borrowed for as long as the sheet lives; equal texts are equal keys. */
struct recipe_key {
	const char *subject;     /* a server, or a habit */
	const char *setting;     /* what it was asked, and how; NULL: all were asked alike */
	const char *number_name; /* as `workers`, `in_flight`; NULL: no number */
	uint32_t number;
};

struct recipe_row {
	struct recipe_key key;
	uint32_t count;
	struct recipe_figure rounds[RECIPE_SHEET_ROUNDS_MAX];
};

struct recipe_sheet {
	struct recipe_row *rows; /* owns: in the order in which they were first added */
	size_t count;
};

void recipe_sheet_init(struct recipe_sheet *sheet);
void recipe_sheet_fini(struct recipe_sheet *sheet);

/* recipe_sheet_add - one more round of a row, which is made where there is none.
 *
 * shape   the row has fewer than RECIPE_SHEET_ROUNDS_MAX
 * errors  STATUS_MEMORY
 */
MUST_USE enum status recipe_sheet_add(struct recipe_sheet *sheet, const struct recipe_key *key,
	const struct recipe_figure *figure);

/* recipe_sheet_find - NULL: nothing was measured. */
const struct recipe_row *recipe_sheet_find(
	const struct recipe_sheet *sheet, const struct recipe_key *key);

/* recipe_sheet_median - each quantity's own median over the rounds (of an even number the upper one); whether the tool
 * was the limit, and the end, are those of the round with the median rate. row: NULL, or with at least one round
 *
 * effect  all zero where row is NULL
 */
struct recipe_figure recipe_sheet_median(const struct recipe_row *row);

/* recipe_sheet_label - a key for people, into text[RECIPE_SHEET_LABEL_MAX]; returns text. */
const char *recipe_sheet_label(const struct recipe_key *key, char *text);

#endif

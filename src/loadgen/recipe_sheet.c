/* recipe_sheet.c - a list that is looked through: some dozens of rows, one look a measurement. */
#include "loadgen/recipe_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void recipe_sheet_init(struct recipe_sheet *sheet)
{
	*sheet = (struct recipe_sheet){.rows = NULL};
}

void recipe_sheet_fini(struct recipe_sheet *sheet)
{
	free(sheet->rows);
	recipe_sheet_init(sheet);
}

static bool is_same_text(const char *left, const char *right)
{
	return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

static bool is_same_key(const struct recipe_key *left, const struct recipe_key *right)
{
	return is_same_text(left->subject, right->subject) &&
	       is_same_text(left->setting, right->setting) &&
	       is_same_text(left->number_name, right->number_name) && left->number == right->number;
}

static struct recipe_row *find(const struct recipe_sheet *sheet, const struct recipe_key *key)
{
	for (size_t i = 0; i < sheet->count; i++) {
		if (is_same_key(&sheet->rows[i].key, key)) {
			return &sheet->rows[i];
		}
	}
	return NULL;
}

const struct recipe_row *recipe_sheet_find(
	const struct recipe_sheet *sheet, const struct recipe_key *key)
{
	return find(sheet, key);
}

enum status recipe_sheet_add(struct recipe_sheet *sheet, const struct recipe_key *key,
	const struct recipe_figure *figure)
{
	struct recipe_row *row = find(sheet, key);

	if (row == NULL) {
		struct recipe_row *grown =
			realloc(sheet->rows, (sheet->count + 1) * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		sheet->rows = grown;
		row = &grown[sheet->count++];
		*row = (struct recipe_row){.key = *key};
	}
	ASSERT(row->count < RECIPE_SHEET_ROUNDS_MAX);
	row->rounds[row->count++] = *figure;
	return STATUS_OK;
}

static int by_real(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* Of a double at an offset in each round. */
static double median_of(const struct recipe_row *row, size_t off)
{
	double values[RECIPE_SHEET_ROUNDS_MAX];

	for (uint32_t i = 0; i < row->count; i++) {
		memcpy(&values[i], (const char *)&row->rounds[i] + off, sizeof(values[i]));
	}
	qsort(values, row->count, sizeof(values[0]), by_real);
	return values[row->count / 2];
}

static int by_count(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Of a latency at an offset in each round. */
static uint64_t median_ns_of(const struct recipe_row *row, size_t off)
{
	uint64_t values[RECIPE_SHEET_ROUNDS_MAX];

	for (uint32_t i = 0; i < row->count; i++) {
		memcpy(&values[i], (const char *)&row->rounds[i] + off, sizeof(values[i]));
	}
	qsort(values, row->count, sizeof(values[0]), by_count);
	return values[row->count / 2];
}

struct recipe_figure recipe_sheet_median(const struct recipe_row *row)
{
	struct recipe_figure median = {.rate = 0};

	if (row == NULL) {
		return median;
	}
	ASSERT(row->count >= 1);
	median.rate = median_of(row, offsetof(struct recipe_figure, rate));
	for (uint32_t i = 0; i < row->count; i++) {
		if (row->rounds[i].rate >= median.rate && row->rounds[i].rate <= median.rate) {
			median = row->rounds[i];
			break;
		}
	}
	median.server_us = median_of(row, offsetof(struct recipe_figure, server_us));
	median.lost_part = median_of(row, offsetof(struct recipe_figure, lost_part));
	median.error_part = median_of(row, offsetof(struct recipe_figure, error_part));
	median.p50_ns = median_ns_of(row, offsetof(struct recipe_figure, p50_ns));
	median.p99_ns = median_ns_of(row, offsetof(struct recipe_figure, p99_ns));
	return median;
}

const char *recipe_sheet_label(const struct recipe_key *key, char *text)
{
	char number[RECIPE_SHEET_LABEL_MAX] = "";

	if (key->number_name != NULL) {
		snprintf(number, sizeof(number), ", %.20s %u", key->number_name, key->number);
		for (char *at = number; *at != '\0'; at++) {
			*at = *at == '_' ? ' ' : *at;
		}
	}
	snprintf(text, RECIPE_SHEET_LABEL_MAX, "%.24s%s%.24s%.40s", key->subject,
		key->setting == NULL ? "" : ", ", key->setting == NULL ? "" : key->setting, number);
	return text;
}

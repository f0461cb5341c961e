/* test_recipe_sheet.c - rows by key, and medians against sorting by hand. */
#include "loadgen/recipe_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

static const struct recipe_key warm = {
	.subject = "saker", .setting = "warm", .number_name = "workers", .number = 4};

static void add(struct recipe_sheet *sheet, const struct recipe_key *key, double rate)
{
	const struct recipe_figure figure = {.rate = rate};

	CHECK(recipe_sheet_add(sheet, key, &figure) == STATUS_OK);
}

TEST(rows_are_found_by_all_of_their_key)
{
	struct recipe_sheet sheet;
	char name[] = "saker";
	const struct recipe_key keys[] = {warm,
		{.subject = "nsd", .setting = "warm", .number_name = "workers", .number = 4},
		{.subject = name, .setting = "cold", .number_name = "workers", .number = 4},
		{.subject = name, .setting = "warm", .number_name = "workers", .number = 8},
		{.subject = name, .setting = "warm", .number_name = "offered", .number = 4},
		{.subject = name, .setting = "warm"}, {.subject = name}};
	const size_t count = sizeof(keys) / sizeof(keys[0]);

	recipe_sheet_init(&sheet);
	for (size_t i = 0; i < count; i++) {
		CHECK(recipe_sheet_find(&sheet, &keys[i]) == NULL);
		add(&sheet, &keys[i], (double)i);
	}
	CHECK(sheet.count == count);
	for (size_t i = 0; i < count; i++) {
		const struct recipe_row *row = recipe_sheet_find(&sheet, &keys[i]);
		CHECK(row == &sheet.rows[i]);
		CHECK(row->count == 1);
		CHECK(row->rounds[0].rate >= (double)i && row->rounds[0].rate <= (double)i);
	}
	recipe_sheet_fini(&sheet);
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const struct recipe_figure *)left)->rate;
	double b = ((const struct recipe_figure *)right)->rate;

	return a < b ? -1 : a > b;
}

TEST(each_quantity_has_its_own_median)
{
	for (uint32_t round = 0; round < 500; round++) {
		struct recipe_sheet sheet;
		struct recipe_figure model[RECIPE_SHEET_ROUNDS_MAX];
		uint32_t count = 1 + kit_random(RECIPE_SHEET_ROUNDS_MAX);
		uint32_t below = 0, above = 0, p99_below = 0, p99_above = 0;

		recipe_sheet_init(&sheet);
		for (uint32_t i = 0; i < count; i++) {
			model[i] = (struct recipe_figure){.rate = kit_random(20),
				.server_us = kit_random(5),
				.p99_ns = kit_random(9)};
			model[i].is_tool_bound = model[i].rate >= 10;
			CHECK(recipe_sheet_add(&sheet, &warm, &model[i]) == STATUS_OK);
		}
		struct recipe_figure median = recipe_sheet_median(recipe_sheet_find(&sheet, &warm));
		for (uint32_t i = 0; i < count; i++) {
			below += model[i].rate < median.rate ? 1 : 0;
			above += model[i].rate > median.rate ? 1 : 0;
			p99_below += model[i].p99_ns < median.p99_ns ? 1 : 0;
			p99_above += model[i].p99_ns > median.p99_ns ? 1 : 0;
		}
		CHECK(below <= count / 2 && above <= count / 2);
		CHECK(p99_below <= count / 2 && p99_above <= count / 2);
		CHECK(median.is_tool_bound == (median.rate >= 10));
		qsort(model, count, sizeof(model[0]), by_rate);
		CHECK(!(median.rate < model[count / 2].rate) &&
			!(median.rate > model[count / 2].rate));
		recipe_sheet_fini(&sheet);
	}
}

TEST(without_rounds_all_is_zero)
{
	struct recipe_figure median = recipe_sheet_median(NULL);

	CHECK(!(median.rate > 0) && median.p99_ns == 0 && !median.is_tool_bound);
}

TEST(labels_name_what_there_is)
{
	char text[RECIPE_SHEET_LABEL_MAX];
	const struct recipe_key plain = {.subject = "knot"};
	const struct recipe_key flight = {
		.subject = "front, up to 64", .number_name = "in_flight", .number = 100};

	CHECK(strcmp(recipe_sheet_label(&warm, text), "saker, warm, workers 4") == 0);
	CHECK(strcmp(recipe_sheet_label(&plain, text), "knot") == 0);
	CHECK(strcmp(recipe_sheet_label(&flight, text), "front, up to 64, in flight 100") == 0);
}

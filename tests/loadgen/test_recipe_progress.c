/* test_recipe_progress.c - what is done and left, and a line that fits. */
#include "loadgen/recipe_progress.h"

#include <string.h>

#include "base/now.h"
#include "kit/kit.h"

static char text[RECIPE_PROGRESS_TEXT_MAX];

static const struct recipe_progress half = {.doing = "saker, warm, workers 4",
	.round = 1,
	.round_count = 3,
	.measured = 17,
	.measurement_count = 36,
	.part = 1,
	.elapsed_ns = 200 * NOW_NS_A_SECOND,
	.answered_rate = 61828};

TEST(part_done_and_time_left_follow_from_measurements)
{
	struct recipe_progress progress = half;

	CHECK_S(recipe_progress_text(&progress, 200, text),
		" 50 %, 3 min 20 s left, round 2 of 3: saker, warm, workers 4, 61828 answers a "
		"second");
	CHECK_U(recipe_progress_left_ns(&progress), 200 * NOW_NS_A_SECOND);
	progress.answered_rate = -1;
	progress.elapsed_ns = 7300 * NOW_NS_A_SECOND;
	CHECK_S(recipe_progress_text(&progress, 200, text),
		" 50 %, 2 h 1 min left, round 2 of 3: saker, warm, workers 4");
	progress.measured = 0;
	progress.part = 0;
	CHECK(recipe_progress_left_ns(&progress) == UINT64_MAX);
	CHECK_S(recipe_progress_text(&progress, 200, text),
		"  0 %, round 2 of 3: saker, warm, workers 4");
}

TEST(before_the_rounds_it_says_what_is_done)
{
	const struct recipe_progress progress = {.doing = "starting knot", .answered_rate = -1};

	CHECK_S(recipe_progress_text(&progress, 80, text), "starting knot");
}

TEST(it_never_says_more_than_all)
{
	struct recipe_progress progress = half;

	progress.measured = 36;
	progress.part = 7;
	CHECK_S(recipe_progress_text(&progress, 32, text), "100 %, 0 s left, round 2 of 3: s");
}

TEST(no_line_is_longer_than_the_terminal)
{
	char whole[RECIPE_PROGRESS_TEXT_MAX];
	size_t cut = 0;

	for (uint32_t i = 0; i < 1000; i++) {
		struct recipe_progress progress = half;
		uint32_t columns = 1 + kit_random(600);
		progress.elapsed_ns = kit_random(1u << kit_random(31)) * NOW_NS_A_SECOND;
		progress.measured = kit_random(40);
		progress.round_count = kit_random(4);
		progress.answered_rate = (double)kit_random(1u << kit_random(31)) - 10;
		recipe_progress_text(&progress, RECIPE_PROGRESS_TEXT_MAX, whole);
		recipe_progress_text(&progress, columns, text);
		CHECK(strlen(text) <= columns);
		CHECK(strncmp(text, whole, strlen(text)) == 0);
		cut += strlen(text) < strlen(whole) ? 1 : 0;
		CHECK(strlen(text) == columns || strlen(text) == strlen(whole));
	}
	CHECK(cut > 50 && cut < 950);
}

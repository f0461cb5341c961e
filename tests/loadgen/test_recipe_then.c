/* test_recipe_then.c - old figures as people wrote them, and as programs read them. */
#include "loadgen/recipe_then.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

static const struct recipe_then_figure mixed[] = {
	{"direct", "rate", "answers/s", 48766, 0},
	{"direct", "mean", "ms", 1.22, 2},
	{"through", "rate", "answers/s", 159869, 0},
	{"through", "mean", "ms", 0.5, 2},
	{NULL, NULL, NULL, 0, 0},
};

static const struct recipe_then_figure alike[] = {
	{"Linux", "BIND", "answers/s", 845, 0},
	{"Linux", "NSD", "answers/s", 59645, 0},
	{NULL, NULL, NULL, 0, 0},
};

static const char *const remarks[] = {"no gain beyond 4", NULL};

static void check_text(const struct recipe_then *then, const char *want)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	CHECK(out != NULL);
	recipe_then_print(out, then);
	fclose(out);
	CHECK_S(text, want);
	free(text);
}

TEST(each_figure_has_its_unit)
{
	const struct recipe_then then = {.how = "BIND 10", .figures = mixed};

	check_text(&then, "  then (BIND 10)\n"
			  "                                            rate              mean\n"
			  "  direct                        48,766 answers/s           1.22 ms\n"
			  "  through                      159,869 answers/s           0.50 ms\n");
}

TEST(a_unit_of_all_is_said_once)
{
	const struct recipe_then then = {.how = "queryperf", .figures = alike};

	check_text(&then, "  then (queryperf), answers/s\n"
			  "                                            BIND               NSD\n"
			  "  Linux                                      845            59,645\n");
}

TEST(remarks_stand_alone_where_nobody_measured)
{
	const struct recipe_then then = {.remarks = remarks};

	check_text(&then, "  no gain beyond 4\n");
}

TEST(json_has_all_of_it)
{
	const struct recipe_then then = {.how = "BIND 10", .figures = mixed, .remarks = remarks};
	json_t *object = recipe_then_json(&then);
	char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));

	CHECK_S(text,
		"{\"how\":\"BIND 10\",\"figures\":["
		"{\"subject\":\"direct\",\"column\":\"rate\",\"unit\":\"answers/s\","
		"\"value\":48766.0},"
		"{\"subject\":\"direct\",\"column\":\"mean\",\"unit\":\"ms\",\"value\":1.22},"
		"{\"subject\":\"through\",\"column\":\"rate\",\"unit\":\"answers/s\","
		"\"value\":159869.0},"
		"{\"subject\":\"through\",\"column\":\"mean\",\"unit\":\"ms\",\"value\":0.5}],"
		"\"remarks\":[\"no gain beyond 4\"]}");
	free(text);
	json_decref(object);
}

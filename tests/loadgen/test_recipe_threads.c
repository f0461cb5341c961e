/* test_recipe_threads.c - the table of threads-2007, of figures that are made up. */
#include "loadgen/recipe_threads.h"

#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

static struct recipe_sheet sheet;

static void add(const char *setting, uint32_t workers, const struct recipe_figure *figure)
{
	const struct recipe_key key = {.subject = "saker",
		.setting = setting,
		.number_name = "workers",
		.number = workers};

	CHECK(recipe_sheet_add(&sheet, &key, figure) == STATUS_OK);
}

/* The lines of the table that begin with a resolver. */
static void check_lines(const char *want)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	CHECK(out != NULL);
	recipe_threads.print(out, &sheet);
	fclose(out);
	const char *lines = strstr(text, "  saker ");
	CHECK_S(lines == NULL ? "" : lines, want);
	CHECK(strstr(text, "processor") != NULL);
	free(text);
	recipe_sheet_fini(&sheet);
}

TEST(a_line_has_the_closed_loops_and_the_ramp)
{
	const struct recipe_figure cold = {.rate = 1000, .server_us = 20};
	const struct recipe_figure warm = {.rate = 3000, .server_us = 4, .is_tool_bound = true};
	const struct recipe_figure ramp = {.rate = 2500, .server_us = 4};

	recipe_sheet_init(&sheet);
	add("cold", 4, &cold);
	add("warm", 4, &warm);
	add("pruned", 4, &warm);
	add("ramp", 4, &ramp);
	check_lines("  saker          4     1000      50000     3000*    250000     3000*    250000"
		    "     2500 \n");
}

TEST(losses_of_closed_loops_are_told_and_a_ramp_has_to_lose)
{
	const struct recipe_figure loser = {.rate = 1000, .lost_part = 0.25, .error_part = 0.5};
	const struct recipe_figure ramp = {.rate = 2500, .lost_part = 0.75};

	recipe_sheet_init(&sheet);
	add("cold", 1, &loser);
	add("ramp", 1, &ramp);
	check_lines("  saker          1     1000          0        0          0        0          0"
		    "     2500   lost up to 25.0%  errors up to 50.0%\n");
}

TEST(what_was_not_asked_has_no_line)
{
	recipe_sheet_init(&sheet);
	check_lines("");
}

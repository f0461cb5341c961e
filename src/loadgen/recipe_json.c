/* recipe_json.c - the sheet as it is. */
#include "loadgen/recipe_json.h"

#include <jansson.h>

#include "loadgen/recipe.h"
#include "loadgen/report.h"
#include "loadgen/report_origin.h"

#define NS_A_US 1000.0

static json_t *make_figure(const struct recipe_figure *figure)
{
	return json_pack("{s:f, s:o, s:f, s:f, s:{s:f, s:f}, s:b, s:s}", "rate", figure->rate,
		"cpu_us_an_answer",
		figure->server_us > 0 ? json_real(figure->server_us) : json_null(), "lost_part",
		figure->lost_part, "error_part", figure->error_part, "latency_us", "p50",
		(double)figure->p50_ns / NS_A_US, "p99", (double)figure->p99_ns / NS_A_US,
		"tool_bottleneck", figure->is_tool_bound, "end", run_end_text(figure->end));
}

static json_t *make_row(const struct recipe_row *row)
{
	const struct recipe_figure median = recipe_sheet_median(row);
	json_t *object =
		json_pack("{s:s, s:s?}", "subject", row->key.subject, "setting", row->key.setting);
	json_t *rounds = json_array();

	if (row->key.number_name != NULL) {
		json_object_set_new(
			object, row->key.number_name, json_integer((json_int_t)row->key.number));
	}
	for (uint32_t i = 0; i < row->count; i++) {
		json_array_append_new(rounds, make_figure(&row->rounds[i]));
	}
	json_object_set_new(object, "rounds", rounds);
	json_object_set_new(object, "median", make_figure(&median));
	return object;
}

bool recipe_json(FILE *out, const struct recipe *recipe, const struct recipe_stage *stage,
	enum recipe_json_end end)
{
	static const char *const ends[] = {[RECIPE_JSON_DONE] = "done",
		[RECIPE_JSON_INTERRUPTED] = "interrupted",
		[RECIPE_JSON_FAILED] = "failed"};
	json_t *object = report_origin();
	json_t *now = json_array();

	json_object_set_new(object, "recipe", json_string(recipe->name));
	json_object_set_new(object, "asked", json_string(recipe->asked));
	json_object_set_new(object, "today", json_string(recipe->today));
	json_object_set_new(object, "end", json_string(ends[end]));
	json_object_set_new(object, "settings",
		json_pack("{s:f, s:i}", "seconds", stage->options->seconds, "rounds",
			(int)stage->options->rounds));
	json_object_set_new(object, "then", recipe_then_json(&recipe->then));
	for (size_t i = 0; i < stage->sheet.count; i++) {
		json_array_append_new(now, make_row(&stage->sheet.rows[i]));
	}
	json_object_set_new(object, "now", now);
	return report_json_write(out, object);
}

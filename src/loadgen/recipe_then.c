/* recipe_then.c - old figures, for people and for programs. */
#include "loadgen/recipe_then.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#define NAME_WIDTH   28
#define COLUMN_WIDTH 17

/* A unit that all figures share stands in the head; else each has its own. */
static bool is_one_unit(const struct recipe_then_figure *figures)
{
	const struct recipe_then_figure *at = figures;

	while (at->subject != NULL && strcmp(at->unit, figures->unit) == 0) {
		at++;
	}
	return at->subject == NULL;
}

/* The columns of the table are those of its first subject. */
static void print_heads(FILE *out, const struct recipe_then_figure *figures)
{
	fprintf(out, "  %-*s", NAME_WIDTH, "");
	for (const struct recipe_then_figure *at = figures;
		at->subject != NULL && strcmp(at->subject, figures->subject) == 0; at++) {
		fprintf(out, " %*s", COLUMN_WIDTH, at->column);
	}
	fputc('\n', out);
}

/* 38,845: as people wrote these. */
static void print_grouped(FILE *out, const struct recipe_then_figure *figure, const char *unit)
{
	char text[32];
	char grouped[48];
	size_t len = 0;

	snprintf(text, sizeof(text), "%.*f", figure->digits, figure->value);
	size_t whole = strcspn(text, ".");
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (i > 0 && i < whole && (whole - i) % 3 == 0) {
			grouped[len++] = ',';
		}
		grouped[len++] = text[i];
	}
	grouped[len] = '\0';
	snprintf(text, sizeof(text), "%.20s%s%.10s", grouped, unit[0] == '\0' ? "" : " ", unit);
	fprintf(out, " %*s", COLUMN_WIDTH, text);
}

static void print_figures(FILE *out, const struct recipe_then_figure *figures, bool is_one)
{
	const char *subject = "";

	for (const struct recipe_then_figure *at = figures; at->subject != NULL; at++) {
		if (strcmp(at->subject, subject) != 0) {
			fprintf(out, "%s  %-*s", subject[0] == '\0' ? "" : "\n", NAME_WIDTH,
				at->subject);
		}
		subject = at->subject;
		print_grouped(out, at, is_one ? "" : at->unit);
	}
	fputc('\n', out);
}

void recipe_then_print(FILE *out, const struct recipe_then *then)
{
	bool is_one = then->figures != NULL && is_one_unit(then->figures);

	if (then->how != NULL) {
		fprintf(out, "  then (%s)%s%s\n", then->how, is_one ? ", " : "",
			is_one ? then->figures->unit : "");
	}
	if (then->figures != NULL) {
		print_heads(out, then->figures);
		print_figures(out, then->figures, is_one);
	}
	for (size_t i = 0; then->remarks != NULL && then->remarks[i] != NULL; i++) {
		fprintf(out, "  %s\n", then->remarks[i]);
	}
}

json_t *recipe_then_json(const struct recipe_then *then)
{
	json_t *figures = json_array();
	json_t *remarks = json_array();

	for (const struct recipe_then_figure *at = then->figures; at != NULL && at->subject != NULL;
		at++) {
		json_array_append_new(
			figures, json_pack("{s:s, s:s, s:s, s:f}", "subject", at->subject, "column",
					 at->column, "unit", at->unit, "value", at->value));
	}
	for (size_t i = 0; then->remarks != NULL && then->remarks[i] != NULL; i++) {
		json_array_append_new(remarks, json_string(then->remarks[i]));
	}
	return json_pack(
		"{s:s?, s:o, s:o}", "how", then->how, "figures", figures, "remarks", remarks);
}

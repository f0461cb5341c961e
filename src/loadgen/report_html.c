/* report_html.c - the page with the JSON object inside. */
#include <jansson.h>

#include "loadgen/report.h"
#include "loadgen/report_page.h"

/* JSON that cannot end the element around it, whatever the texts in it are: `<` stands only inside strings, where
 * it may as well be written \u003c.
 */
static int write_json(const char *text, size_t len, void *context)
{
	FILE *out = context;
	size_t start = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '<') {
			fwrite(text + start, 1, i - start, out);
			fputs("\\u003c", out);
			start = i + 1;
		}
	}
	fwrite(text + start, 1, len - start, out);
	return ferror(out) == 0 ? 0 : -1;
}

bool report_html(FILE *out, const struct run_config *config, const struct run_result *result)
{
	json_t *object = report_json_make(config, result);

	if (object == NULL) {
		return false;
	}
	fwrite(report_page_head, 1, report_page_head_len, out);
	int failed =
		json_dump_callback(object, write_json, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(object);
	fwrite(report_page_tail, 1, report_page_tail_len, out);
	return failed == 0 && fflush(out) == 0 && ferror(out) == 0;
}

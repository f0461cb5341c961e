/* diag.c - formatting of complaints about text files. */
#include "base/diag.h"

#include <stdarg.h>

#define PLACE_MAX 24u /* octets of two numbers of ten digits, two colons and the zero */

void diag_report(const struct diag_sink *sink, enum diag_level level, const char *file,
	uint32_t line, uint32_t column, const char *format, ...)
{
	char text[DIAG_TEXT_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	struct diag diag = {
		.level = level, .file = file, .line = line, .column = column, .text = text};
	sink->report(sink->context, &diag);
}

void diag_print(void *context, const struct diag *diag)
{
	char place[PLACE_MAX] = "";
	FILE *out = context;

	if (diag->line != 0 && diag->column != 0) {
		snprintf(place, sizeof(place), "%u:%u:", diag->line, diag->column);
	} else if (diag->line != 0) {
		snprintf(place, sizeof(place), "%u:", diag->line);
	}
	/* One call, so that lines of several threads do not mix. */
	fprintf(out, "saker: %s:%s %s%s\n", diag->file, place,
		diag->level == DIAG_WARNING ? "warning: " : "", diag->text);
}

/* diag.c - formatting of complaints about text files. */
#include "base/diag.h"

#include <stdarg.h>

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
	FILE *out = context;

	fprintf(out, "saker: %s:", diag->file);
	if (diag->line != 0) {
		fprintf(out, "%u:", diag->line);
	}
	if (diag->column != 0) {
		fprintf(out, "%u:", diag->column);
	}
	fprintf(out, " %s%s\n", diag->level == DIAG_WARNING ? "warning: " : "", diag->text);
}

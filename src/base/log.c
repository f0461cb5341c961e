/* log.c - logfmt lines on standard error. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#define LINE_MAX_OCTETS 2048u /* below PIPE_BUF, so that lines of two threads never mix in a pipe */

static enum log_level level_max = LOG_LEVEL_INFO; /* changed before threads start only */

void log_set_level(enum log_level level)
{
	level_max = level;
}

PRINTF(2, 0) static void write_line(enum log_level level, const char *format, va_list args)
{
	static const char *const names[] = {"error", "warning", "info", "debug"};
	char line[LINE_MAX_OCTETS];

	if (level > level_max) {
		return;
	}
	int len = snprintf(line, sizeof(line), "level=%s ", names[level]);
	int more = vsnprintf(line + len, sizeof(line) - (size_t)len, format, args);
	if (more < 0) {
		return;
	}
	len = (size_t)len + (size_t)more >= sizeof(line) - 1 ? (int)sizeof(line) - 2 : len + more;
	line[len++] = '\n';
	/* A log that cannot be written has nobody to be reported to. */
	ssize_t written = write(STDERR_FILENO, line, (size_t)len);
	(void)written;
}

void log_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(LOG_LEVEL_ERROR, format, args);
	va_end(args);
}

void log_warning(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(LOG_LEVEL_WARNING, format, args);
	va_end(args);
}

void log_info(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(LOG_LEVEL_INFO, format, args);
	va_end(args);
}

void log_debug(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_line(LOG_LEVEL_DEBUG, format, args);
	va_end(args);
}

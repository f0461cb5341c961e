/* report_origin.c - version, command line, time and machine. */
#include "loadgen/report_origin.h"

#include <jansson.h>

#include "base/config.h"
#include "os/clock.h"
#include "os/machine.h"

/* null: not UTF-8, as a file's name on the command line may be. */
static json_t *text_or_null(const char *text)
{
	json_t *string = json_string(text);

	return string != NULL ? string : json_null();
}

json_t *report_origin(void)
{
	static struct machine machine; /* eight kilobytes */

	machine_read(&machine);
	return json_pack("{s:i, s:s, s:o, s:I, s:{s:o, s:I, s:I, s:o}}", "format",
		REPORT_ORIGIN_FORMAT, "version", SAKER_VERSION, "command",
		text_or_null(machine.command), "made_at_s", (json_int_t)clock_now().wall_s,
		"machine", "processor", text_or_null(machine.processor), "processors",
		(json_int_t)machine.processors, "memory", (json_int_t)machine.memory, "kernel",
		text_or_null(machine.kernel));
}

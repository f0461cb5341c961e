/* test_recording.c - recordings to lists. */
#include "loadgen/recording.h"

#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "kit/kit.h"
#include "loadgen/querylist.h"

static char notes[4096];

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u %s;", diag->line, diag->text);
}

TEST(a_list_is_of_class_in)
{
	static const char text[] = "client 192.0.2.1#1: query: B.test IN A +\n"
				   "client 192.0.2.1#1: query: version.bind CH TXT +\n"
				   "client 192.0.2.1#1: query: a IN MX +\n";
	struct capture_options options = {.port = 0};
	struct diag_sink sink = {.report = note};
	struct querylist list;
	uint64_t left_out;
	char out[256] = "";

	notes[0] = '\0';
	CHECK_U(querylist_init(&list), STATUS_OK);
	CHECK_U(recording_list(
			kit_temp_file(text, strlen(text)), &options, &sink, &list, &left_out),
		STATUS_OK);
	CHECK_U(left_out, 1);
	FILE *file = fmemopen(out, sizeof(out), "w");
	querylist_write(&list, UINT64_MAX, file);
	fclose(file);
	CHECK_S(out, "b.test. A\na. MX\n");
	querylist_fini(&list);
}

/* zonefile_print.c - prints what zonefile_read() reads, in the order of the file and without the checks
 * of the zone loader. For people who look for the reason of a difference; not installed.
 *
 *   zonefile_print ORIGIN FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/rrtype.h"
#include "zonefile/rdata_text.h"
#include "zonefile/zonefile.h"

static enum status print_record(void *context, const struct zonefile_record *record)
{
	char owner[NAME_TEXT_MAX];
	char type[RRTYPE_TEXT_MAX];
	char *text = context;

	rdata_text_print(record->type, record->rdata, record->rdata_len, text, RDATA_TEXT_MAX);
	printf("%s\t%u\tIN\t%s\t%s\n", name_to_text(record->owner, owner), record->ttl,
		rrtype_to_text(record->type, type), text);
	return STATUS_OK;
}

int main(int argc, char **argv)
{
	const struct name root = {.len = 1, .octets = {0}};
	struct name origin;
	char *text = malloc(RDATA_TEXT_MAX);

	if (argc != 3 || text == NULL ||
		name_from_text(argv[1], (uint32_t)strlen(argv[1]), &root, &origin) != WIRE_OK) {
		fprintf(stderr, "usage: zonefile_print ORIGIN FILE\n");
		free(text);
		return 2;
	}
	const struct zonefile_sink sink = {
		.record = print_record, .context = text, .diag = {diag_print, stderr}};
	enum status status = zonefile_read(argv[2], &origin, &sink);
	free(text);
	return status == STATUS_OK ? 0 : 1;
}

/* fuzz_linefile.c - any octets as a file of expected answers, as one of dynamic updates, and as a stream of messages. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loadgen/checkfile.h"
#include "loadgen/streamfile.h"
#include "loadgen/updatefile.h"

#define QUERIES 2u

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

/* Addresses of a.test and b.test, without their IDs. */
static uint8_t query_octets[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 4, 't', 'e', 's', 't', 0, 0,
	1, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'b', 4, 't', 'e', 's', 't', 0, 0, 1, 0, 1};
static struct queryfile_item items[] = {
	{.off = 0, .len = 22, .question_len = 12},
	{.off = 22, .len = 22, .question_len = 12},
};

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static void read_texts(struct queryfile *queries)
{
	char text[QUERYFILE_TEXT_MAX];

	for (uint32_t i = 0; i < queries->count; i++) {
		queryfile_text(queries, i, text);
	}
	queryfile_fini(queries);
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	const struct queryfile queries = {.octets = query_octets, .items = items, .count = QUERIES};
	const struct diag_sink sink = {.report = ignore};
	struct answerbook book;
	struct queryfile read;
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, octets, len) != (ssize_t)len ||
		answerbook_init(&book, QUERIES) != STATUS_OK) {
		abort();
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (checkfile_read(path, &queries, &sink, &book) == STATUS_OK &&
		book.entries[0].known == ANSWERBOOK_ANY &&
		book.entries[1].known == ANSWERBOOK_ANY) {
		abort(); /* a file that tells of none of the queries is refused */
	}
	answerbook_fini(&book);
	if (updatefile_read(path, len % 2 == 0, &sink, &read) == STATUS_OK) {
		read_texts(&read);
	}
	if (streamfile_read(path, len % 2 == 0, &sink, &read) == STATUS_OK) {
		read_texts(&read);
	}
	close(fd);
	return 0;
}

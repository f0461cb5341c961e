/* bench_zonefile.c - how fast zonefile_read() is: MB/s of text and ns a record.
 *
 *   bench_zonefile ORIGIN FILE [ROUNDS]
 *
 * Reading the file from the page cache counts; the sink only counts. Without arguments a delegation
 * zone is made up in memory, so that `meson test --benchmark` needs no file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "zonefile/zonefile.h"

#define ROUNDS      5u
#define DELEGATIONS 200000u
#define LINE_OCTETS 160u /* of one made-up delegation, three records */
#define NS_A_SECOND 1000000000ull
#define NS_A_MICRO  1000.0

struct counts {
	uint64_t records;
	uint64_t octets;
};

static enum status count_record(void *context, const struct zonefile_record *record)
{
	struct counts *counts = context;

	counts->records++;
	counts->octets += record->rdata_len + record->owner->len + record->ttl;
	return STATUS_OK;
}

static uint64_t cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * NS_A_SECOND + (uint64_t)time.tv_nsec;
}

static char *make_text(size_t *len_out)
{
	char *text = malloc((size_t)DELEGATIONS * LINE_OCTETS);
	size_t len = 0;

	for (uint32_t i = 0; text != NULL && i < DELEGATIONS; i++) {
		len += (size_t)snprintf(text + len, LINE_OCTETS,
			"d%07x.tld. 172800 IN NS ns1.d%07x.tld.\n"
			"d%07x.tld. 172800 IN NS ns2.host%u.example.\n"
			"ns1.d%07x.tld. 172800 IN A 198.51.100.%u\n",
			i, i, i, i % 5000, i, i % 256);
	}
	*len_out = len;
	return text;
}

int main(int argc, char **argv)
{
	const char *origin_text = argc > 2 ? argv[1] : "tld.";
	uint32_t rounds = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : ROUNDS;
	const struct name root = {.len = 1, .octets = {0}};
	struct name origin;
	struct counts counts = {0};
	uint64_t best_ns = UINT64_MAX;
	size_t len = 0;
	char *text = argc > 2 ? NULL : make_text(&len);

	if (name_from_text(origin_text, (uint32_t)strlen(origin_text), &root, &origin) != WIRE_OK ||
		(argc <= 2 && text == NULL)) {
		return 1;
	}
	const struct zonefile_sink sink = {
		.record = count_record, .context = &counts, .diag = {diag_print, stderr}};
	for (uint32_t round = 0; round < rounds; round++) {
		counts = (struct counts){0};
		uint64_t start = cpu_ns();
		enum status status =
			text != NULL ? zonefile_read_octets("made up", text, len, &origin, &sink)
				     : zonefile_read(argv[2], &origin, &sink);
		uint64_t took = cpu_ns() - start;
		if (status != STATUS_OK) {
			return 1;
		}
		best_ns = took < best_ns ? took : best_ns;
	}
	if (text == NULL) {
		FILE *file = fopen(argv[2], "rb");
		if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
			return 1;
		}
		len = (size_t)ftell(file);
		fclose(file);
	}
	printf("%llu records, %zu octets: %.0f MB/s, %.1f ns a record, %.3f s (best of %u)\n",
		(unsigned long long)counts.records, len, (double)len * NS_A_MICRO / (double)best_ns,
		(double)best_ns / (double)counts.records, (double)best_ns / (double)NS_A_SECOND,
		rounds);
	free(text);
	return 0;
}

/* bench_answer.c - what an answer costs without the kernel: nanoseconds, and under callgrind instructions.
 *
 * usage: bench_answer ZONE FILE QUERYFILE [plain|do|mixed [ROUNDS]]
 * Answers the first 4096 queries of the file in batches of 64, again and again; prints one line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "base/octets.h"
#include "base/publish.h"
#include "os/clock.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "zone/load.h"
#include "zone/zone.h"

#define QUERIES_MAX                                                                                \
	4096u /* more than fit the caches with what they ask for, few enough for callgrind */
#define QUERY_LEN 320u
#define SLOT_LEN  2112u /* as the server's slots: 33 cache lines */

struct query {
	uint8_t octets[QUERY_LEN];
	uint32_t len;
};

static struct query queries[QUERIES_MAX];
static uint8_t slots[ANSWER_BATCH_MAX][SLOT_LEN];

static void fail(const char *what)
{
	fprintf(stderr, "bench_answer: %s\n", what);
	exit(1);
}

static uint32_t put_opt(uint8_t *out, bool with_do, bool with_cookie)
{
	static const uint8_t cookie[12] = {0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8};

	out[0] = 0;
	octets_put_u16(out + 1, RRTYPE_OPT);
	octets_put_u16(out + 3, 1232);
	octets_put_u32(out + 5, with_do ? 0x8000 : 0);
	octets_put_u16(out + 9, with_cookie ? sizeof(cookie) : 0);
	if (!with_cookie) {
		return 11;
	}
	memcpy(out + 11, cookie, sizeof(cookie));
	return 11 + sizeof(cookie);
}

/* mode: as gen.c has it: of ten mixed queries three without EDNS, two with DO, five with a cookie. */
static void make_query(
	struct query *query, const struct name *name, uint16_t type, char mode, uint32_t idx)
{
	static const char mix[] = "c-cdc-cdc-";
	char kind = mode == 'd' ? 'd' : mode == 'm' ? mix[idx % 10] : '-';

	memset(query->octets, 0, 12);
	query->octets[5] = 1;
	memcpy(query->octets + 12, name->octets, name->len);
	query->len = 12u + name->len;
	octets_put_u16(query->octets + query->len, type);
	octets_put_u16(query->octets + query->len + 2, CLASS_IN);
	query->len += 4;
	if (kind != '-') {
		query->octets[11] = 1;
		query->len += put_opt(query->octets + query->len, kind == 'd', kind == 'c');
	}
}

static uint32_t read_queries(const char *path, char mode)
{
	FILE *file = fopen(path, "r");
	char line[1200], text[1100], type_text[20];
	const struct name root = {.len = 1, .octets = {0}};
	uint32_t count = 0;

	if (file == NULL) {
		fail("the query file cannot be read");
	}
	while (count < QUERIES_MAX && fgets(line, sizeof(line), file) != NULL) {
		struct name name;
		uint16_t type;
		if (sscanf(line, "%1099s %19s", text, type_text) == 2 &&
			name_from_text(text, (uint32_t)strlen(text), &root, &name) == WIRE_OK &&
			rrtype_from_text(type_text, (uint32_t)strlen(type_text), &type)) {
			make_query(&queries[count], &name, type, mode, count);
			count++;
		}
	}
	fclose(file);
	if (count == 0) {
		fail("no queries in the file");
	}
	return count;
}

static struct answerer *serve(const char *zone_text, const char *path)
{
	static struct published published;
	const struct hash_key key = {{0x243f6a8885a308d3u, 0x13198a2e03707344u}};
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	const struct answer_config config = ANSWER_CONFIG_DEFAULT;
	const struct name root = {.len = 1, .octets = {0}};
	struct load *load = load_new();
	struct name origin;
	struct image *image = NULL;

	if (load == NULL ||
		name_from_text(zone_text, (uint32_t)strlen(zone_text), &root, &origin) != WIRE_OK ||
		load_file(load, path, &origin, &key, &sink, NULL, &image) != STATUS_OK) {
		fail("the zone does not load");
	}
	load_free(load);
	struct zone *zone = zone_new(&origin);
	if (zone == NULL) {
		fail("no memory");
	}
	zone_publish(zone, image);
	publish_set(&published, zone_set_new(&key, &zone, 1));
	return answerer_new(&published, &config);
}

/* All queries once; returns the octets answered. */
static uint64_t answer_all(struct answerer *answerer, uint32_t count)
{
	struct request requests[ANSWER_BATCH_MAX];
	uint64_t octets = 0;

	for (uint32_t start = 0; start < count; start += ANSWER_BATCH_MAX) {
		uint32_t batch =
			count - start < ANSWER_BATCH_MAX ? count - start : ANSWER_BATCH_MAX;
		for (uint32_t i = 0; i < batch; i++) {
			const struct query *query = &queries[start + i];
			memcpy(slots[i], query->octets, query->len);
			requests[i] = (struct request){.octets = slots[i],
				.len = query->len,
				.cap = 2048,
				.transport = REQUEST_UDP};
		}
		answer_batch(answerer, requests, batch, (struct now){0});
		for (uint32_t i = 0; i < batch; i++) {
			octets += requests[i].answer_len;
		}
	}
	return octets;
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr,
			"usage: bench_answer ZONE FILE QUERYFILE [plain|do|mixed [ROUNDS]]\n");
		return 2;
	}
	uint32_t rounds = argc > 5 ? (uint32_t)atoi(argv[5]) : 200;
	uint32_t count = read_queries(argv[3], argc > 4 ? argv[4][0] : 'p');
	struct answerer *answerer = serve(argv[1], argv[2]);
	uint64_t octets = answer_all(answerer, count);
	uint64_t best_ns = UINT64_MAX;

	for (uint32_t round = 1; round < rounds; round++) {
		uint64_t start_ns = clock_cpu_ns();
		answer_all(answerer, count);
		uint64_t took_ns = clock_cpu_ns() - start_ns;
		best_ns = took_ns < best_ns ? took_ns : best_ns;
	}
	printf("%-20s %7.1f ns an answer (best of %u), %.1f octets an answer\n", argv[1],
		rounds > 1 ? (double)best_ns / count : 0.0, rounds, (double)octets / count);
	return 0;
}

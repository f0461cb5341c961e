/* bench_hits.c - what an answer from the resolver's cache costs without the kernel: nanoseconds, under callgrind instructions.
 *
 * usage: bench_hits [plain|do [ROUNDS]]
 * Asks for 4,096 names, so that their answers are kept, then again and again in batches of 64; prints one line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "base/publish.h"
#include "cache/cache.h"
#include "os/clock.h"
#include "resolve/compose.h"
#include "resolve/core.h"
#include "resolve/hit.h"
#include "resolve/search.h"
#include "wire/message.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define QUERIES_MAX 4096u
#define QUERY_LEN   64u
#define SLOT_LEN    2112u /* as the server's slots: 33 cache lines */
#define BATCH       RESOLVE_HITS_MAX
#define CACHE_SIZE  (64u << 20)

struct query {
	uint8_t octets[QUERY_LEN];
	uint32_t len;
};

static struct query queries[QUERIES_MAX];
static uint8_t slots[BATCH][SLOT_LEN];

static void fail(const char *what)
{
	fprintf(stderr, "bench_hits: %s\n", what);
	exit(1);
}

static void make_query(struct query *query, uint32_t number, bool dnssec_ok)
{
	static const uint8_t opt[11] = {0, 0, RRTYPE_OPT, 1232 >> 8, 1232 & 0xff, 0, 0, 0x80};
	uint8_t *at = query->octets;

	memset(at, 0, 12);
	at[2] = 1; /* RD */
	at[5] = 1;
	at[11] = dnssec_ok;
	int len = snprintf((char *)at + 13, 16, "www%07x", number * 7919u % 268435455u);
	at[12] = (uint8_t)len;
	at += 13 + len;
	memcpy(at, "\4host\7example", 14);
	octets_put_u16(at + 14, RRTYPE_A);
	octets_put_u16(at + 16, CLASS_IN);
	at += 18;
	if (dnssec_ok) {
		memcpy(at, opt, sizeof(opt));
		at += sizeof(opt);
	}
	query->len = (uint32_t)(at - query->octets);
}

/* What the first two questions would leave in the cache. */
static void keep(struct resolve *core, const struct query *query, struct arena *arena)
{
	static const uint8_t address[4] = {192, 0, 2, 1};
	const struct rrset_rdata rdata = {.octets = address, .len = sizeof(address)};
	struct search_result result = {.end = SEARCH_SET,
		.status = DNSSEC_INSECURE,
		.ede = EDE_NONE,
		.answer_count = 1,
		.set_count = 1,
		.ttls = {3600},
		.ttl_s = 3600};
	struct compose_client client = {.qtype = RRTYPE_A, .limit = 1232};
	struct compose_ttls ttls;
	struct message message;
	uint8_t out[1232];

	if (!message_parse_fast(query->octets, query->len, &message)) {
		fail("a query that is none");
	}
	client.dnssec_ok = message.edns_do;
	client.qname.len = message.qname_len;
	client.qname.label_count = message.label_count;
	memcpy(client.qname.octets, query->octets + WIRE_HEADER_LEN, message.qname_len);
	result.sets[0] = rrset_make(arena, &client.qname, RRTYPE_A, 3600, &rdata, 1, NULL, 0);
	struct compose_answer answer = {.ede = EDE_NONE, .part_count = 1};
	answer.parts[0] = (struct compose_part){.name = client.qname, .result = &result};
	uint32_t len =
		result.sets[0] == NULL ? 0 : compose(&client, &answer, out, sizeof(out), &ttls);
	if (len == 0) {
		fail("no memory");
	}
	hit_keep(core, &client, &answer, out, len, &ttls);
	arena_reset(arena);
}

/* All queries once; returns the octets answered. */
static uint64_t answer_all(struct resolve *core, struct now now)
{
	struct resolve_hit hits[BATCH];
	uint64_t octets = 0;

	for (uint32_t start = 0; start < QUERIES_MAX; start += BATCH) {
		for (uint32_t i = 0; i < BATCH; i++) {
			const struct query *query = &queries[start + i];
			memcpy(slots[i], query->octets, query->len);
			hits[i] = (struct resolve_hit){
				.octets = slots[i], .len = query->len, .cap = SLOT_LEN};
		}
		resolve_hits(core, hits, BATCH, now);
		for (uint32_t i = 0; i < BATCH; i++) {
			if (hits[i].answer_len == 0) {
				fail("an answer is not there");
			}
			octets += hits[i].answer_len;
		}
	}
	publish_quiescent();
	return octets;
}

int main(int argc, char **argv)
{
	static const uint8_t key[16] = {7}, secret[32] = {7};
	const char *mode = argc > 1 ? argv[1] : "plain";
	uint32_t rounds = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
	const struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	struct resolve_shared shared = {.cache = NULL};
	struct arena arena;

	publish_register();
	shared.cache = cache_new(CACHE_SIZE, key);
	struct resolve *core = shared.cache != NULL ? resolve_new(&config, &shared, secret) : NULL;
	if (core == NULL) {
		fail("no memory");
	}
	core->now = clock_now();
	arena_init(&arena, 1u << 20);
	for (uint32_t i = 0; i < QUERIES_MAX; i++) {
		make_query(&queries[i], i, strcmp(mode, "do") == 0);
		keep(core, &queries[i], &arena);
	}
	const struct now begin = clock_now();
	uint64_t octets = 0;
	for (uint32_t round = 0; round < rounds; round++) {
		octets += answer_all(core, begin);
	}
	const struct now end = clock_now();
	printf("warm %-5s           %7.1f ns an answer of %" PRIu64 " octets\n", mode,
		(double)(end.mono_ns - begin.mono_ns) / ((double)rounds * QUERIES_MAX),
		octets / rounds / QUERIES_MAX);
	resolve_free(core);
	arena_fini(&arena);
	publish_offline();
	cache_free(shared.cache);
	publish_online();
	publish_unregister();
	return 0;
}

/* test_layout.c - no cache line is written by two workers on a query's way.
 *
 * The worker's file is taken in whole, since what it is made of is nobody's business but its own.
 */
#include "../../src/server/worker.c"

#include <malloc.h>

#include "kit/kit.h"

#define WORKERS    8u
#define PIECES_MAX 8u

static struct published no_zones;

struct piece {
	uintptr_t from_line;
	uintptr_t to_line; /* behind the last */
};

static struct piece piece_of(const void *at)
{
	uintptr_t from = (uintptr_t)at;
	size_t len = malloc_usable_size((void *)from);

	CHECK_U(from % CACHE_LINE, 0);
	/* An allocator may say that some octets more can be used; behind a whole line nobody uses them. */
	return (struct piece){from / CACHE_LINE, (from + len) / CACHE_LINE};
}

/* Everything that a worker writes while it answers datagrams. */
static uint32_t pieces_of(const struct worker *of, struct piece *out)
{
	uint32_t count = 0;

	out[count++] = piece_of(of);
	out[count++] = piece_of(of->answerer);
	out[count++] = piece_of(of->streams);
	out[count++] = piece_of(of->batch);
	out[count++] = piece_of(of->batch->kernel);
	return count;
}

TEST(what_main_reads_and_what_the_worker_alone_writes_are_apart)
{
	CHECK_U(offsetof(struct worker, counters), 0);
	CHECK_U(offsetof(struct worker, poll) % CACHE_LINE, 0);
	CHECK(offsetof(struct worker, poll) >= sizeof(struct worker_counters));
	CHECK_U(_Alignof(struct worker) % CACHE_LINE, 0);
	CHECK_U(sizeof(struct worker) % CACHE_LINE, 0);
}

TEST(no_two_workers_write_one_cache_line)
{
	struct worker_config config = {
		.stream = STREAM_CONFIG_DEFAULT, .answer = ANSWER_CONFIG_DEFAULT};
	struct worker *workers[WORKERS];
	struct piece pieces[WORKERS * PIECES_MAX];
	uint32_t count = 0;
	struct addr addr;

	publish_register();
	CHECK(addr_parse("127.0.0.1:0", 0, &addr));
	for (uint32_t i = 0; i < WORKERS; i++) {
		workers[i] = worker_new(i, &config, &no_zones);
		CHECK(workers[i] != NULL);
		int fd = socket_udp_bind(&addr, 0);
		CHECK(fd >= 0);
		CHECK_U(worker_add_udp(workers[i], fd, false), STATUS_OK);
	}
	for (uint32_t i = 0; i < WORKERS; i++) {
		count += pieces_of(workers[i], pieces + count);
	}
	for (uint32_t i = 0; i < count; i++) {
		CHECK(pieces[i].from_line < pieces[i].to_line);
		for (uint32_t j = 0; j < i; j++) {
			CHECK(pieces[i].to_line <= pieces[j].from_line ||
				pieces[j].to_line <= pieces[i].from_line);
		}
	}
	for (uint32_t i = 0; i < WORKERS; i++) {
		worker_free(workers[i]);
	}
	publish_unregister();
}

TEST(lines_begin_and_end_with_a_line)
{
	for (size_t len = 1; len < 1000; len += 7) {
		uint8_t *a = lines_new(len);
		uint8_t *b = lines_new(len);
		CHECK(a != NULL && b != NULL);
		CHECK_U((uintptr_t)a % CACHE_LINE, 0);
		CHECK((uintptr_t)(a + len - 1) / CACHE_LINE != (uintptr_t)b / CACHE_LINE);
		CHECK((uintptr_t)(b + len - 1) / CACHE_LINE != (uintptr_t)a / CACHE_LINE);
		CHECK_U(malloc_usable_size(a) / CACHE_LINE, (len + CACHE_LINE - 1) / CACHE_LINE);
		for (size_t i = 0; i < len; i++) {
			CHECK_U(a[i], 0);
		}
		free(a);
		free(b);
	}
}

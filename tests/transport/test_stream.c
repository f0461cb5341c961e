/* test_stream.c - TCP connections over socket pairs, on a clock that the test moves.
 *
 * A socket pair has the two properties that matter: octets arrive in any pieces, and a peer that does not
 * read fills the buffer. What was written is there when the call returns, so nothing waits.
 */
#include "transport/stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/octets.h"
#include "kit/kit.h"
#include "os/poll.h"
#include "os/socket.h"

#define QUERY_LEN 20u /* octets of a test query, its length not included */
#define FRAME_LEN (QUERY_LEN + 2u)

static struct poll poll;
static struct stream_set *set;
static struct stream_counters counters;
static struct now now;
static uint32_t answer_len; /* of every answer; 0: as long as its query */
static uint32_t calls;

/* The answer is the query with QR set, as long as the test wants it. Octet 4 of 0xee means no answer. */
static void answer(void *context, struct request *requests, uint32_t count, struct now at)
{
	(void)context;
	(void)at;
	calls++;
	for (uint32_t i = 0; i < count; i++) {
		CHECK_U(requests[i].transport, REQUEST_TCP);
		CHECK_U(requests[i].cap, 65535);
		requests[i].octets[2] |= 0x80;
		if (requests[i].octets[4] == 0xee) {
			continue;
		}
		requests[i].answer_len = answer_len != 0 ? answer_len : requests[i].len;
	}
}

static const struct transport_handler handler = {.answer = answer};

static void open_set(struct stream_config config)
{
	memset(&counters, 0, sizeof(counters));
	now = (struct now){.mono_ns = NOW_NS_A_SECOND, .wall_s = 1};
	answer_len = calls = 0;
	CHECK_U(poll_init(&poll), STATUS_OK);
	set = stream_set_new(&config, &poll, &handler, &counters);
	CHECK(set != NULL);
}

static void close_set(void)
{
	stream_set_free(set);
	poll_fini(&poll);
}

/* A connection; returns the peer's end. */
static int open_peer(void)
{
	int ends[2];

	CHECK_U(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
	CHECK_U(stream_adopt(set, ends[0], now), STATUS_OK);
	return ends[1];
}

/* One round of the worker's loop without waiting; returns how many events there were. */
static uint32_t step(void)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint32_t count = poll_wait(&poll, events, 0);

	for (uint32_t i = 0; i < count; i++) {
		stream_event(set, events[i].context, events[i].flags, now);
	}
	stream_expire(set, now);
	return count;
}

static void settle_all(void)
{
	for (uint32_t i = 0; i < 10000 && step() != 0; i++) {
	}
}

static void pass_ms(uint64_t ms)
{
	now.mono_ns += ms * NOW_NS_A_MILLISECOND;
	stream_expire(set, now);
}

/* count queries with the IDs first, first + 1, ...; returns their octets. */
static uint32_t make_queries(uint8_t *out, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *at = out + i * FRAME_LEN;
		memset(at, 0, FRAME_LEN);
		octets_put_u16(at, QUERY_LEN);
		octets_put_u16(at + 2, (uint16_t)(first + i));
	}
	return count * FRAME_LEN;
}

/* Reads whatever is there and checks that it is answers with the IDs *next, *next + 1, ...
 *
 * Half an answer is kept for the next call.
 */
static uint32_t hear(int peer, uint32_t *next)
{
	static uint8_t kept[1 << 17];
	static uint32_t kept_len;
	uint32_t heard = 0;
	ssize_t got;

	if (*next == 0) {
		kept_len = 0;
	}
	while ((got = socket_read(peer, kept + kept_len, 65536)) > 0) {
		uint32_t off = 0;
		kept_len += (uint32_t)got;
		while (kept_len - off >= 2) {
			uint32_t len = octets_get_u16(kept + off);
			if (kept_len - off - 2 < len) {
				break;
			}
			CHECK_U(octets_get_u16(kept + off + 2), *next & 0xffff);
			CHECK_U(kept[off + 4], 0x80);
			CHECK_U(len, answer_len != 0 ? answer_len : QUERY_LEN);
			off += 2 + len;
			++*next;
			heard++;
		}
		memmove(kept, kept + off, kept_len - off);
		kept_len -= off;
	}
	return heard;
}

static bool peer_is_closed(int peer)
{
	uint8_t octet;

	return socket_read(peer, &octet, 1) == 0;
}

static void say(int peer, const uint8_t *octets, uint32_t len)
{
	CHECK_U(socket_write(peer, octets, len), len);
}

TEST(many_queries_in_one_write_are_answered_in_order_and_in_batches)
{
	uint8_t octets[90 * FRAME_LEN];
	uint32_t next = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	say(peer, octets, make_queries(octets, 0, 90));
	CHECK_U(step(), 1);
	CHECK_U(hear(peer, &next), 90);
	CHECK_U(calls, (90 + STREAM_BATCH_MAX - 1) / STREAM_BATCH_MAX);
	CHECK_U(counter_get(&counters.queries), 90);
	CHECK_U(counter_get(&counters.answers), 90);
	CHECK_U(step(), 0);
	close(peer);
	close_set();
}

TEST(a_turn_reads_no_more_than_its_share)
{
	uint8_t octets[200 * FRAME_LEN];
	uint32_t next = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	say(peer, octets, make_queries(octets, 0, 200));
	CHECK_U(step(), 1);
	CHECK_U(hear(peer, &next), STREAM_READ_LEN / FRAME_LEN);
	settle_all();
	hear(peer, &next);
	CHECK_U(next, 200);
	close(peer);
	close_set();
}

TEST(queries_may_come_in_any_pieces)
{
	uint8_t octets[300 * FRAME_LEN];
	uint32_t len = make_queries(octets, 0, 300);

	for (uint32_t most = 1; most < 100; most += 7) {
		uint32_t next = 0;
		open_set(STREAM_CONFIG_DEFAULT);
		int peer = open_peer();
		for (uint32_t off = 0; off < len;) {
			uint32_t piece = 1 + kit_random(most);
			piece = piece < len - off ? piece : len - off;
			say(peer, octets + off, piece);
			off += piece;
			step();
			hear(peer, &next);
			CHECK_U(next, off / FRAME_LEN);
		}
		CHECK_U(next, 300);
		close(peer);
		close_set();
	}
}

TEST(the_longest_message_is_taken_and_answered)
{
	static uint8_t octets[2 + 65535];
	static uint8_t got[2 + 65535 + 1];
	size_t got_len = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	for (size_t i = 2; i < sizeof(octets); i++) {
		octets[i] = (uint8_t)(i * 7);
	}
	octets_put_u16(octets, 65535);
	octets[4] = 0;
	octets[6] = 0;
	for (size_t off = 0; off < sizeof(octets);) {
		ssize_t sent = socket_write(peer, octets + off, sizeof(octets) - off);
		off += sent > 0 ? (size_t)sent : 0;
		step();
	}
	for (uint32_t i = 0; i < 1000; i++) {
		ssize_t len = socket_read(peer, got + got_len, sizeof(got) - got_len);
		got_len += len > 0 ? (size_t)len : 0;
		step();
	}
	octets[4] |= 0x80;
	CHECK_OCTETS(got, got_len, octets, sizeof(octets));
	close(peer);
	close_set();
}

TEST(a_peer_that_does_not_read_is_not_read_and_loses_nothing)
{
	uint8_t octets[50 * FRAME_LEN];
	uint32_t next = 0;
	uint32_t asked = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	answer_len = 30000;
	int peer = open_peer();
	while (asked < 1000) {
		make_queries(octets, asked, 50);
		if (socket_write(peer, octets, sizeof(octets)) != (ssize_t)sizeof(octets)) {
			break;
		}
		asked += 50;
		settle_all();
	}
	/* The socket's buffer took some answers, one batch is held, and reading has stopped. */
	CHECK(counter_get(&counters.held_len) > 0);
	CHECK(counter_get(&counters.held_len) <= STREAM_BATCH_MAX * (answer_len + 2));
	CHECK(counter_get(&counters.queries) < asked);
	for (uint32_t i = 0; i < 100000 && next < asked; i++) {
		hear(peer, &next);
		step();
	}
	CHECK_U(next, asked);
	CHECK_U(counter_get(&counters.queries), asked);
	close(peer);
	close_set();
}

TEST(a_peer_that_never_reads_is_closed_in_time)
{
	uint8_t octets[50 * FRAME_LEN];

	open_set(STREAM_CONFIG_DEFAULT);
	answer_len = 60000;
	int peer = open_peer();
	say(peer, octets, make_queries(octets, 0, 50));
	settle_all();
	CHECK(counter_get(&counters.held_len) > 0);
	pass_ms(STREAM_CONFIG_DEFAULT.write_timeout_ms - 1);
	CHECK_U(stream_set_count(set), 1);
	CHECK_U(stream_wait_ms(set, now), 1);
	pass_ms(1);
	CHECK_U(stream_set_count(set), 0);
	CHECK_U(counter_get(&counters.expired), 1);
	CHECK(stream_wait_ms(set, now) == -1);
	close(peer);
	close_set();
}

TEST(an_idle_connection_is_closed_and_a_busy_one_stays)
{
	uint8_t octets[FRAME_LEN];
	uint32_t next = 0;
	uint32_t timeout_ms = STREAM_CONFIG_DEFAULT.idle_timeout_ms;

	open_set(STREAM_CONFIG_DEFAULT);
	int idle = open_peer();
	int busy = open_peer();
	CHECK_U(stream_wait_ms(set, now), timeout_ms);
	pass_ms(timeout_ms - 1);
	say(busy, octets, make_queries(octets, 0, 1));
	step();
	CHECK_U(hear(busy, &next), 1);
	CHECK_U(stream_wait_ms(set, now), 1);
	pass_ms(1);
	CHECK_U(stream_set_count(set), 1);
	CHECK(peer_is_closed(idle));
	CHECK_U(stream_wait_ms(set, now), timeout_ms - 1);
	pass_ms(timeout_ms - 1);
	CHECK_U(stream_set_count(set), 0);
	CHECK(peer_is_closed(busy));
	close(idle);
	close(busy);
	close_set();
}

TEST(a_trickle_does_not_renew_the_time_for_half_a_query)
{
	uint8_t octets[FRAME_LEN];
	uint32_t timeout_ms = STREAM_CONFIG_DEFAULT.read_timeout_ms;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	make_queries(octets, 0, 1);
	for (uint32_t i = 0; i < 10; i++) {
		say(peer, octets + i, 1);
		step();
		pass_ms(timeout_ms / 10 - 1);
		CHECK_U(stream_set_count(set), 1);
	}
	pass_ms(10);
	CHECK_U(stream_set_count(set), 0);
	CHECK(peer_is_closed(peer));
	close(peer);
	close_set();
}

TEST(the_longest_idle_goes_where_one_too_many_comes)
{
	uint8_t octets[FRAME_LEN];
	struct stream_config config = STREAM_CONFIG_DEFAULT;
	int peers[4];

	config.connections_max = 3;
	open_set(config);
	for (uint32_t i = 0; i < 3; i++) {
		peers[i] = open_peer();
	}
	say(peers[0], octets, make_queries(octets, 0, 1)); /* the oldest is not the longest idle */
	step();
	peers[3] = open_peer();
	CHECK_U(stream_set_count(set), 3);
	CHECK_U(counter_get(&counters.evicted), 1);
	CHECK(peer_is_closed(peers[1]));
	for (uint32_t i = 0; i < 4; i++) {
		close(peers[i]);
	}
	settle_all();
	CHECK_U(stream_set_count(set), 0);
	close_set();
}

TEST(an_event_for_a_connection_closed_in_the_same_round_is_ignored)
{
	uint8_t octets[FRAME_LEN];
	struct stream_config config = STREAM_CONFIG_DEFAULT;
	struct poll_event events[POLL_EVENTS_MAX];

	config.connections_max = 1;
	open_set(config);
	int first = open_peer();
	say(first, octets, make_queries(octets, 0, 1));
	CHECK_U(poll_wait(&poll, events, 0), 1);
	int second = open_peer(); /* takes the place of the first */
	CHECK_U(stream_event(set, events[0].context, events[0].flags, now), 0);
	stream_expire(set, now);
	CHECK_U(stream_set_count(set), 1);
	close(first);
	close(second);
	close_set();
}

TEST(a_message_without_room_for_a_header_ends_the_connection)
{
	for (uint32_t len = 0; len < 12; len++) {
		uint8_t octets[FRAME_LEN + 14] = {0};
		uint32_t next = 0;

		open_set(STREAM_CONFIG_DEFAULT);
		int peer = open_peer();
		make_queries(octets, 0, 1);
		octets_put_u16(octets + FRAME_LEN, (uint16_t)len);
		say(peer, octets, FRAME_LEN + 2 + len);
		step();
		CHECK_U(hear(peer, &next), 1); /* what came before is answered */
		CHECK(peer_is_closed(peer));
		CHECK_U(counter_get(&counters.garbage), 1);
		CHECK_U(stream_set_count(set), 0);
		close(peer);
		close_set();
	}
}

TEST(a_query_without_an_answer_does_not_stop_the_next)
{
	uint8_t octets[3 * FRAME_LEN];
	uint32_t next = 7;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	make_queries(octets, 6, 2);
	octets[2 + 4] = 0xee;
	say(peer, octets, 2 * FRAME_LEN);
	step();
	CHECK_U(hear(peer, &next), 1);
	CHECK_U(counter_get(&counters.answers), 1);
	close(peer);
	close_set();
}

TEST(queries_before_the_end_of_sending_are_answered)
{
	uint8_t octets[200 * FRAME_LEN];
	uint32_t next = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	int peer = open_peer();
	say(peer, octets, make_queries(octets, 0, 200));
	CHECK_U(shutdown(peer, SHUT_WR), 0);
	settle_all();
	hear(peer, &next);
	CHECK_U(next, 200);
	CHECK(peer_is_closed(peer));
	CHECK_U(stream_set_count(set), 0);
	close(peer);
	close_set();
}

TEST(what_all_connections_hold_is_limited)
{
	uint8_t octets[50 * FRAME_LEN];
	int peers[40];

	open_set(STREAM_CONFIG_DEFAULT);
	answer_len = 65535;
	for (uint32_t i = 0; i < 40; i++) { /* each would hold close to 1 MiB */
		peers[i] = open_peer();
		say(peers[i], octets, make_queries(octets, 0, 50));
		settle_all();
	}
	CHECK(counter_get(&counters.evicted) >= 40 - STREAM_HELD_MAX / (1 << 20));
	CHECK_U(stream_set_count(set), 40 - counter_get(&counters.evicted));
	CHECK(stream_set_count(set) >= 8);
	for (uint32_t i = 0; i < 40; i++) {
		close(peers[i]);
	}
	close_set();
}

TEST(a_listener_accepts_and_answers)
{
	uint8_t octets[FRAME_LEN];
	struct poll_event events[POLL_EVENTS_MAX];
	struct addr addr;
	uint32_t next = 0;

	open_set(STREAM_CONFIG_DEFAULT);
	CHECK(addr_parse("127.0.0.1:0", 0, &addr));
	int fd = socket_tcp_listen(&addr, 16, 0);
	CHECK(fd >= 0);
	CHECK(socket_local(fd, &addr));
	CHECK_U(stream_listen(set, fd), STATUS_OK);
	int peer = socket_tcp_connect(&addr, NULL);
	CHECK(peer >= 0);
	say(peer, octets, make_queries(octets, 0, 1));
	while (hear(peer, &next) == 0) {
		uint32_t count = poll_wait(&poll, events, -1);
		for (uint32_t i = 0; i < count; i++) {
			stream_event(set, events[i].context, events[i].flags, now);
		}
		stream_expire(set, now);
	}
	CHECK_U(counter_get(&counters.accepted), 1);
	close(peer);
	close_set();
}

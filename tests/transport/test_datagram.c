/* test_datagram.c - turns over real loopback sockets: what a turn takes, and what it leaves.
 *
 * Loopback delivers during the sender's call, so what was sent is in the queue when the turn begins: no test
 * waits or reads a clock.
 */
#include "transport/datagram.h"

#include <string.h>

#include "kit/kit.h"
#include "os/socket.h"
#include "os/udp.h"

static const struct now NOW = {.mono_ns = 1, .wall_s = 1};

struct pair {
	struct datagram server;
	struct datagram_counters counters;
	int client;
	struct addr addr;
};

static uint32_t calls;
static uint32_t answered;

/* Answers each query by itself with one octet more; those that begin with 0xff not at all. */
static void echo(void *context, struct request *requests, uint32_t count, struct now now)
{
	(void)context;
	(void)now;
	calls++;
	answered += count;
	for (uint32_t i = 0; i < count; i++) {
		CHECK_U(requests[i].transport, REQUEST_UDP);
		CHECK_U(requests[i].cap, UDP_SLOT_LEN);
		if (requests[i].len == 0 || requests[i].octets[0] == 0xff) {
			continue;
		}
		requests[i].octets[requests[i].len] = '!';
		requests[i].answer_len = requests[i].len + 1;
	}
}

static const struct transport_handler handler = {.answer = echo};

static void open_pair(struct pair *pair, const char *at, unsigned flags)
{
	struct addr addr;

	memset(pair, 0, sizeof(*pair));
	CHECK(addr_parse(at, 0, &addr));
	pair->server.source.kind = TRANSPORT_DATAGRAM;
	pair->server.fd = socket_udp_bind(&addr, flags);
	CHECK(pair->server.fd >= 0);
	CHECK(socket_buffers(pair->server.fd, 4 << 20, 4 << 20) > 0);
	CHECK(socket_local(pair->server.fd, &pair->addr));
	pair->server.batch = udp_batch_new((flags & SOCKET_PKTINFO) != 0);
	CHECK(pair->server.batch != NULL);
	pair->server.counters = &pair->counters;
	calls = answered = 0;
}

static void connect_pair(struct pair *pair, const char *to)
{
	struct addr peer;

	CHECK(addr_parse(to, pair->addr.port, &peer));
	pair->client = socket_udp_connect(&peer, NULL);
	CHECK(pair->client >= 0);
	CHECK(socket_buffers(pair->client, 4 << 20, 4 << 20) > 0);
}

static void close_pair(struct pair *pair)
{
	socket_close(pair->client);
	socket_close(pair->server.fd);
	udp_batch_free(pair->server.batch);
}

static void ask(struct pair *pair, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint8_t query[4] = {1, 2, (uint8_t)(i >> 8), (uint8_t)i};
		CHECK_U(socket_write(pair->client, query, sizeof(query)), sizeof(query));
	}
}

static uint32_t hear(struct pair *pair)
{
	uint8_t answer[UDP_SLOT_LEN];
	uint32_t count = 0;
	ssize_t len;

	while ((len = socket_read(pair->client, answer, sizeof(answer))) >= 0) {
		uint8_t want[5] = {1, 2, (uint8_t)(count >> 8), (uint8_t)count, '!'};
		CHECK_OCTETS(answer, (size_t)len, want, sizeof(want));
		count++;
	}
	return count;
}

TEST(a_short_queue_is_answered_in_one_turn)
{
	struct pair pair;

	open_pair(&pair, "127.0.0.1", 0);
	connect_pair(&pair, "127.0.0.1");
	CHECK_U(datagram_turn(&pair.server, &handler, NOW), DATAGRAM_EMPTY);
	CHECK_U(calls, 0);
	ask(&pair, 5);
	CHECK_U(datagram_turn(&pair.server, &handler, NOW), DATAGRAM_EMPTY);
	CHECK_U(calls, 1);
	CHECK_U(hear(&pair), 5);
	CHECK_U(counter_get(&pair.counters.queries), 5);
	CHECK_U(counter_get(&pair.counters.answers), 5);
	close_pair(&pair);
}

TEST(a_flood_gets_one_turn_and_the_other_socket_the_next)
{
	struct pair flood, quiet;
	uint32_t turn = DATAGRAM_TURN_BATCHES * UDP_BATCH_MAX;

	open_pair(&flood, "127.0.0.1", 0);
	connect_pair(&flood, "127.0.0.1");
	open_pair(&quiet, "[::1]", 0);
	connect_pair(&quiet, "[::1]");
	ask(&flood, 2 * turn + 3);
	ask(&quiet, 1);
	CHECK_U(datagram_turn(&flood.server, &handler, NOW), DATAGRAM_MORE);
	CHECK_U(answered, turn);
	CHECK_U(datagram_turn(&quiet.server, &handler, NOW), DATAGRAM_EMPTY);
	CHECK_U(hear(&quiet), 1);
	CHECK_U(datagram_turn(&flood.server, &handler, NOW), DATAGRAM_MORE);
	CHECK_U(datagram_turn(&flood.server, &handler, NOW), DATAGRAM_EMPTY);
	CHECK_U(hear(&flood), 2 * turn + 3);
	close_pair(&flood);
	close_pair(&quiet);
}

TEST(what_may_not_be_answered_is_not)
{
	struct pair pair;
	static uint8_t octets[UDP_SLOT_LEN + 1];

	open_pair(&pair, "127.0.0.1", 0);
	connect_pair(&pair, "127.0.0.1");
	octets[0] = 0xff; /* the handler does not want to */
	CHECK_U(socket_write(pair.client, octets, 20), 20);
	CHECK_U(socket_write(pair.client, octets, 0), 0);
	octets[0] = 1; /* longer than a slot */
	CHECK_U(socket_write(pair.client, octets, sizeof(octets)), sizeof(octets));
	ask(&pair, 1);
	CHECK_U(datagram_turn(&pair.server, &handler, NOW), DATAGRAM_EMPTY);
	CHECK_U(hear(&pair), 1);
	CHECK_U(counter_get(&pair.counters.queries), 4);
	CHECK_U(counter_get(&pair.counters.cut), 1);
	CHECK_U(counter_get(&pair.counters.answers), 1);
	close_pair(&pair);
}

TEST(a_wildcard_socket_answers_from_the_address_asked)
{
	struct pair pair;

	/* A connected client hears nobody but the address that it asked. */
	open_pair(&pair, "0.0.0.0", SOCKET_PKTINFO);
	connect_pair(&pair, "127.0.0.2");
	for (uint32_t round = 0; round < 3;
		round++) { /* control messages are set up anew each time */
		ask(&pair, 70);
		datagram_turn(&pair.server, &handler, NOW);
		CHECK_U(hear(&pair), 70);
	}
	close_pair(&pair);
	open_pair(&pair, "[::]", SOCKET_PKTINFO);
	connect_pair(&pair, "[::1]");
	ask(&pair, 3);
	datagram_turn(&pair.server, &handler, NOW);
	CHECK_U(hear(&pair), 3);
	close_pair(&pair);
}

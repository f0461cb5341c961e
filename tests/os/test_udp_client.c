/* test_udp_client.c - batches out of shared memory and back, over a loopback socket. */
#include "os/udp_client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "kit/kit.h"
#include "os/clock.h"
#include "os/poll.h"
#include "os/socket.h"

static const uint8_t rest[] = "the rest of a query, shared by all";

struct pair {
	int server;
	int client;
};

static struct pair open_pair(const char *text)
{
	struct addr addr;
	struct pair pair;

	CHECK(addr_parse(text, 0, &addr));
	pair.server = socket_udp_bind(&addr, 0);
	CHECK(pair.server >= 0);
	CHECK(socket_local(pair.server, &addr));
	pair.client = socket_udp_connect(&addr, NULL);
	CHECK(pair.client >= 0);
	udp_client_stamps(pair.client);
	return pair;
}

static void close_pair(struct pair pair)
{
	socket_close(pair.server);
	socket_close(pair.client);
}

TEST(a_batch_arrives_in_order_with_a_header_of_its_own_each)
{
	struct pair pair = open_pair("127.0.0.1:0");
	struct udp_client *client = udp_client_new();
	struct udp_batch *batch = udp_batch_new(false);
	uint64_t before_ns = clock_mono_ns();
	uint32_t refused = 0;
	int error = 0;

	CHECK(client != NULL && batch != NULL);
	for (uint32_t i = 0; i < UDP_BATCH_MAX; i++) {
		memset(udp_client_put(client, rest, sizeof(rest)), (int)i, UDP_CLIENT_HEAD_LEN);
	}
	CHECK_U(udp_client_send(client, pair.client, &error), UDP_BATCH_MAX);
	CHECK_U(client->query_count, 0);
	CHECK_U(udp_receive(batch, pair.server), UDP_BATCH_MAX);
	for (uint32_t i = 0; i < UDP_BATCH_MAX; i++) {
		CHECK_U(batch->slots[i].in_len, UDP_CLIENT_HEAD_LEN + sizeof(rest));
		CHECK_U(batch->slots[i].octets[0], i);
		CHECK_U(batch->slots[i].octets[UDP_CLIENT_HEAD_LEN - 1], i);
		CHECK_OCTETS(batch->slots[i].octets + UDP_CLIENT_HEAD_LEN, sizeof(rest), rest,
			sizeof(rest));
		batch->slots[i].out_len = i + 1;
	}
	CHECK_U(udp_send(batch, pair.server, &refused), UDP_BATCH_MAX);
	CHECK_U(udp_client_receive(client, pair.client), UDP_BATCH_MAX);
	for (uint32_t i = 0; i < UDP_BATCH_MAX; i++) {
		CHECK_U(client->answers[i].len, i + 1);
		CHECK(client->answers[i].mono_ns >= before_ns);
		CHECK(client->answers[i].mono_ns <= clock_mono_ns());
	}
	CHECK_U(udp_client_receive(client, pair.client), 0);
	udp_batch_free(batch);
	udp_client_free(client);
	close_pair(pair);
}

/* The kernel cuts neighbours of equal length out of one packet; what arrives must not show it. */
TEST(queries_of_any_lengths_arrive_in_order_and_whole)
{
	static uint8_t rests[UDP_BATCH_MAX][1400];
	struct pair pair = open_pair("127.0.0.1:0");
	struct udp_client *client = udp_client_new();
	struct udp_batch *batch = udp_batch_new(false);

	CHECK(client != NULL && batch != NULL);
	socket_buffers(pair.server, 1u << 20, 1u << 20);
	for (uint32_t round = 0; round < 300; round++) {
		uint32_t lens[UDP_BATCH_MAX];
		uint32_t count = 1 + kit_random(UDP_BATCH_MAX);
		/* Few lengths give long runs; long ones do not fit one packet together, nor the copy. */
		uint32_t kinds = 1 + kit_random(4);
		uint32_t longest = round % 3 == 0 ? 1400 : 200;
		int error = 0;

		for (uint32_t i = 0; i < count; i++) {
			lens[i] = 1 + longest / kinds * kit_random(kinds) + round % 50;
			for (uint32_t k = 0; k < lens[i]; k++) {
				rests[i][k] = (uint8_t)kit_random(256);
			}
			uint8_t *head = udp_client_put(client, rests[i], lens[i]);
			head[0] = (uint8_t)i;
			head[1] = (uint8_t)round;
		}
		CHECK_U(udp_client_send(client, pair.client, &error), count);
		CHECK(!client->is_single);
		for (uint32_t got = 0; got < count;) {
			int received = udp_receive(batch, pair.server);
			CHECK(received > 0);
			for (uint32_t i = 0; i < (uint32_t)received; i++, got++) {
				const uint8_t *octets = batch->slots[i].octets;
				CHECK_U(batch->slots[i].in_len, UDP_CLIENT_HEAD_LEN + lens[got]);
				CHECK_U(octets[0], got);
				CHECK_U(octets[1], round % 256);
				CHECK_OCTETS(octets + UDP_CLIENT_HEAD_LEN, lens[got], rests[got],
					lens[got]);
			}
		}
	}
	udp_batch_free(batch);
	udp_client_free(client);
	close_pair(pair);
}

TEST(a_socket_that_refuses_to_cut_gets_queries_one_by_one)
{
	struct pair pair = open_pair("127.0.0.1:0");
	struct udp_client *client = udp_client_new();
	struct udp_batch *batch = udp_batch_new(false);
	int on = 1;
	int error = 0;

	CHECK(client != NULL && batch != NULL);
	/* Without checksums there is no cutting: EINVAL. */
	CHECK_U(setsockopt(pair.client, SOL_SOCKET, SO_NO_CHECK, &on, sizeof(on)), 0);
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 10; i++) {
			memset(udp_client_put(client, rest, sizeof(rest)), (int)i,
				UDP_CLIENT_HEAD_LEN);
		}
		CHECK_U(udp_client_send(client, pair.client, &error), 10);
		CHECK(client->is_single);
		CHECK_U(udp_receive(batch, pair.server), 10);
		for (uint32_t i = 0; i < 10; i++) {
			CHECK_U(batch->slots[i].octets[0], i);
		}
	}
	udp_batch_free(batch);
	udp_client_free(client);
	close_pair(pair);
}

/* One query there and one octet back, which then waits in the client's queue until this returns. */
static uint64_t answer_and_wait(
	struct pair pair, struct udp_client *client, struct udp_batch *batch, struct poll *poll)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint32_t refused = 0;
	int error = 0;

	udp_client_put(client, rest, sizeof(rest));
	CHECK_U(udp_client_send(client, pair.client, &error), 1);
	CHECK_U(udp_receive(batch, pair.server), 1);
	batch->slots[0].out_len = 1;
	CHECK_U(udp_send(batch, pair.server, &refused), 1);
	uint64_t arrived_ns = clock_mono_ns();
	CHECK_U(poll_wait(poll, events, 5), 0);
	return arrived_ns;
}

TEST(a_stamp_is_of_the_arrival_and_not_of_the_reading)
{
	struct pair pair = open_pair("127.0.0.1:0");
	struct udp_client *client = udp_client_new();
	struct udp_batch *batch = udp_batch_new(false);
	struct poll poll;
	bool is_of_arrival = false;

	CHECK(client != NULL && batch != NULL);
	CHECK_U(poll_init(&poll), STATUS_OK);
	/* The kernel begins to stamp some time after the first socket has asked for it. */
	for (uint32_t round = 0; round < 200 && !is_of_arrival; round++) {
		uint64_t arrived_ns = answer_and_wait(pair, client, batch, &poll);
		CHECK_U(udp_client_receive(client, pair.client), 1);
		is_of_arrival = client->answers[0].mono_ns <= arrived_ns;
	}
	CHECK(is_of_arrival);
	poll_fini(&poll);
	udp_batch_free(batch);
	udp_client_free(client);
	close_pair(pair);
}

TEST(nobody_at_the_port_is_an_error_of_the_next_call)
{
	struct pair pair = open_pair("127.0.0.1:0");
	struct udp_client *client = udp_client_new();
	int error = 0;

	CHECK(client != NULL);
	socket_close(pair.server);
	udp_client_put(client, rest, sizeof(rest));
	CHECK_U(udp_client_send(client, pair.client, &error), 1);
	CHECK(udp_client_receive(client, pair.client) < 0);
	CHECK_U(errno, ECONNREFUSED);
	udp_client_put(client, rest, sizeof(rest));
	CHECK_U(udp_client_send(client, pair.client, &error), 1);
	udp_client_put(client, rest, sizeof(rest));
	CHECK_U(udp_client_send(client, pair.client, &error), 0);
	CHECK_U(error, ECONNREFUSED);
	udp_client_free(client);
	socket_close(pair.client);
}

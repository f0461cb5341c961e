/* test_udp_client.c - batches out of shared memory and back, over a loopback socket. */
#include "os/udp_client.h"

#include <errno.h>
#include <string.h>

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

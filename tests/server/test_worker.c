/* test_worker.c - rounds of a worker over real loopback sockets, with stand-ins for zones and answers.
 *
 * What was sent is in the socket's queue when the call returns, so a round without waiting sees it.
 * Fairness is counted in answers and rounds, never measured in time.
 */
#include "server/worker.h"

#include <string.h>

#include "base/octets.h"
#include "base/publish.h"
#include "kit/kit.h"
#include "os/socket.h"
#include "os/udp.h"

#define QUERY_LEN 17u
#define TURN      (DATAGRAM_TURN_BATCHES * UDP_BATCH_MAX)

static struct published no_zones;
static struct worker *worker;

static const struct worker_config config = {.stream = {.connections_max = 1000,
						    .idle_timeout_ms = 10000,
						    .read_timeout_ms = 5000,
						    .write_timeout_ms = 30000},
	.answer = {.udp_len_max = 1232}};

static void open_worker(void)
{
	publish_register();
	worker = worker_new(0, &config, &no_zones);
	CHECK(worker != NULL);
}

static void close_worker(void)
{
	worker_free(worker);
	publish_unregister();
}

static void listen_at(const char *at, struct addr *out, bool tcp)
{
	CHECK(addr_parse(at, 0, out));
	int fd = tcp ? socket_tcp_listen(out, 512, 0) : socket_udp_bind(out, 0);
	CHECK(fd >= 0);
	CHECK(socket_local(fd, out));
	if (!tcp) {
		CHECK(socket_buffers(fd, 4 << 20, 4 << 20) > 0);
	}
	CHECK_U(tcp ? worker_add_tcp(worker, fd) : worker_add_udp(worker, fd, false), STATUS_OK);
}

static int client_of(const struct addr *addr)
{
	int fd = socket_udp_connect(addr, NULL);

	CHECK(fd >= 0);
	CHECK(socket_buffers(fd, 4 << 20, 4 << 20) > 0);
	return fd;
}

static void ask(int fd, uint32_t count)
{
	static const uint8_t query[QUERY_LEN] = {[5] = 1, [14] = 1, [16] = 1};

	for (uint32_t i = 0; i < count; i++) {
		CHECK_U(socket_write(fd, query, sizeof(query)), sizeof(query));
	}
}

static uint32_t hear(int fd)
{
	uint8_t answer[UDP_SLOT_LEN];
	uint32_t count = 0;

	while (socket_read(fd, answer, sizeof(answer)) > 0) {
		CHECK(answer[2] == 0x80);
		count++;
	}
	return count;
}

TEST(every_flooded_socket_gets_one_turn_a_round_and_the_quiet_one_too)
{
	enum { SOCKETS = 6 };
	struct addr addrs[SOCKETS];
	int clients[SOCKETS];

	open_worker();
	for (uint32_t i = 0; i < SOCKETS; i++) {
		listen_at(i % 2 == 0 ? "127.0.0.1" : "[::1]", &addrs[i], false);
		clients[i] = client_of(&addrs[i]);
	}
	for (uint32_t i = 0; i + 1 < SOCKETS; i++) {
		ask(clients[i], 2 * TURN + 5);
	}
	ask(clients[SOCKETS - 1], 1);
	worker_round(worker, 0);
	CHECK_U(hear(clients[SOCKETS - 1]), 1);
	for (uint32_t i = 0; i + 1 < SOCKETS; i++) {
		CHECK_U(hear(clients[i]), TURN);
	}
	worker_round(worker, 0);
	worker_round(worker, 0);
	for (uint32_t i = 0; i + 1 < SOCKETS; i++) {
		CHECK_U(hear(clients[i]), TURN + 5);
		socket_close(clients[i]);
	}
	socket_close(clients[SOCKETS - 1]);
	CHECK_U(counter_get(&worker_counters(worker)->udp.queries), 5 * (2 * TURN + 5) + 1);
	CHECK_U(worker_answers(worker)->queries, 5 * (2 * TURN + 5) + 1);
	CHECK_U(worker_kernel_drops(worker), 0);
	close_worker();
}

TEST(what_the_kernel_drops_is_counted)
{
	enum { ASKED = 200 };
	struct addr addr;

	open_worker();
	listen_at("127.0.0.1", &addr, false);
	int client = client_of(&addr);
	worker_round(worker, 0);
	CHECK_U(counter_get(&worker_counters(worker)->kernel_drops), 0);
	socket_close(client);
	close_worker();

	open_worker();
	CHECK(addr_parse("127.0.0.1", 0, &addr));
	int fd = socket_udp_bind(&addr, 0);
	CHECK(fd >= 0);
	CHECK(socket_local(fd, &addr));
	socket_queue_limit(fd, 16384);
	CHECK_U(worker_add_udp(worker, fd, false), STATUS_OK);
	client = client_of(&addr);
	ask(client, ASKED);
	worker_round(worker, 0);
	uint64_t drops = counter_get(&worker_counters(worker)->kernel_drops);
	CHECK(drops > 0);
	CHECK_U(drops + hear(client), ASKED);
	CHECK_U(worker_kernel_drops(worker), drops); /* not counted twice */
	ask(client, ASKED);
	CHECK(worker_kernel_drops(worker) > drops); /* not due yet, but asked for */
	socket_close(client);
	close_worker();
}

TEST(many_busy_connections_leave_datagrams_their_turns)
{
	enum { PEERS = 200, QUERIES = 100 };
	static int peers[PEERS];
	static uint8_t octets[QUERIES * (QUERY_LEN + 2)];
	struct addr tcp, udp;

	open_worker();
	listen_at("127.0.0.1", &udp, false);
	listen_at("127.0.0.1", &tcp, true);
	int client = client_of(&udp);
	for (uint32_t i = 0; i < QUERIES; i++) {
		octets[i * (QUERY_LEN + 2) + 1] = QUERY_LEN;
	}
	for (uint32_t i = 0; i < PEERS; i++) {
		peers[i] = socket_tcp_connect(&tcp, NULL);
		CHECK(peers[i] >= 0);
		CHECK_U(socket_write(peers[i], octets, sizeof(octets)), sizeof(octets));
	}
	/* Once all are accepted, so that 200 connections are ready and 64 fit into a round. */
	while (counter_get(&worker_counters(worker)->tcp.accepted) < PEERS) {
		worker_round(worker, -1);
	}
	for (uint32_t i = 0; i < PEERS; i++) {
		CHECK_U(socket_write(peers[i], octets, sizeof(octets)), sizeof(octets));
	}
	for (uint32_t i = 0; i < 3; i++) {
		ask(client, 1);
		worker_round(worker, 0);
		CHECK_U(hear(client), 1);
	}
	for (uint32_t i = 0; i < PEERS; i++) {
		socket_close(peers[i]);
	}
	socket_close(client);
	close_worker();
}

TEST(a_started_worker_answers_and_stops)
{
	struct addr addr;
	uint8_t answer[QUERY_LEN];
	ssize_t len = -1;

	worker = worker_new(0, &config, &no_zones);
	CHECK(worker != NULL);
	listen_at("127.0.0.1", &addr, false);
	int client = client_of(&addr);
	CHECK_U(worker_start(worker), STATUS_OK);
	ask(client, 1);
	while (len < 0) {
		len = socket_read(client, answer, sizeof(answer));
	}
	CHECK_U(len, QUERY_LEN);
	worker_stop(worker);
	worker_stop(worker);
	socket_close(client);
	worker_free(worker);
	worker_free(NULL);
}

/* test_listeners.c - sockets for several workers, and the reasons where there are none. */
#include "server/listeners.h"

#include <stdio.h>
#include <string.h>

#include "answer/answer.h"
#include "base/log.h"
#include "kit/kit.h"
#include "os/socket.h"
#include "server/worker.h"

#define WORKERS 3u

static struct published no_zones;
static struct worker *workers[WORKERS];

static void open_workers(void)
{
	struct worker_config config = {
		.stream = STREAM_CONFIG_DEFAULT, .answer = ANSWER_CONFIG_DEFAULT};

	log_set_level(LOG_LEVEL_ERROR);
	for (uint32_t i = 0; i < WORKERS; i++) {
		workers[i] = worker_new(i, &config, &no_zones);
		CHECK(workers[i] != NULL);
	}
}

static void close_workers(void)
{
	for (uint32_t i = 0; i < WORKERS; i++) {
		worker_free(workers[i]);
	}
}

TEST(a_free_port_is_the_same_for_all_sockets)
{
	char why[LISTENERS_WHY_MAX];
	struct addr addrs[3];

	CHECK(addr_parse("127.0.0.1:0", 0, &addrs[0]));
	CHECK(addr_parse("[::1]:0", 0, &addrs[1]));
	CHECK(addr_parse("0.0.0.0:0", 0, &addrs[2]));
	open_workers();
	CHECK_U(listeners_open(addrs, 3, workers, WORKERS, 2, why), STATUS_OK);
	for (uint32_t i = 0; i < 3; i++) {
		CHECK(addrs[i].port != 0);
		int tcp = socket_tcp_connect(&addrs[i], NULL);
		CHECK(tcp >= 0);
		socket_close(tcp);
	}
	close_workers();
}

TEST(an_address_in_use_is_refused_even_where_it_could_be_shared)
{
	char why[LISTENERS_WHY_MAX];
	char want[LISTENERS_WHY_MAX];
	char text[ADDR_TEXT_MAX];
	struct addr addr;

	CHECK(addr_parse("127.0.0.1:0", 0, &addr));
	for (uint32_t tcp = 0; tcp < 2; tcp++) {
		addr.port = 0;
		int taken = tcp != 0 ? socket_tcp_listen(&addr, 1, SOCKET_REUSEPORT)
				     : socket_udp_bind(&addr, SOCKET_REUSEPORT);
		CHECK(taken >= 0);
		CHECK(socket_local(taken, &addr));
		open_workers();
		CHECK_U(listeners_open(&addr, 1, workers, WORKERS, WORKERS, why), STATUS_IO);
		snprintf(want, sizeof(want),
			"cannot listen on %s: Address already in use "
			"(is another server running there?)",
			addr_to_text(&addr, text));
		CHECK_S(why, want);
		close_workers();
		socket_close(taken);
	}
}

TEST(an_address_of_another_machine_is_refused)
{
	char why[LISTENERS_WHY_MAX];
	struct addr addr;

	CHECK(addr_parse("192.0.2.1:5300", 0, &addr));
	open_workers();
	CHECK_U(listeners_open(&addr, 1, workers, 1, 1, why), STATUS_IO);
	CHECK_S(why, "cannot listen on 192.0.2.1:5300: Cannot assign requested address "
		     "(expected an address of this machine)");
	close_workers();
}

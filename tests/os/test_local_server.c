/* test_local_server.c - this process is the server: it is found, with what it used and dropped. */
#include "os/local_server.h"

#include <unistd.h>

#include "kit/kit.h"
#include "os/clock.h"
#include "os/socket.h"

static int bind_to(const char *text, struct addr *addr)
{
	CHECK(addr_parse(text, 0, addr));
	int fd = socket_udp_bind(addr, 0);
	CHECK(fd >= 0);
	CHECK(socket_local(fd, addr));
	return fd;
}

static void check_found(const struct addr *addr, bool is_tcp)
{
	struct local_server server;

	local_server_find(addr, is_tcp, &server);
	CHECK_U(server.process_count, 1);
	CHECK_U(server.pids[0], getpid());
}

TEST(the_process_behind_an_address_or_a_wildcard_is_found)
{
	struct addr addr;
	int fd = bind_to("127.0.0.9:0", &addr);

	check_found(&addr, false);
	socket_close(fd);
	fd = bind_to("0.0.0.0:0", &addr);
	CHECK(addr_parse("127.0.0.1", addr.port, &addr));
	check_found(&addr, false);
	socket_close(fd);
}

TEST(a_listening_stream_socket_is_found)
{
	struct addr addr;

	CHECK(addr_parse("127.0.0.1:0", 0, &addr));
	int fd = socket_tcp_listen(&addr, 8, 0);
	CHECK(fd >= 0 && socket_local(fd, &addr));
	check_found(&addr, true);
	struct local_server server;
	local_server_find(&addr, false, &server);
	CHECK_U(server.process_count, 0);
	socket_close(fd);
}

TEST(another_address_or_port_and_a_socket_with_a_peer_are_nobodys)
{
	struct local_server server;
	struct addr addr;
	struct addr other;
	int fd = bind_to("127.0.0.9:0", &addr);

	other = addr;
	other.octets[3] = 10;
	local_server_find(&other, false, &server);
	CHECK_U(server.process_count, 0);
	CHECK(addr_parse("192.0.2.1", addr.port, &other)); /* of no machine, RFC 5737 sec 3 */
	local_server_find(&other, false, &server);
	CHECK_U(server.process_count, 0);
	int client = socket_udp_connect(&addr, NULL);
	CHECK(client >= 0 && socket_local(client, &other));
	local_server_find(&other, false, &server);
	CHECK_U(server.process_count, 0);
	CHECK_U(local_server_usage(&server).cpu_ns, 0);
	socket_close(client);
	socket_close(fd);
}

TEST(processor_time_and_drops_are_told)
{
	static const uint8_t octets[1000];
	struct local_server server;
	struct addr addr;
	int fd = bind_to("127.0.0.9:0", &addr);

	local_server_find(&addr, false, &server);
	struct local_server_usage before = local_server_usage(&server);
	uint64_t machine_before = local_server_machine_drops();
	CHECK_U(before.dropped, 0);
	socket_buffers(fd, 1, 1);
	int client = socket_udp_connect(&addr, NULL);
	for (uint32_t i = 0; i < 100; i++) {
		CHECK_U(socket_write(client, octets, sizeof(octets)), sizeof(octets));
	}
	uint64_t cpu_ns = clock_cpu_ns();
	while (clock_cpu_ns() < cpu_ns + 20000000) {
		continue;
	}
	struct local_server_usage after = local_server_usage(&server);
	CHECK(after.dropped > 0 && after.dropped <= 100);
	CHECK(after.cpu_ns >= before.cpu_ns + 20000000);
	CHECK(local_server_machine_drops() >= machine_before + after.dropped);
	socket_close(client);
	socket_close(fd);
}

/* test_reconnect.c - a socket that asks again does so from a port that nobody can foresee (RFC 5452 sec 9.2).
 *
 * Whoever is asked sees the port. Were it kept, the next question, to somebody else, could be answered by him.
 */
#include "os/socket.h"

#include <stdlib.h>

#include "kit/kit.h"

#define TIMES 400u

static uint16_t port_of(int fd)
{
	struct addr addr;

	CHECK(socket_local(fd, &addr));
	CHECK(addr.port != 0);
	return addr.port;
}

static int compare(const void *a, const void *b)
{
	const uint16_t *left = a, *right = b;

	return *left - *right;
}

static void check_ports(const struct addr *from)
{
	struct addr peers[2];
	uint16_t ports[TIMES];
	uint32_t distinct = 1, near = 0;

	CHECK(addr_parse("127.0.0.1:5301", 0, &peers[0]));
	CHECK(addr_parse("127.0.0.2:5302", 0, &peers[1]));
	int fd = socket_udp_connect(&peers[0], from);
	CHECK(fd >= 0);
	for (uint32_t i = 0; i < TIMES; i++) {
		ports[i] = port_of(fd);
		near += i > 0 && abs(ports[i] - ports[i - 1]) <= 4;
		CHECK(socket_udp_reconnect(fd, &peers[i % 2]));
	}
	socket_close(fd);
	qsort(ports, TIMES, sizeof(ports[0]), compare);
	for (uint32_t i = 1; i < TIMES; i++) {
		distinct += ports[i] != ports[i - 1];
	}
	/* Of 28,000 ports a few come twice, or side by side. */
	CHECK(distinct > TIMES - TIMES / 10);
	CHECK(near < TIMES / 20);
	CHECK(ports[TIMES - 1] - ports[0] > 10000);
}

TEST(each_connection_has_another_random_port)
{
	check_ports(NULL);
}

TEST(so_it_has_where_the_address_is_given)
{
	struct addr from;

	CHECK(addr_parse("127.0.0.9:0", 0, &from));
	check_ports(&from);
}

/* udp_single.c - recvfrom(2), sendto(2), socketpair(2). */
#include "os/udp_single.h"

#include <sys/socket.h>

#include "os/socket.h"

ssize_t udp_single_receive(int fd, uint8_t *octets, size_t cap, struct addr *from_out)
{
	struct sockaddr_storage from;
	socklen_t from_len = sizeof(from);
	ssize_t got = recvfrom(fd, octets, cap, MSG_DONTWAIT, (struct sockaddr *)&from, &from_len);

	if (got >= 0) {
		socket_from_kernel(&from, from_out);
	}
	return got;
}

bool udp_single_send(int fd, const uint8_t *octets, size_t len, const struct addr *to)
{
	struct sockaddr_storage kernel;
	uint32_t kernel_len = socket_to_kernel(to, &kernel);

	return sendto(fd, octets, len, MSG_DONTWAIT, (const struct sockaddr *)&kernel,
		       kernel_len) == (ssize_t)len;
}

bool udp_single_pair(int fds_out[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds_out) == 0;
}

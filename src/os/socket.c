/* socket.c - opening, binding and closing sockets. */
#include "os/socket.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DEFER_ACCEPT_S                                                                             \
	1 /* the least there is; a client that is silent for longer is accepted anyway */

#define KERNEL_DOUBLES 2u /* SO_RCVBUF is half of the memory that the kernel allows, man 7 socket */
#define NS_A_S         1000000000

uint32_t socket_to_kernel(const struct addr *addr, struct sockaddr_storage *out)
{
	memset(out, 0, sizeof(*out));
	if (addr->family == ADDR_V6) {
		struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)out;
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(addr->port);
		in6->sin6_scope_id = addr->scope;
		memcpy(&in6->sin6_addr, addr->octets, 16);
		return sizeof(*in6);
	}
	struct sockaddr_in *in = (struct sockaddr_in *)out;
	in->sin_family = AF_INET;
	in->sin_port = htons(addr->port);
	memcpy(&in->sin_addr, addr->octets, 4);
	return sizeof(*in);
}

void socket_from_kernel(const struct sockaddr_storage *kernel, struct addr *out)
{
	*out = (struct addr){.family = ADDR_NONE};
	if (kernel->ss_family == AF_INET6) {
		const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)kernel;
		out->family = ADDR_V6;
		out->port = ntohs(in6->sin6_port);
		out->scope = in6->sin6_scope_id;
		memcpy(out->octets, &in6->sin6_addr, 16);
	} else if (kernel->ss_family == AF_INET) {
		const struct sockaddr_in *in = (const struct sockaddr_in *)kernel;
		out->family = ADDR_V4;
		out->port = ntohs(in->sin_port);
		memcpy(out->octets, &in->sin_addr, 4);
	}
}

static int set_int(int fd, int level, int option, int value)
{
	return setsockopt(fd, level, option, &value, sizeof(value));
}

/* Closes fd and keeps errno of what went wrong before. */
static int fail(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
	return -1;
}

static int open_socket(const struct addr *addr, int type)
{
	return socket(addr->family == ADDR_V6 ? AF_INET6 : AF_INET,
		type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int bind_socket(int fd, const struct addr *addr)
{
	struct sockaddr_storage kernel;
	uint32_t len = socket_to_kernel(addr, &kernel);

	return bind(fd, (const struct sockaddr *)&kernel, len);
}

static int connect_socket(int fd, const struct addr *peer, const struct addr *from)
{
	struct sockaddr_storage kernel;
	uint32_t len = socket_to_kernel(peer, &kernel);

	if (from != NULL && bind_socket(fd, from) != 0) {
		return -1;
	}
	return connect(fd, (const struct sockaddr *)&kernel, len);
}

/* Options that every server socket has. Path MTU discovery is off for datagrams: a forged ICMP message must
 * not be able to make answers fragment or vanish (RFC 9715 sec 3.1).
 */
static int set_common(int fd, const struct addr *addr, unsigned flags, bool udp)
{
	bool v6 = addr->family == ADDR_V6;

	if (v6 && set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1) != 0) {
		return -1;
	}
	if ((flags & SOCKET_REUSEPORT) != 0 && set_int(fd, SOL_SOCKET, SO_REUSEPORT, 1) != 0) {
		return -1;
	}
	if (!udp) {
		/* Accepted sockets inherit TCP_NODELAY, which saves a call for each. A failing
		 * TCP_DEFER_ACCEPT costs speed only.
		 */
		set_int(fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, DEFER_ACCEPT_S);
		return set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1) == 0
			       ? set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1)
			       : -1;
	}
	if ((flags & SOCKET_PKTINFO) != 0 && set_int(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP,
						     v6 ? IPV6_RECVPKTINFO : IP_PKTINFO, 1) != 0) {
		return -1;
	}
	return v6 ? set_int(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_OMIT)
		  : set_int(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_OMIT);
}

int socket_udp_bind(const struct addr *addr, unsigned flags)
{
	int fd = open_socket(addr, SOCK_DGRAM);

	if (fd < 0) {
		return -1;
	}
	if (set_common(fd, addr, flags, true) != 0 || bind_socket(fd, addr) != 0) {
		return fail(fd);
	}
	return fd;
}

bool socket_udp_reconnect(int fd, const struct addr *peer)
{
	const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
	struct sockaddr_storage kernel;

	/* Dissolving the association gives the port back, unless it was asked for; the next one takes another. */
	if (connect(fd, &nobody, sizeof(nobody)) != 0) {
		return false;
	}
	uint32_t len = socket_to_kernel(peer, &kernel);
	return connect(fd, (const struct sockaddr *)&kernel, len) == 0;
}

int socket_udp_connect(const struct addr *peer, const struct addr *from)
{
	int fd = open_socket(peer, SOCK_DGRAM);

	if (fd < 0) {
		return -1;
	}
	return connect_socket(fd, peer, from) == 0 ? fd : fail(fd);
}

int socket_tcp_listen(const struct addr *addr, int backlog, unsigned flags)
{
	int fd = open_socket(addr, SOCK_STREAM);

	if (fd < 0) {
		return -1;
	}
	if (set_common(fd, addr, flags, false) != 0 || bind_socket(fd, addr) != 0 ||
		listen(fd, backlog) != 0) {
		return fail(fd);
	}
	return fd;
}

int socket_tcp_connect(const struct addr *peer, const struct addr *from)
{
	int fd = open_socket(peer, SOCK_STREAM);

	if (fd < 0) {
		return -1;
	}
	set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	if (connect_socket(fd, peer, from) != 0 && errno != EINPROGRESS) {
		return fail(fd);
	}
	return fd;
}

int socket_accept(int listener, struct addr *peer)
{
	struct sockaddr_storage kernel;
	socklen_t len = sizeof(kernel);
	int fd;

	do {
		fd = accept4(listener, peer != NULL ? (struct sockaddr *)&kernel : NULL,
			peer != NULL ? &len : NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	if (fd >= 0 && peer != NULL) {
		socket_from_kernel(&kernel, peer);
	}
	return fd;
}

bool socket_is_exhausted(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

ssize_t socket_read(int fd, void *octets, size_t len)
{
	ssize_t got;

	do {
		got = recv(fd, octets, len, 0);
	} while (got < 0 && errno == EINTR);
	return got;
}

ssize_t socket_write(int fd, const void *octets, size_t len)
{
	ssize_t sent;

	do {
		sent = send(fd, octets, len, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent;
}

ssize_t socket_write_parts(int fd, struct iovec *parts, uint32_t count)
{
	struct msghdr header = {.msg_iov = parts, .msg_iovlen = count};
	ssize_t sent;

	do {
		sent = sendmsg(fd, &header, MSG_NOSIGNAL);
	} while (sent < 0 && errno == EINTR);
	return sent;
}

bool socket_local(int fd, struct addr *out)
{
	struct sockaddr_storage kernel;
	socklen_t len = sizeof(kernel);

	if (getsockname(fd, (struct sockaddr *)&kernel, &len) != 0) {
		return false;
	}
	socket_from_kernel(&kernel, out);
	return true;
}

int socket_error(int fd)
{
	int error = 0;
	socklen_t len = sizeof(error);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 ? error : errno;
}

/* The FORCE forms pass net.core.rmem_max where we have the right to (CAP_NET_ADMIN). */
static void set_receive_buffer(int fd, uint32_t len)
{
	if (set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, (int)len) != 0) {
		set_int(fd, SOL_SOCKET, SO_RCVBUF, (int)len);
	}
}

uint32_t socket_buffers(int fd, uint32_t receive_len, uint32_t send_len)
{
	int granted = 0;
	socklen_t len = sizeof(granted);

	set_receive_buffer(fd, receive_len);
	if (set_int(fd, SOL_SOCKET, SO_SNDBUFFORCE, (int)send_len) != 0) {
		set_int(fd, SOL_SOCKET, SO_SNDBUF, (int)send_len);
	}
	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &granted, &len) != 0) {
		return 0;
	}
	return (uint32_t)granted / KERNEL_DOUBLES;
}

bool socket_queue(int fd, struct socket_queue *out)
{
	uint32_t meminfo[SK_MEMINFO_VARS] = {0};
	socklen_t len = sizeof(meminfo);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, meminfo, &len) != 0) {
		return false;
	}
	*out = (struct socket_queue){.queued_len = meminfo[SK_MEMINFO_RMEM_ALLOC],
		.limit_len = meminfo[SK_MEMINFO_RCVBUF],
		.drops = meminfo[SK_MEMINFO_DROPS]};
	return true;
}

uint32_t socket_drops(int fd)
{
	struct socket_queue queue = {0};

	return socket_queue(fd, &queue) ? queue.drops : 0;
}

void socket_queue_limit(int fd, uint32_t limit_len)
{
	set_receive_buffer(fd, limit_len / KERNEL_DOUBLES);
}

uint64_t socket_age_ns(int fd)
{
	struct timespec came, now;

	/* The stamp is of the wall clock. One that was set meanwhile makes an age or two wrong. */
	if (ioctl(fd, SIOCGSTAMPNS, &came) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
		return 0;
	}
	int64_t age_ns =
		(int64_t)(now.tv_sec - came.tv_sec) * NS_A_S + (now.tv_nsec - came.tv_nsec);
	return age_ns > 0 ? (uint64_t)age_ns : 0;
}

void socket_close(int fd)
{
	close(fd);
}

/* socket.h - sockets by our own address struct; the kernel's stays in this folder.
 *
 * Descriptors are plain ints, non-blocking and close-on-exec. Functions that fail return -1 with errno set,
 * like the calls they wrap.
 *
 * thread  any; a descriptor belongs to its caller
 */
#ifndef SAKER_OS_SOCKET_H
#define SAKER_OS_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/addr.h"
#include "base/check.h"

struct sockaddr_storage;

enum socket_flag {
	SOCKET_REUSEPORT = 1 << 0, /* several sockets share the address, the kernel spreads load */
	SOCKET_PKTINFO =
		1 << 1 /* for a wildcard address: learn the address asked, answer from it */
};

/* socket_udp_bind - a UDP socket on an address (port 0: any): PMTUDISC_OMIT, V6ONLY. flags: enum socket_flag. */
MUST_USE int socket_udp_bind(const struct addr *addr, unsigned flags);

/* socket_udp_connect - a UDP socket that speaks to peer alone; from: local address or NULL. */
MUST_USE int socket_udp_connect(const struct addr *peer, const struct addr *from);

/* socket_udp_reconnect - makes a socket of socket_udp_connect() speak to another peer, from another random port.
 *
 * effect  what waits in its queue from the peer before stays there: it has to be empty
 */
MUST_USE bool socket_udp_reconnect(int fd, const struct addr *peer);

/* socket_tcp_listen - a listening TCP socket: TCP_NODELAY for what it accepts, TCP_DEFER_ACCEPT.
 *
 * effect  a connection is accepted when its first octets are there, or after about a second without any
 */
MUST_USE int socket_tcp_listen(const struct addr *addr, int backlog, unsigned flags);

/* socket_tcp_connect - begins to connect; writable when done, then socket_error() tells how it went. */
MUST_USE int socket_tcp_connect(const struct addr *peer, const struct addr *from);

/* socket_accept - one waiting connection; -1 with EAGAIN where none waits. peer may be NULL. */
MUST_USE int socket_accept(int listener, struct addr *peer);

/* socket_is_exhausted - errno after a call that makes descriptors: our side has no more of something. */
MUST_USE bool socket_is_exhausted(int error);

/* socket_read, socket_write - read(2), and send(2) without SIGPIPE; EINTR is retried. */
MUST_USE ssize_t socket_read(int fd, void *octets, size_t len);
MUST_USE ssize_t socket_write(int fd, const void *octets, size_t len);

/* socket_write_parts - the same for several pieces in one call. */
MUST_USE ssize_t socket_write_parts(int fd, struct iovec *parts, uint32_t count);

/* socket_local - the address that the socket is bound to. */
MUST_USE bool socket_local(int fd, struct addr *out);

/* socket_error - the pending error of a socket (SO_ERROR), 0 for none. */
int socket_error(int fd);

/* socket_buffers - asks for receive and send buffers; tells what the kernel granted for receiving. */
uint32_t socket_buffers(int fd, uint32_t receive_len, uint32_t send_len);

/* socket_drops - datagrams that the kernel dropped at this socket so far (SO_MEMINFO). */
uint32_t socket_drops(int fd);

/* What a socket holds for its reader. Octets are those of the kernel's memory, of which a datagram takes more
 * than it has: 832 on loopback for one of up to some 200 octets. The count of drops wraps.
 */
struct socket_queue {
	uint32_t
		queued_len; /* waits, or was taken a moment ago: the kernel lags by up to a quarter of limit_len */
	uint32_t limit_len; /* from here on the kernel drops */
	uint32_t drops;
};

/* socket_queue - false, and *out unchanged, where the kernel does not tell. cost: a system call, 0.5 us */
MUST_USE bool socket_queue(int fd, struct socket_queue *out);

/* socket_queue_limit - sets limit_len, where the kernel lets us. */
void socket_queue_limit(int fd, uint32_t limit_len);

/* socket_age_ns - how long the datagram that was received last had waited, and what its reader did since.
 *
 * effect  the first call makes the kernel stamp what arrives from then on; it stays so while fd is open
 * errors  0: unknown, since it came before that, or nothing was received yet
 * cost    a system call and a clock, 0.5 us; receiving costs no more than before (docs/decisions/0006-overload.md)
 */
uint64_t socket_age_ns(int fd);

void socket_close(int fd);

/* socket_to_kernel, socket_from_kernel - for the files of this folder. */
uint32_t socket_to_kernel(const struct addr *addr, struct sockaddr_storage *out);
void socket_from_kernel(const struct sockaddr_storage *kernel, struct addr *out);

#endif

/* listeners.c - sockets, with the reasons where there are none. */
#include "server/listeners.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "os/socket.h"
#include "server/worker.h"

/* 4 MiB hold some 5,000 queries (the kernel counts 768 octets for a small one): 10 ms of 500,000 a second,
 * enough for a zone's publication and for being off the processor. Guess.
 */
#define RECEIVE_BUFFER_LEN (4u << 20)
#define SEND_BUFFER_LEN    (4u << 20)
#define BACKLOG            1024 /* connections that wait for a worker; net.core.somaxconn may cut it */
#define PORT_TRIES         16u /* for a port that is free for UDP and for TCP */

struct pair {
	int udp;
	int tcp;
};

static void close_pair(const struct pair *pair)
{
	int saved = errno;

	if (pair->udp >= 0) {
		socket_close(pair->udp);
	}
	if (pair->tcp >= 0) {
		socket_close(pair->tcp);
	}
	errno = saved;
}

/* UDP and TCP on one address; port 0 becomes one that both have. */
static bool open_pair(struct addr *addr, unsigned flags, struct pair *out)
{
	unsigned pktinfo = addr_is_wildcard(addr) ? (unsigned)SOCKET_PKTINFO : 0;
	bool any_port = addr->port == 0;

	for (uint32_t i = 0; i < (any_port ? PORT_TRIES : 1); i++) {
		struct addr at = *addr;
		struct pair pair = {.udp = socket_udp_bind(addr, flags | pktinfo), .tcp = -1};
		if (pair.udp < 0) {
			return false;
		}
		if (any_port && !socket_local(pair.udp, &at)) {
			close_pair(&pair);
			return false;
		}
		at.scope = addr->scope;
		pair.tcp = socket_tcp_listen(&at, BACKLOG, flags);
		if (pair.tcp >= 0) {
			*addr = at;
			*out = pair;
			return true;
		}
		close_pair(&pair);
	}
	return false;
}

static void explain(const struct addr *addr, int error, char *why)
{
	char text[ADDR_TEXT_MAX];
	const char *hint = "";

	if (error == EACCES) {
		hint = " (ports below 1024 need root or CAP_NET_BIND_SERVICE)";
	} else if (error == EADDRINUSE) {
		hint = " (is another server running there?)";
	} else if (error == EADDRNOTAVAIL) {
		hint = " (expected an address of this machine)";
	}
	snprintf(why, LISTENERS_WHY_MAX, "cannot listen on %s: %s%s", addr_to_text(addr, text),
		strerror(error), hint);
}

/* Gives a worker its sockets; the UDP one only where it is wanted. */
static enum status hand_over(
	struct worker *worker, struct pair *pair, bool with_udp, bool pktinfo, uint32_t *granted)
{
	enum status status = STATUS_OK;

	if (with_udp) {
		*granted = socket_buffers(pair->udp, RECEIVE_BUFFER_LEN, SEND_BUFFER_LEN);
		status = worker_add_udp(worker, pair->udp, pktinfo);
	} else {
		socket_close(pair->udp);
	}
	if (status == STATUS_OK) {
		pair->udp = -1;
		status = worker_add_tcp(worker, pair->tcp);
	}
	if (status == STATUS_OK) {
		pair->tcp = -1;
	}
	close_pair(pair);
	return status;
}

static enum status open_address(struct addr *addr, struct worker *const *workers,
	uint32_t worker_count, uint32_t udp_count, uint32_t *granted)
{
	struct pair pair;

	/* SO_REUSEPORT would let a second server of the same user take half of the queries without a
	 * word. So the address is taken alone first.
	 */
	if (!open_pair(addr, 0, &pair)) {
		return STATUS_IO;
	}
	if (worker_count > 1) {
		close_pair(&pair);
	}
	for (uint32_t i = 0; i < worker_count; i++) {
		if (worker_count > 1 && !open_pair(addr, SOCKET_REUSEPORT, &pair)) {
			return STATUS_IO;
		}
		enum status status = hand_over(
			workers[i], &pair, i < udp_count, addr_is_wildcard(addr), granted);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

enum status listeners_open(struct addr *addrs, uint32_t addr_count, struct worker *const *workers,
	uint32_t worker_count, uint32_t udp_count, char *why)
{
	ASSERT(udp_count >= 1 && udp_count <= worker_count);
	for (uint32_t i = 0; i < addr_count; i++) {
		char text[ADDR_TEXT_MAX];
		uint32_t granted = 0;
		enum status status =
			open_address(&addrs[i], workers, worker_count, udp_count, &granted);

		if (status == STATUS_IO) {
			explain(&addrs[i], errno, why);
			return status;
		}
		if (status != STATUS_OK) {
			snprintf(why, LISTENERS_WHY_MAX, "cannot listen on %s: %s",
				addr_to_text(&addrs[i], text), status_text(status));
			return status;
		}
		addr_to_text(&addrs[i], text);
		log_info("event=listening address=%s udp-sockets=%u tcp-sockets=%u "
			 "receive-buffer=%u",
			text, udp_count, worker_count, granted);
		if (granted < RECEIVE_BUFFER_LEN) {
			log_warning("event=receive-buffer-limited address=%s granted=%u wanted=%u "
				    "hint=\"raise net.core.rmem_max\"",
				text, granted, RECEIVE_BUFFER_LEN);
		}
	}
	return STATUS_OK;
}

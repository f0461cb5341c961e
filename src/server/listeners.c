/* listeners.c - sockets, with the reasons where there are none. */
#include "server/listeners.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "os/socket.h"
#include "server/worker.h"

/* The kernel doubles it, and counts 832 octets for a small datagram: 10,082 queries were held (2026-11-30), 20 ms
 * of 500,000 a second: enough for a zone's publication and for being off the processor. Guess. Under overload it
 * shrinks (overload.h).
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

/* UDP (where it is wanted) and TCP on one address. */
static bool open_pair(const struct addr *addr, unsigned flags, bool with_udp, struct pair *out)
{
	unsigned pktinfo = addr_is_wildcard(addr) ? (unsigned)SOCKET_PKTINFO : 0;
	struct pair pair = {.udp = -1, .tcp = -1};

	if (with_udp) {
		pair.udp = socket_udp_bind(addr, flags | pktinfo);
		if (pair.udp < 0) {
			return false;
		}
	}
	pair.tcp = socket_tcp_listen(addr, BACKLOG, flags);
	if (pair.tcp < 0) {
		close_pair(&pair);
		return false;
	}
	*out = pair;
	return true;
}

/* The address alone, without SO_REUSEPORT: with it a second server of the same user would take half of the
 * queries without a word. Port 0 becomes one that is free for UDP and for TCP.
 */
static bool open_exclusive(struct addr *addr, struct pair *out)
{
	if (addr->port != 0) {
		return open_pair(addr, 0, true, out);
	}
	for (uint32_t i = 0; i < PORT_TRIES; i++) {
		struct addr at = *addr;
		int probe = socket_udp_bind(addr, 0);
		if (probe < 0) {
			return false;
		}
		bool known = socket_local(probe, &at);
		socket_close(probe);
		at.scope = addr->scope;
		if (known && open_pair(&at, 0, true, out)) {
			*addr = at;
			return true;
		}
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

/* Gives a worker its sockets. */
static enum status hand_over(
	struct worker *worker, struct pair *pair, bool pktinfo, uint32_t *granted)
{
	enum status status = STATUS_OK;

	if (pair->udp >= 0) {
		*granted = socket_buffers(pair->udp, RECEIVE_BUFFER_LEN, SEND_BUFFER_LEN);
		status = worker_add_udp(worker, pair->udp, pktinfo);
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

	if (!open_exclusive(addr, &pair)) {
		return STATUS_IO;
	}
	if (worker_count > 1) {
		close_pair(&pair);
	}
	for (uint32_t i = 0; i < worker_count; i++) {
		/* Not even for a moment a UDP socket that nobody reads: the kernel would use it. */
		if (worker_count > 1 && !open_pair(addr, SOCKET_REUSEPORT, i < udp_count, &pair)) {
			return STATUS_IO;
		}
		enum status status = hand_over(workers[i], &pair, addr_is_wildcard(addr), granted);
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

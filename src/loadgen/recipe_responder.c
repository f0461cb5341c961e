/* recipe_responder.c - loops around select(2). */
#include "loadgen/recipe_responder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include "os/child.h"
#include "os/socket.h"
#include "os/udp_single.h"
#include "wire/wire.h"

#define OCTETS_MAX  4096u
#define BUFFER_LEN  (4u << 20) /* of sockets, as all servers of today ask for */
#define FLAGS_OCTET 2u
#define QR_AND_AA   0x84u

struct drainer {
	int fds[RECIPE_RESPONDER_SOCKETS];
	uint32_t fd_count;
	uint32_t bound;
};

/* What goes over the pair: where from, and what. */
struct handed {
	struct addr client;
	uint8_t octets[OCTETS_MAX];
};

#define HANDED_HEAD offsetof(struct handed, octets)

struct fronting {
	int socket;
	int pair;
	uint32_t bound;
};

static void make_answer(uint8_t *octets)
{
	octets[FLAGS_OCTET] |= QR_AND_AA;
}

static void wait_for(const int *fds, uint32_t count, fd_set *ready)
{
	int highest = -1;

	do {
		FD_ZERO(ready);
		for (uint32_t i = 0; i < count; i++) {
			FD_SET(fds[i], ready);
			highest = fds[i] > highest ? fds[i] : highest;
		}
	} while (select(highest + 1, ready, NULL, NULL, NULL) < 0 && errno == EINTR);
}

static void drain(int fd, uint32_t bound)
{
	for (uint32_t i = 0; i < bound; i++) {
		uint8_t octets[OCTETS_MAX];
		struct addr client;
		ssize_t got = udp_single_receive(fd, octets, sizeof(octets), &client);
		if (got < 0) {
			return;
		}
		if (got >= (ssize_t)WIRE_HEADER_LEN) {
			make_answer(octets);
			bool is_sent = udp_single_send(fd, octets, (size_t)got, &client);
			(void)is_sent; /* a lost answer is the client's to notice */
		}
	}
}

static void run_drainer(void *context)
{
	const struct drainer *drainer = context;

	for (;;) {
		fd_set ready;
		wait_for(drainer->fds, drainer->fd_count, &ready);
		for (uint32_t i = 0; i < drainer->fd_count; i++) {
			if (FD_ISSET(drainer->fds[i], &ready)) {
				drain(drainer->fds[i], drainer->bound);
			}
		}
	}
}

/* The back: answers what is handed to it. */
static void run_back(void *context)
{
	const struct fronting *fronting = context;

	for (;;) {
		fd_set ready;
		struct handed handed;
		wait_for(&fronting->pair, 1, &ready);
		for (uint32_t i = 0; i < fronting->bound; i++) {
			ssize_t got = socket_read(fronting->pair, &handed, sizeof(handed));
			if (got <= (ssize_t)HANDED_HEAD) {
				break;
			}
			make_answer(handed.octets);
			ssize_t sent = socket_write(fronting->pair, &handed, (size_t)got);
			(void)sent; /* a full pair loses the answer, as a full queue does */
		}
	}
}

static void hand_in(const struct fronting *fronting)
{
	struct handed handed;

	for (uint32_t i = 0; i < fronting->bound; i++) {
		ssize_t got = udp_single_receive(
			fronting->socket, handed.octets, sizeof(handed.octets), &handed.client);
		if (got < (ssize_t)WIRE_HEADER_LEN) {
			return;
		}
		ssize_t sent = socket_write(fronting->pair, &handed, HANDED_HEAD + (size_t)got);
		(void)sent; /* as above */
	}
}

static void hand_out(const struct fronting *fronting)
{
	struct handed handed;

	for (uint32_t i = 0; i < fronting->bound; i++) {
		ssize_t got = socket_read(fronting->pair, &handed, sizeof(handed));
		if (got <= (ssize_t)HANDED_HEAD) {
			return;
		}
		bool is_sent = udp_single_send(
			fronting->socket, handed.octets, (size_t)got - HANDED_HEAD, &handed.client);
		(void)is_sent; /* as above */
	}
}

static void run_front(void *context)
{
	const struct fronting *fronting = context;
	const int fds[] = {fronting->socket, fronting->pair};

	for (;;) {
		fd_set ready;
		wait_for(fds, 2, &ready);
		if (FD_ISSET(fronting->socket, &ready)) {
			hand_in(fronting);
		}
		if (FD_ISSET(fronting->pair, &ready)) {
			hand_out(fronting);
		}
	}
}

static int open_socket(struct addr *server)
{
	struct addr any;
	int fd = addr_parse("127.0.0.1:0", 0, &any) ? socket_udp_bind(&any, 0) : -1;

	if (fd >= 0) {
		socket_buffers(fd, BUFFER_LEN, BUFFER_LEN);
		if (!socket_local(fd, server)) {
			socket_close(fd);
			return -1;
		}
	}
	return fd;
}

static bool add_child(struct recipe_responder *out, void (*run)(void *context), void *context)
{
	pid_t pid = child_fork(run, context);

	if (pid > 0) {
		out->pids[out->pid_count++] = pid;
	}
	return pid > 0;
}

bool recipe_responder_start(
	struct recipe_responder *out, uint32_t socket_count, uint32_t process_count, uint32_t bound)
{
	struct drainer drainer = {.bound = bound};
	bool is_started = true;

	ASSERT(socket_count <= RECIPE_RESPONDER_SOCKETS);
	ASSERT(process_count <= RECIPE_RESPONDER_CHILDREN);
	*out = (struct recipe_responder){.pid_count = 0};
	while (is_started && drainer.fd_count < socket_count) {
		int fd = open_socket(&out->servers[drainer.fd_count]);
		is_started = fd >= 0 && fd < FD_SETSIZE;
		if (fd >= 0) {
			drainer.fds[drainer.fd_count++] = fd;
		}
	}
	for (uint32_t i = 0; is_started && i < process_count; i++) {
		is_started = add_child(out, run_drainer, &drainer);
	}
	for (uint32_t i = 0; i < drainer.fd_count; i++) {
		socket_close(drainer.fds[i]);
	}
	return is_started;
}

bool recipe_responder_start_front(struct recipe_responder *out, uint32_t bound)
{
	int pair[2];

	*out = (struct recipe_responder){.pid_count = 0};
	int fd = open_socket(&out->servers[0]);
	if (fd < 0 || !udp_single_pair(pair)) {
		if (fd >= 0) {
			socket_close(fd);
		}
		return false;
	}
	struct fronting front = {.socket = fd, .pair = pair[0], .bound = bound};
	struct fronting back = {.socket = -1, .pair = pair[1], .bound = bound};
	bool is_started = add_child(out, run_front, &front) && add_child(out, run_back, &back);
	socket_close(fd);
	socket_close(pair[0]);
	socket_close(pair[1]);
	return is_started;
}

void recipe_responder_end(struct recipe_responder *responder)
{
	for (uint32_t i = 0; i < responder->pid_count; i++) {
		child_end(responder->pids[i]);
	}
	responder->pid_count = 0;
}

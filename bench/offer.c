/* offer.c - an open loop: offers queries at a fixed rate whatever comes back, and tells what did and how late.
 *
 * usage: offer ADDRESS PORT QUERYFILE SECONDS RATE [plain|do|mixed [SOCKETS [SETTLE]]]
 *
 * Sends bursts of one length with one call (UDP_SEGMENT), so that one processor can offer more than another can
 * answer. An answer is late by its kernel stamp minus the time just before the call that sent its query; so what
 * this program takes to read it does not count, and what the server's processor needs to send it does. The first
 * SETTLE seconds (1) are not counted: a server may need a moment to see that it is overloaded.
 *
 * Prints one JSON line: offered and answered a second, lost_percent, microseconds of the 50th, 99th and 99.9th
 * percentile, own_drops (answers for which this program had no room: those are not the server's loss), and
 * answered_all, the count with those of the first seconds, and
 * behind_ms, how far it fell behind its schedule: where that is much, `offered` is what it could do, not RATE.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <time.h>

#include "queries.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { BATCH = 64, BURST = 32, SOCKETS_MOST = 1024, IDS = 65536, US_MOST = 2000000 };

struct socket_state {
	int fd;
	uint16_t id;
	uint64_t *sent_ns; /* of each ID; 0: nothing is awaited */
};

static struct socket_state sockets[SOCKETS_MOST];
static uint32_t late_us[US_MOST + 1];
static uint64_t answered, answered_all, strays;
static struct mmsghdr in[BATCH];
static struct iovec in_iov[BATCH];
static uint8_t got[BATCH][64]; /* the header is enough */
static char control[BATCH][64];

static uint64_t wall_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int compare_len(const void *a, const void *b)
{
	return (int)query_len[*(const int *)a] - (int)query_len[*(const int *)b];
}

/* Indices of the queries in bursts of one length, the bursts in turn from all over the list. */
static int make_bursts(int queries, int **out)
{
	int *order = malloc(sizeof(*order) * (size_t)queries);
	int *starts = malloc(sizeof(*starts) * (size_t)queries);
	int count = 0;

	if (order == NULL || starts == NULL) {
		return 0;
	}
	for (int i = 0; i < queries; i++) {
		order[i] = i;
	}
	qsort(order, (size_t)queries, sizeof(*order), compare_len);
	for (int i = 0; i + BURST <= queries;) {
		if (query_len[order[i]] != query_len[order[i + BURST - 1]]) {
			i++;
			continue;
		}
		starts[count++] = i;
		i += BURST;
	}
	*out = malloc(sizeof(**out) * (size_t)count * BURST);
	if (*out == NULL) {
		return 0;
	}
	uint32_t step = 2654435761u;
	for (int i = count - 1; i > 0; i--) { /* a shuffle that is the same each time */
		int j = (int)((step = step * 1664525u + 1013904223u) >> 8) % (i + 1);
		int t = starts[i];
		starts[i] = starts[j];
		starts[j] = t;
	}
	for (int i = 0; i < count; i++) {
		memcpy(*out + i * BURST, order + starts[i], sizeof(*order) * BURST);
	}
	free(order);
	free(starts);
	return count;
}

static void open_sockets(const char *address, const char *port, int count)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
	int size = 8 << 20, one = 1;

	inet_pton(AF_INET, address, &at.sin_addr);
	for (int i = 0; i < count; i++) {
		struct socket_state *s = &sockets[i];
		s->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
		s->sent_ns = calloc(IDS, sizeof(s->sent_ns[0]));
		if (setsockopt(s->fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) != 0) {
			setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
		}
		setsockopt(s->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
		setsockopt(s->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
		if (s->sent_ns == NULL || connect(s->fd, (void *)&at, sizeof(at)) != 0) {
			perror("offer");
			exit(1);
		}
	}
}

/* One burst from one socket; returns how many queries went out. */
static int send_burst(struct socket_state *s, const int *burst, uint64_t stamp_ns)
{
	static uint8_t octets[BURST * QUERY_LEN_MOST];
	static char segment[CMSG_SPACE(sizeof(uint16_t))];
	uint16_t len = query_len[burst[0]];
	struct iovec iov = {octets, (size_t)len * BURST};
	struct msghdr header = {.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = segment,
		.msg_controllen = sizeof(segment)};
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);

	c->cmsg_level = SOL_UDP;
	c->cmsg_type = UDP_SEGMENT;
	c->cmsg_len = CMSG_LEN(sizeof(len));
	memcpy(CMSG_DATA(c), &len, sizeof(len));
	for (int i = 0; i < BURST; i++) {
		uint8_t *b = octets + i * len;
		memcpy(b, query[burst[i]], len);
		b[0] = (uint8_t)(s->id >> 8);
		b[1] = (uint8_t)s->id;
		s->sent_ns[s->id++] = stamp_ns;
	}
	return sendmsg(s->fd, &header, 0) > 0 ? BURST : 0;
}

static uint64_t kernel_stamp(struct msghdr *header)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPNS) {
			struct timespec t;
			memcpy(&t, CMSG_DATA(c), sizeof(t));
			return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
		}
	}
	return wall_ns();
}

/* Answers that wait on a socket; those to queries sent before from_ns are not counted. */
static void receive(struct socket_state *s, uint64_t from_ns)
{
	int n;

	do {
		for (int i = 0; i < BATCH; i++) {
			in_iov[i] = (struct iovec){got[i], sizeof(got[i])};
			in[i].msg_hdr = (struct msghdr){.msg_iov = &in_iov[i],
				.msg_iovlen = 1,
				.msg_control = control[i],
				.msg_controllen = sizeof(control[i])};
		}
		n = recvmmsg(s->fd, in, BATCH, MSG_DONTWAIT, NULL);
		for (int i = 0; i < n; i++) {
			uint64_t *sent_ns = &s->sent_ns[(got[i][0] << 8) | got[i][1]];
			if (*sent_ns == 0) {
				strays++;
				continue;
			}
			if (*sent_ns >= from_ns) {
				uint64_t came_ns = kernel_stamp(&in[i].msg_hdr);
				uint64_t us = came_ns > *sent_ns ? (came_ns - *sent_ns) / 1000 : 0;
				late_us[us < US_MOST ? us : US_MOST]++;
				answered++;
			}
			answered_all++;
			*sent_ns = 0;
		}
	} while (n == BATCH);
}

static uint32_t percentile(double share)
{
	uint64_t want = (uint64_t)(share * (double)answered);
	uint64_t seen = 0;

	for (uint32_t us = 0; us <= US_MOST; us++) {
		seen += late_us[us];
		if (seen > want) {
			return us;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "usage: offer ADDRESS PORT QUERYFILE SECONDS RATE "
				"[plain|do|mixed [SOCKETS [SETTLE]]]\n");
		return 2;
	}
	double rate = atof(argv[5]);
	int socket_count = argc > 7 ? atoi(argv[7]) : 8;
	double settle = argc > 8 ? atof(argv[8]) : 1;
	int *bursts = NULL;
	int burst_count = make_bursts(queries_read(argv[3], argc > 6 ? argv[6] : "plain"), &bursts);
	if (burst_count == 0 || socket_count < 1 || socket_count > SOCKETS_MOST || rate <= 0) {
		fprintf(stderr,
			"offer: no %d queries of one length, no rate, or not 1 to %d sockets\n",
			BURST, SOCKETS_MOST);
		return 1;
	}
	open_sockets(argv[1], argv[2], socket_count);

	uint64_t start_ns = wall_ns(), from_ns = start_ns + (uint64_t)(settle * 1e9);
	uint64_t end_ns = from_ns + (uint64_t)(atof(argv[4]) * 1e9);
	uint64_t sent = 0, counted = 0, last_ns = start_ns;
	double behind = 0;
	int turn = 0, next = 0;
	for (uint64_t t; (t = wall_ns()) < end_ns;) {
		double due = (double)(t - start_ns) * 1e-9 * rate - (double)sent;
		for (int i = 0; i < 8 && due >= BURST; i++) { /* then a look at what came */
			int n = send_burst(&sockets[turn], bursts + next * BURST, t);
			turn = (turn + 1) % socket_count;
			next = (next + 1) % burst_count;
			sent += (uint64_t)n;
			counted += t >= from_ns ? (uint64_t)n : 0;
			due -= BURST;
			t = wall_ns();
		}
		behind = due > behind ? due : behind;
		last_ns = t;
		for (int i = 0; i < socket_count; i++) {
			receive(&sockets[i], from_ns);
		}
	}
	/* What is on its way still counts, if it comes in the next half second. */
	while (wall_ns() < last_ns + 500000000u) {
		for (int i = 0; i < socket_count; i++) {
			receive(&sockets[i], from_ns);
		}
	}
	uint64_t own_drops = 0;
	for (int i = 0; i < socket_count; i++) {
		uint32_t meminfo[SK_MEMINFO_VARS] = {0};
		socklen_t len = sizeof(meminfo);
		getsockopt(sockets[i].fd, SOL_SOCKET, SO_MEMINFO, meminfo, &len);
		own_drops += meminfo[SK_MEMINFO_DROPS];
	}
	double took = (double)(last_ns - from_ns) * 1e-9;
	printf("{\"offered\": %.0f, \"answered\": %.0f, \"lost_percent\": %.3f, \"p50_us\": %u, "
	       "\"p99_us\": %u, \"p999_us\": %u, \"own_drops\": %lu, \"behind_ms\": %.1f, "
	       "\"strays\": %lu, \"answered_all\": %lu}\n",
		(double)counted / took, (double)answered / took,
		counted != 0 ? 100.0 * (1 - (double)answered / (double)counted) : 0,
		percentile(0.5), percentile(0.99), percentile(0.999), own_drops,
		behind / rate * 1e3, strays, answered_all);
	return 0;
}

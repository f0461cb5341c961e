/* An independent closed-loop DNS load generator, kept small so that it can be trusted.
 * usage: gen ADDRESS PORT QUERYFILE SECONDS WINDOW [plain|do|mixed [SOCKETS]]
 * QUERYFILE: one "name type" a line. WINDOW: queries in flight. do: EDNS (1232 octets) with the DO bit.
 * mixed: of ten queries three without EDNS, two with DO, five with a client cookie. SOCKETS: source ports (4).
 * Prints one JSON line: sent, received, lost_percent, qps, mean answer bytes, counts of each rcode. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>

#include "queries.h"

enum { BATCH = 64, SOCKETS_MOST = 1024 };

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	if (argc < 6) {
		fprintf(stderr, "usage: gen ADDRESS PORT QUERYFILE SECONDS WINDOW [plain|do|mixed "
				"[SOCKETS]]\n");
		return 2;
	}
	int queries = queries_read(argv[3], argc > 6 ? argv[6] : "plain");
	if (queries == 0) {
		return 1;
	}
	double length = atof(argv[4]);
	int sockets = argc > 7 ? atoi(argv[7]) : 4;
	if (sockets < 1 || sockets > SOCKETS_MOST) {
		fprintf(stderr, "gen: between 1 and %d sockets\n", SOCKETS_MOST);
		return 2;
	}
	long window = atol(argv[5]) / sockets;
	if (window < 1)
		window = 1;
	int burst = window < BATCH ? (int)window : BATCH;
	static int sock[SOCKETS_MOST];
	int size = 4 << 20;
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
	inet_pton(AF_INET, argv[1], &at.sin_addr);
	for (int i = 0; i < sockets; i++) {
		sock[i] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
		setsockopt(sock[i], SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
		setsockopt(sock[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
		if (connect(sock[i], (void *)&at, sizeof at)) {
			perror("connect");
			return 1;
		}
	}
	static struct mmsghdr out[BATCH], in[BATCH];
	static struct iovec out_iov[BATCH], in_iov[BATCH];
	static uint8_t got[BATCH][4096];
	for (int i = 0; i < BATCH; i++) {
		in_iov[i] = (struct iovec){got[i], sizeof got[i]};
		in[i].msg_hdr = (struct msghdr){.msg_iov = &in_iov[i], .msg_iovlen = 1};
		out[i].msg_hdr = (struct msghdr){.msg_iov = &out_iov[i], .msg_iovlen = 1};
	}
	static long flight[SOCKETS_MOST];
	long sent = 0, received = 0, bytes = 0, rcode[16] = {0};
	int next = 0;
	uint16_t id = 0;
	double start = now(), last = start;
	for (double t = start; t < start + length; t = now()) {
		int progress = 0;
		for (int k = 0; k < sockets; k++) {
			for (int n; (n = recvmmsg(sock[k], in, BATCH, MSG_DONTWAIT, 0)) > 0;) {
				for (int i = 0; i < n; i++) {
					bytes += in[i].msg_len;
					rcode[got[i][3] & 15]++;
				}
				received += n;
				flight[k] -= n;
				progress = 1;
				last = t;
				if (n < BATCH)
					break;
			}
			while (flight[k] + burst <= window) {
				for (int i = 0; i < burst; i++) {
					query[next][0] = id >> 8;
					query[next][1] = id++;
					out_iov[i] = (struct iovec){query[next], query_len[next]};
					if (++next == queries)
						next = 0;
				}
				int n = sendmmsg(sock[k], out, burst, 0);
				if (n <= 0)
					break;
				sent += n;
				flight[k] += n;
				progress = 1;
			}
		}
		if (!progress && t - last > 0.2) {
			memset(flight, 0, sizeof flight);
			last = t;
		}
	}
	double took = now() - start;
	long left = 0;
	for (int k = 0; k < sockets; k++)
		left += flight[k] > 0 ? flight[k] : 0;
	long lost = sent - received - left;
	printf("{\"sent\": %ld, \"received\": %ld, \"lost_percent\": %.4f, \"qps\": %.0f, "
	       "\"bytes\": %.1f, \"rcodes\": {",
		sent, received, sent ? 100.0 * (lost > 0 ? lost : 0) / sent : 0.0, received / took,
		received ? (double)bytes / received : 0.0);
	for (int i = 0, first = 1; i < 16; i++)
		if (rcode[i]) {
			printf("%s\"%d\": %ld", first ? "" : ", ", i, rcode[i]);
			first = 0;
		}
	printf("}}\n");
	return 0;
}

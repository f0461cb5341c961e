/* echo.c - the ceiling that the kernel sets: datagrams in and out in batches, and no DNS work at all.
 *
 * usage: echo ADDRESS PORT [EXTRA [WORKERS]]
 *
 * EXTRA octets are added to each answer, to match an answer's size. WORKERS threads (1) have a socket each with
 * SO_REUSEPORT, and nothing else in common.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 64, SLOT = 2048, WORKERS_MOST = 256, BUFFER_LEN = 4 << 20 };

struct worker {
	int fd;
	struct iovec iov[BATCH];
	struct mmsghdr msg[BATCH];
	struct sockaddr_storage peer[BATCH];
	char buf[BATCH][SLOT];
};

static int extra;

static void receive_and_send(struct worker *w)
{
	for (int i = 0; i < BATCH; i++) {
		w->iov[i] = (struct iovec){w->buf[i], SLOT};
		w->msg[i].msg_hdr = (struct msghdr){.msg_name = &w->peer[i],
			.msg_namelen = sizeof(w->peer[i]),
			.msg_iov = &w->iov[i],
			.msg_iovlen = 1};
	}
	int n = recvmmsg(w->fd, w->msg, BATCH, MSG_WAITFORONE, NULL);
	if (n < 0 && errno != EINTR) {
		perror("recvmmsg");
		exit(1);
	}
	for (int i = 0; i < n; i++) {
		w->buf[i][2] |= (char)0x80;
		w->iov[i].iov_len = w->msg[i].msg_len + (size_t)extra;
	}
	for (int sent = 0; sent < n;) {
		int k = sendmmsg(w->fd, w->msg + sent, (unsigned)(n - sent), 0);
		if (k > 0) {
			sent += k;
		} else if (errno != EAGAIN && errno != ENOBUFS && errno != EINTR) {
			sent++; /* one that the kernel will not take */
		}
	}
}

static void *run(void *context)
{
	for (;;) {
		receive_and_send(context);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int workers = argc > 4 ? atoi(argv[4]) : 1, size = BUFFER_LEN, one = 1;
	struct sockaddr_in at = {.sin_family = AF_INET};
	struct worker *w = NULL;

	if (argc < 3 || workers < 1 || workers > WORKERS_MOST) {
		fprintf(stderr, "usage: echo ADDRESS PORT [EXTRA [WORKERS]]\n");
		return 2;
	}
	at.sin_port = htons((uint16_t)atoi(argv[2]));
	inet_pton(AF_INET, argv[1], &at.sin_addr);
	extra = argc > 3 ? atoi(argv[3]) : 0;
	for (int i = 0; i < workers; i++) {
		pthread_t thread;
		w = calloc(1, sizeof(*w));
		if (w == NULL) {
			return 1;
		}
		w->fd = socket(AF_INET, SOCK_DGRAM, 0);
		setsockopt(w->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
		setsockopt(w->fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
		if (workers > 1) {
			setsockopt(w->fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
		}
		if (bind(w->fd, (void *)&at, sizeof(at)) != 0) {
			perror("bind");
			return 1;
		}
		if (i + 1 < workers && pthread_create(&thread, NULL, run, w) != 0) {
			return 1;
		}
	}
	run(w);
}

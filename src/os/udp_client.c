/* udp_client.c - sendmmsg(2) from shared memory, recvmmsg(2) with time stamps. */
#include "os/udp_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/now.h"
#include "os/clock.h"

#define CONTROL_LEN 32u /* octets: one SCM_TIMESTAMPNS message with its header */

_Static_assert(CONTROL_LEN >= CMSG_SPACE(sizeof(struct timespec)), "room for the time stamp");

struct udp_client_kernel {
	struct mmsghdr in[UDP_BATCH_MAX];
	struct mmsghdr out[UDP_BATCH_MAX];
	struct iovec in_iov[UDP_BATCH_MAX];
	struct iovec out_iov[UDP_BATCH_MAX][2];
	_Alignas(16) uint8_t control[UDP_BATCH_MAX][CONTROL_LEN];
	uint8_t heads[UDP_BATCH_MAX][UDP_CLIENT_HEAD_LEN];
	_Alignas(CACHE_LINE) uint8_t octets[UDP_BATCH_MAX][UDP_SLOT_LEN];
};

struct udp_client *udp_client_new(void)
{
	struct udp_client *client = calloc(1, sizeof(*client));
	struct udp_client_kernel *kernel = aligned_alloc(
		CACHE_LINE, (sizeof(*kernel) + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1));

	if (client == NULL || kernel == NULL) {
		free(client);
		free(kernel);
		return NULL;
	}
	memset(kernel, 0, sizeof(*kernel));
	client->kernel = kernel;
	for (uint32_t i = 0; i < UDP_BATCH_MAX; i++) {
		client->answers[i].octets = kernel->octets[i];
		kernel->in_iov[i] = (struct iovec){kernel->octets[i], UDP_SLOT_LEN};
		kernel->in[i].msg_hdr = (struct msghdr){.msg_iov = &kernel->in_iov[i],
			.msg_iovlen = 1,
			.msg_control = kernel->control[i],
			.msg_controllen = CONTROL_LEN};
		kernel->out_iov[i][0] = (struct iovec){kernel->heads[i], UDP_CLIENT_HEAD_LEN};
		kernel->out[i].msg_hdr =
			(struct msghdr){.msg_iov = kernel->out_iov[i], .msg_iovlen = 2};
	}
	return client;
}

void udp_client_free(struct udp_client *client)
{
	if (client != NULL) {
		free(client->kernel);
		free(client);
	}
}

void udp_client_stamps(int fd)
{
	int on = 1;

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
}

HOT uint8_t *udp_client_put(struct udp_client *client, const uint8_t *rest, uint32_t rest_len)
{
	ASSERT(client->query_count < UDP_BATCH_MAX);

	uint32_t idx = client->query_count++;
	/* The kernel only reads from it; struct iovec has no const. */
	union {
		const uint8_t *from;
		void *to;
	} pun = {.from = rest};

	client->kernel->out_iov[idx][1] = (struct iovec){pun.to, rest_len};
	return client->kernel->heads[idx];
}

HOT uint32_t udp_client_send(struct udp_client *client, int fd, int *error_out)
{
	uint32_t count = client->query_count;
	uint32_t sent = 0;

	client->query_count = 0;
	while (sent < count) {
		int done = sendmmsg(fd, client->kernel->out + sent, count - sent, MSG_DONTWAIT);
		if (done > 0) {
			sent += (uint32_t)done;
		} else if (errno != EINTR) {
			*error_out = errno == ENOBUFS ? EAGAIN : errno;
			break;
		}
	}
	return sent;
}

/* The kernel stamps with the wall clock. How long ago that was, by the same clock, is taken off the monotonic
 * one; a clock that was set in between is noticed by an age that cannot be, and the stamp is left out.
 */
static uint64_t stamp_to_mono(struct msghdr *header, uint64_t mono_ns, const struct timespec *wall)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(header);
	struct timespec at;

	if (c == NULL || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS) {
		return mono_ns;
	}
	memcpy(&at, CMSG_DATA(c), sizeof(at));
	int64_t age_ns = (wall->tv_sec - at.tv_sec) * (int64_t)NOW_NS_A_SECOND +
			 (wall->tv_nsec - at.tv_nsec);
	if (age_ns < 0 || age_ns > (int64_t)NOW_NS_A_SECOND) {
		return mono_ns;
	}
	return mono_ns - (uint64_t)age_ns;
}

HOT int udp_client_receive(struct udp_client *client, int fd)
{
	struct udp_client_kernel *kernel = client->kernel;
	struct timespec wall;

	/* Only what the last receive used was changed by the kernel. */
	for (uint32_t i = 0; i < client->answer_count; i++) {
		kernel->in[i].msg_hdr.msg_controllen = CONTROL_LEN;
	}
	client->answer_count = 0;
	int got = recvmmsg(fd, kernel->in, UDP_BATCH_MAX, MSG_DONTWAIT, NULL);
	if (got < 0) {
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	}
	clock_gettime(CLOCK_REALTIME, &wall);
	uint64_t mono_ns = clock_mono_ns();
	client->answer_count = (uint32_t)got;
	for (uint32_t i = 0; i < client->answer_count; i++) {
		struct udp_client_answer *answer = &client->answers[i];
		answer->mono_ns = stamp_to_mono(&kernel->in[i].msg_hdr, mono_ns, &wall);
		answer->len = kernel->in[i].msg_len;
		answer->cut = (kernel->in[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
	}
	return got;
}

/* udp_client.c - sendmmsg(2) of packets to be cut, recvmmsg(2) with time stamps. */
#include "os/udp_client.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/now.h"
#include "os/clock.h"

#define CUT_LEN 32u /* octets: one UDP_SEGMENT message with its header */
#define PACKET_LEN_MAX                                                                             \
	65000u /* octets of one packet before it is cut: some less than IP's, for its headers */
/* A rest up to so many octets is copied: cheaper than the kernel's gathering of two pieces, and any usual query. */
#define PACKED_REST_MAX 510u
#define CONTROL_LEN     32u /* octets: one SCM_TIMESTAMPNS message with its header */

_Static_assert(CUT_LEN >= CMSG_SPACE(sizeof(uint16_t)), "room for the length");
_Static_assert(CONTROL_LEN >= CMSG_SPACE(sizeof(struct timespec)), "room for the time stamp");

/* One query of a batch. Those that are packed lie side by side, so that a run of them is one piece of memory. */
struct udp_client_query {
	uint8_t *octets;     /* in packed: the message ID, and the rest where it is short */
	const uint8_t *rest; /* borrows: where it is long */
	uint32_t len;        /* octets of the message */
	uint32_t packed_len; /* of those: in packed */
};

struct udp_client_kernel {
	struct mmsghdr in[UDP_BATCH_MAX];
	struct mmsghdr out[UDP_BATCH_MAX];
	struct iovec in_iov[UDP_BATCH_MAX];
	struct iovec out_iov[UDP_BATCH_MAX][2];
	struct udp_client_query queries[UDP_BATCH_MAX];
	_Alignas(16) uint8_t cuts[UDP_BATCH_MAX][CUT_LEN];
	_Alignas(16) uint8_t control[UDP_BATCH_MAX][CONTROL_LEN];
	uint8_t packed[UDP_BATCH_MAX * (UDP_CLIENT_HEAD_LEN + PACKED_REST_MAX)];
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

	struct udp_client_kernel *kernel = client->kernel;
	uint32_t idx = client->query_count++;
	struct udp_client_query *query = &kernel->queries[idx];

	query->octets =
		idx == 0 ? kernel->packed
			 : kernel->queries[idx - 1].octets + kernel->queries[idx - 1].packed_len;
	query->len = UDP_CLIENT_HEAD_LEN + rest_len;
	query->rest = rest;
	if (rest_len <= PACKED_REST_MAX) {
		query->packed_len = query->len;
		memcpy(query->octets + UDP_CLIENT_HEAD_LEN, rest, rest_len);
	} else {
		query->packed_len = UDP_CLIENT_HEAD_LEN;
	}
	return query->octets;
}

/* How many queries from idx on can be one packet: of equal length, and no longer than a datagram in all. */
static uint32_t run_of(const struct udp_client *client, uint32_t idx)
{
	const struct udp_client_query *queries = client->kernel->queries;
	uint32_t len = queries[idx].len;
	uint32_t most =
		client->is_single || queries[idx].packed_len != len ? 1 : PACKET_LEN_MAX / len;
	uint32_t end = idx + 1;

	while (end < client->query_count && end - idx < most && queries[end].len == len) {
		end++;
	}
	return end - idx;
}

/* One message of count queries from idx on. */
static void make_message(
	struct udp_client_kernel *kernel, uint32_t nth, uint32_t idx, uint32_t count)
{
	const struct udp_client_query *query = &kernel->queries[idx];
	struct msghdr *header = &kernel->out[nth].msg_hdr;
	/* The kernel only reads from it; struct iovec has no const. */
	union {
		const uint8_t *from;
		void *to;
	} pun = {.from = query->rest};

	header->msg_iov = kernel->out_iov[nth];
	header->msg_iovlen = query->packed_len == query->len ? 1 : 2;
	header->msg_control = NULL;
	header->msg_controllen = 0;
	kernel->out_iov[nth][0] = (struct iovec){query->octets, (size_t)query->packed_len * count};
	kernel->out_iov[nth][1] = (struct iovec){pun.to, query->len - UDP_CLIENT_HEAD_LEN};
	if (count > 1) {
		uint16_t len = (uint16_t)query->len;
		header->msg_control = kernel->cuts[nth];
		header->msg_controllen = CMSG_SPACE(sizeof(len));
		struct cmsghdr *c = CMSG_FIRSTHDR(header);
		c->cmsg_level = SOL_UDP;
		c->cmsg_type = UDP_SEGMENT;
		c->cmsg_len = CMSG_LEN(sizeof(len));
		memcpy(CMSG_DATA(c), &len, sizeof(len));
	}
}

/* Did the kernel refuse a packet that it was to cut? Alone the queries may be sent. */
static bool is_refused_cut(int error, uint32_t count)
{
	return count > 1 &&
	       (error == EINVAL || error == EIO || error == EMSGSIZE || error == EOPNOTSUPP);
}

HOT uint32_t udp_client_send(struct udp_client *client, int fd, int *error_out)
{
	uint32_t counts[UDP_BATCH_MAX]; /* queries of each message */
	uint32_t sent = 0;

	while (sent < client->query_count) {
		uint32_t message_count = 0;
		for (uint32_t idx = sent; idx < client->query_count;
			idx += counts[message_count++]) {
			counts[message_count] = run_of(client, idx);
			make_message(client->kernel, message_count, idx, counts[message_count]);
		}
		int done = sendmmsg(fd, client->kernel->out, message_count, MSG_DONTWAIT);
		for (int i = 0; i < done; i++) {
			sent += counts[i];
		}
		if (done < 0 && is_refused_cut(errno, counts[0])) {
			client->is_single = true;
		} else if (done < 0 && errno != EINTR) {
			*error_out = errno == ENOBUFS ? EAGAIN : errno;
			break;
		}
	}
	client->query_count = 0;
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

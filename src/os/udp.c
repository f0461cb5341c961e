/* udp.c - recvmmsg(2) and sendmmsg(2) over fixed slots. */
#include "os/udp.h"

#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/lines.h"
#include "os/socket.h"

#define CONTROL_LEN 64u /* octets: one packet-info message of either family with its header */

/* Octets from slot to slot: an odd number of cache lines. With a power of two the headers of all slots would
 * fall into two sets of the first-level cache and push each other out.
 */
#define SLOT_STRIDE (UDP_SLOT_LEN + CACHE_LINE)

_Static_assert(SLOT_STRIDE / CACHE_LINE % 2 == 1, "slots spread over the cache's sets");
_Static_assert(offsetof(struct sockaddr_in, sin_port) == offsetof(struct sockaddr_in6, sin6_port),
	"one look at the port for both families");
_Static_assert(CONTROL_LEN >= CMSG_SPACE(sizeof(struct in6_pktinfo)), "room for IPV6_PKTINFO");

struct udp_kernel {
	struct mmsghdr in[UDP_BATCH_MAX];
	struct mmsghdr out[UDP_BATCH_MAX];
	struct iovec in_iov[UDP_BATCH_MAX];
	struct iovec out_iov[UDP_BATCH_MAX];
	struct sockaddr_in6 peers[UDP_BATCH_MAX]; /* the larger of the two families */
	bool pktinfo;
	_Alignas(8) uint8_t control[UDP_BATCH_MAX][CONTROL_LEN];
	_Alignas(CACHE_LINE) uint8_t octets[UDP_BATCH_MAX][SLOT_STRIDE];
};

struct udp_batch *udp_batch_new(bool pktinfo)
{
	struct udp_batch *batch = lines_new(sizeof(*batch));
	struct udp_kernel *kernel = lines_new(sizeof(*kernel));

	if (batch == NULL || kernel == NULL) {
		free(batch);
		free(kernel);
		return NULL;
	}
	kernel->pktinfo = pktinfo;
	batch->kernel = kernel;
	for (uint32_t i = 0; i < UDP_BATCH_MAX; i++) {
		batch->slots[i].octets = kernel->octets[i];
		kernel->in_iov[i] = (struct iovec){kernel->octets[i], UDP_SLOT_LEN};
		kernel->in[i].msg_hdr = (struct msghdr){.msg_name = &kernel->peers[i],
			.msg_namelen = sizeof(kernel->peers[i]),
			.msg_iov = &kernel->in_iov[i],
			.msg_iovlen = 1,
			.msg_control = pktinfo ? kernel->control[i] : NULL,
			.msg_controllen = pktinfo ? CONTROL_LEN : 0};
		kernel->out[i].msg_hdr.msg_iov = &kernel->out_iov[i];
		kernel->out[i].msg_hdr.msg_iovlen = 1;
	}
	return batch;
}

void udp_batch_free(struct udp_batch *batch)
{
	if (batch != NULL) {
		free(batch->kernel);
		free(batch);
	}
}

HOT int udp_receive(struct udp_batch *batch, int fd)
{
	struct udp_kernel *kernel = batch->kernel;

	/* Only what the last receive used was changed by the kernel. */
	for (uint32_t i = 0; i < batch->count; i++) {
		kernel->in[i].msg_hdr.msg_namelen = sizeof(kernel->peers[i]);
		kernel->in[i].msg_hdr.msg_controllen = kernel->pktinfo ? CONTROL_LEN : 0;
	}
	int got = recvmmsg(fd, kernel->in, UDP_BATCH_MAX, MSG_DONTWAIT, NULL);
	if (got < 0) {
		batch->count = 0;
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	}
	batch->count = (uint32_t)got;
	for (uint32_t i = 0; i < batch->count; i++) {
		batch->slots[i].in_len = kernel->in[i].msg_len;
		batch->slots[i].out_len = 0;
		batch->slots[i].cut = (kernel->in[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
	}
	return got;
}

/* Makes the packet info that came with a query fit for sending: the address asked becomes the source. */
static uint32_t turn_control(struct msghdr *header)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL; c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo *info = (struct in_pktinfo *)(void *)CMSG_DATA(c);
			info->ipi_ifindex = 0; /* let routing choose, the source is what counts */
			return (uint32_t)header->msg_controllen;
		}
		if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
			struct in6_pktinfo *info = (struct in6_pktinfo *)(void *)CMSG_DATA(c);
			if (!IN6_IS_ADDR_LINKLOCAL(&info->ipi6_addr)) {
				info->ipi6_ifindex = 0;
			}
			return (uint32_t)header->msg_controllen;
		}
	}
	return 0;
}

HOT uint32_t udp_send(struct udp_batch *batch, int fd, uint32_t *refused)
{
	struct udp_kernel *kernel = batch->kernel;
	uint32_t count = 0;
	uint32_t sent = 0;
	uint32_t skipped = 0;
	uint32_t skipped_before = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->slots[i].out_len == 0) {
			continue;
		}
		struct msghdr *from = &kernel->in[i].msg_hdr;
		if (from->msg_namelen != 0 && kernel->peers[i].sin6_port == 0) {
			skipped_before++; /* nobody can be there: do not let it cut the batch in two */
			continue;
		}
		struct msghdr *to = &kernel->out[count].msg_hdr;
		kernel->out_iov[count] = (struct iovec){kernel->octets[i], batch->slots[i].out_len};
		to->msg_name = from->msg_namelen != 0 ? from->msg_name : NULL;
		to->msg_namelen = from->msg_namelen;
		if (kernel->pktinfo) {
			to->msg_control = from->msg_control;
			to->msg_controllen = turn_control(from);
		}
		count++;
	}
	while (sent + skipped < count) {
		uint32_t at = sent + skipped;
		int done = sendmmsg(fd, kernel->out + at, count - at, MSG_DONTWAIT);
		if (done > 0) {
			sent += (uint32_t)done;
		} else if (errno == EAGAIN || errno == ENOBUFS) {
			skipped += count - at;
		} else if (errno != EINTR) {
			skipped++; /* sendmmsg stops at a bad datagram: pass over that one */
		}
	}
	*refused += skipped + skipped_before;
	return sent;
}

void udp_peer(const struct udp_batch *batch, uint32_t idx, struct addr *out)
{
	struct sockaddr_storage kernel;

	memset(&kernel, 0, sizeof(kernel));
	memcpy(&kernel, &batch->kernel->peers[idx], sizeof(batch->kernel->peers[idx]));
	socket_from_kernel(&kernel, out);
}

struct way_back {
	struct sockaddr_in6 peer;
	uint32_t peer_len;
	uint32_t control_len;
	_Alignas(8) uint8_t control[UDP_RETURN_LEN - sizeof(struct sockaddr_in6) - 12];
};
_Static_assert(sizeof(struct way_back) <= UDP_RETURN_LEN, "it fits into struct udp_return");
_Static_assert(sizeof(((struct way_back *)NULL)->control) >= CMSG_SPACE(sizeof(struct in6_pktinfo)),
	"room for the address that was asked");

void udp_return(const struct udp_batch *batch, uint32_t idx, struct udp_return *out)
{
	struct way_back *way = (struct way_back *)(void *)out->room;
	struct msghdr *header = &batch->kernel->in[idx].msg_hdr;

	memset(out, 0, sizeof(*out));
	way->peer = batch->kernel->peers[idx];
	way->peer_len = header->msg_namelen;
	if (batch->kernel->pktinfo) {
		uint32_t len = turn_control(header);
		way->control_len = len <= sizeof(way->control) ? len : 0;
		memcpy(way->control, batch->kernel->control[idx], way->control_len);
	}
}

bool udp_send_back(int fd, const struct udp_return *to, const uint8_t *octets, uint32_t len)
{
	struct way_back way;
	struct iovec iov = {(void *)(uintptr_t)octets, len};
	memcpy(&way, to->room, sizeof(way));
	struct msghdr header = {.msg_name = way.peer_len != 0 ? &way.peer : NULL,
		.msg_namelen = way.peer_len,
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = way.control_len != 0 ? way.control : NULL,
		.msg_controllen = way.control_len};

	if (way.peer_len != 0 && way.peer.sin6_port == 0) {
		return false; /* nobody can be there */
	}
	return sendmsg(fd, &header, MSG_DONTWAIT) == (ssize_t)len;
}

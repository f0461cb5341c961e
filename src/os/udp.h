/* udp.h - datagrams in batches: up to UDP_BATCH_MAX with one system call each way.
 *
 * A batch owns its slots. udp_receive() fills them, the owner writes each answer over its query and sets
 * out_len, udp_send() sends those with out_len > 0 back to where each came from (or, on a connected socket, to
 * the peer). With SOCKET_PKTINFO sockets the answer leaves from the address that was asked.
 *
 * memory  all of it allocated by udp_batch_new()
 * thread  one owner
 */
#ifndef SAKER_OS_UDP_H
#define SAKER_OS_UDP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"

#define UDP_BATCH_MAX 64u   /* datagrams in one system call; docs/decisions has the measurement */
#define UDP_SLOT_LEN  2048u /* octets a slot; a longer datagram counts as cut */

struct udp_slot {
	uint8_t *octets;  /* borrows: the batch's memory, UDP_SLOT_LEN octets */
	uint32_t in_len;  /* octets received */
	uint32_t out_len; /* octets to send; 0: nothing */
	bool cut;         /* the datagram was longer than the slot */
};

struct udp_kernel; /* the kernel's view of the same slots */

struct udp_batch {
	struct udp_slot slots[UDP_BATCH_MAX];
	uint32_t count;            /* slots that udp_receive() filled */
	struct udp_kernel *kernel; /* owns */
};

/* udp_batch_new - NULL where there is no memory. pktinfo: for sockets opened with SOCKET_PKTINFO. */
MUST_USE struct udp_batch *udp_batch_new(bool pktinfo);
void udp_batch_free(struct udp_batch *batch);

/* udp_receive - fills slots without waiting; returns batch->count, 0 where nothing waits, -1 on errors (errno).
 *
 * effect  out_len of each filled slot is 0
 */
MUST_USE int udp_receive(struct udp_batch *batch, int fd);

/* udp_send - sends slots[0..count) with out_len > 0; returns how many were sent.
 *
 * effect  a datagram that the kernel refuses is skipped and counted in *refused; a full socket buffer is not
 *         waited for: the rest is dropped and counted there, too. Port 0 is never answered.
 */
uint32_t udp_send(struct udp_batch *batch, int fd, uint32_t *refused);

/* udp_peer - where slot idx came from. */
void udp_peer(const struct udp_batch *batch, uint32_t idx, struct addr *out);

#define UDP_RETURN_LEN 96u

/* The way back of a datagram, for an answer that comes later: the peer, and the address that it asked. */
struct udp_return {
	_Alignas(8) uint8_t room[UDP_RETURN_LEN]; /* the kernel's form */
};

/* udp_return - that of slot idx. */
void udp_return(const struct udp_batch *batch, uint32_t idx, struct udp_return *out);

/* udp_send_back - one datagram; false: the kernel did not take it. */
MUST_USE bool udp_send_back(
	int fd, const struct udp_return *to, const uint8_t *octets, uint32_t len);

#endif

/* udp_client.h - the asking side of udp.h: queries out and answers in, up to UDP_BATCH_MAX with one system call.
 *
 * A query is a message ID of its own and a rest, which may be shared by all threads. Sockets are connected
 * (socket_udp_connect()). An answer brings the time at which the kernel received it, so a batch that waits in the
 * socket's queue is not measured as slow.
 *
 * memory  all of it allocated by udp_client_new()
 * thread  one owner
 */
#ifndef SAKER_OS_UDP_CLIENT_H
#define SAKER_OS_UDP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "os/udp.h"

/* Octets of a query that are its own: the message ID, RFC 1035 sec 4.1.1. */
#define UDP_CLIENT_HEAD_LEN 2u

struct udp_client_answer {
	const uint8_t *octets; /* borrows: the batch's memory, until the next receive */
	uint64_t mono_ns;      /* when the kernel had it */
	uint32_t len;
	bool cut; /* it was longer than UDP_SLOT_LEN */
};

struct udp_client_kernel;

struct udp_client {
	struct udp_client_answer answers[UDP_BATCH_MAX]; /* [0..answer_count) are filled */
	uint32_t answer_count;
	uint32_t query_count;             /* queries put since the last udp_client_send() */
	bool is_single;                   /* the kernel refused to cut: one by one */
	struct udp_client_kernel *kernel; /* owns */
};

/* udp_client_new - NULL where there is no memory. */
MUST_USE struct udp_client *udp_client_new(void);
void udp_client_free(struct udp_client *client);

/* udp_client_stamps - asks for the kernel's time of each answer; without it they carry the time of the receive. */
void udp_client_stamps(int fd);

/* udp_client_put - one more query, at most UDP_BATCH_MAX before they are sent; returns where its message ID is to be written.
 *
 * shape   rest: borrows until udp_client_send() returns
 */
uint8_t *udp_client_put(struct udp_client *client, const uint8_t *rest, uint32_t rest_len);

/* udp_client_send - sends the queries put, in order, until the kernel takes no more; forgets them all.
 *
 * Neighbours of equal length go through the kernel's layers as one packet (UDP_SEGMENT) and are cut into datagrams
 * as late as can be; on loopback that is before the receiver's queue. What a path does not take so (a device
 * without checksums, a message longer than its MTU) goes one by one from then on.
 *
 * source  man 7 udp; docs/decisions/0010-load-tool.md has what it brings
 *
 * effect  returns how many were sent. Where those are not all, *error_out is errno: EAGAIN where the
 *         buffer is full, ECONNREFUSED where an earlier query found no one
 */
uint32_t udp_client_send(struct udp_client *client, int fd, int *error_out);

/* udp_client_receive - answers that wait; returns answer_count, or -1 with errno set (ECONNREFUSED as above). */
MUST_USE int udp_client_receive(struct udp_client *client, int fd);

#endif

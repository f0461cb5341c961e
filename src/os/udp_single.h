/* udp_single.h - one datagram a system call, from anybody: how servers read before recvmmsg(2).
 *
 * The load tool's recipes are about what that costs; everything else uses udp.h.
 *
 * thread  any; a descriptor belongs to its caller
 */
#ifndef SAKER_OS_UDP_SINGLE_H
#define SAKER_OS_UDP_SINGLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/addr.h"
#include "base/check.h"

/* udp_single_receive - a datagram that waits, and who sent it; -1 with EAGAIN where none does. */
MUST_USE ssize_t udp_single_receive(int fd, uint8_t *octets, size_t cap, struct addr *from_out);

/* udp_single_send - to an address; false with errno set. */
MUST_USE bool udp_single_send(int fd, const uint8_t *octets, size_t len, const struct addr *to);

/* udp_single_pair - two descriptors of this machine that hand whole messages to each other, non-blocking. */
MUST_USE bool udp_single_pair(int fds_out[2]);

#endif

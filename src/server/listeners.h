/* listeners.h - opens the sockets of every address for every worker.
 *
 * Each worker has its own TCP socket for each address, and the kernel spreads connections over them
 * (SO_REUSEPORT). UDP sockets only as many workers have as there are processors: a worker that waits for a
 * processor would leave its share of the datagrams waiting, too.
 *
 * thread  main
 */
#ifndef SAKER_SERVER_LISTENERS_H
#define SAKER_SERVER_LISTENERS_H

#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/status.h"

struct worker;

#define LISTENERS_WHY_MAX 256u /* octets of an explanation with its zero */

/* listeners_open - sockets for addrs[0..addr_count), handed to workers[0..worker_count).
 *
 * shape   udp_count: workers that get UDP sockets, at most worker_count
 *         addrs: port 0 becomes the port that was free
 * effect  logs each address with what the kernel granted; warns where it granted little
 * errors  STATUS_IO, STATUS_MEMORY, STATUS_LIMIT; why[LISTENERS_WHY_MAX] says which address and what
 */
MUST_USE enum status listeners_open(struct addr *addrs, uint32_t addr_count,
	struct worker *const *workers, uint32_t worker_count, uint32_t udp_count, char *why);

#endif

/* local_server.h - is the server that is asked on this machine, and what has it cost so far?
 *
 * The kernel's tables of sockets tell which ones are bound to the address (or to the wildcard) and its port, and what
 * they dropped; /proc tells which processes hold them. A process of another user cannot be looked into: it
 * is not found then.
 *
 * source  man 5 proc (/proc/net/udp, /proc/net/snmp, /proc/PID/fd), man 3 clock_getcpuclockid
 */
#ifndef SAKER_OS_LOCAL_SERVER_H
#define SAKER_OS_LOCAL_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/addr.h"
#include "base/check.h"

#define LOCAL_SERVER_PROCESSES_MAX 64u   /* a guess: a server forks one a processor */
#define LOCAL_SERVER_SOCKETS_MAX   1024u /* a guess: several a processor */

struct local_server {
	struct addr addr;
	bool is_tcp;
	uint32_t process_count; /* 0: not on this machine, or not ours to look into */
	pid_t pids[LOCAL_SERVER_PROCESSES_MAX];
};

struct local_server_usage {
	uint64_t cpu_ns;  /* processor time of all its processes, of all their threads */
	uint64_t dropped; /* datagrams that found no room at its sockets */
};

/* local_server_find - looks for the processes that wait at an address. is_tcp: for connections.
 *
 * cost  goes through the files of all processes: milliseconds
 */
void local_server_find(const struct addr *addr, bool is_tcp, struct local_server *out);

/* local_server_usage - both since the processes began. A process that ended counts nothing from then on. */
struct local_server_usage local_server_usage(const struct local_server *server);

/* local_server_machine_drops - datagrams that found no room at any socket of this network namespace (RcvbufErrors). */
uint64_t local_server_machine_drops(void);

#endif

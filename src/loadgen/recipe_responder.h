/* recipe_responder.h - small servers with the habits of 2006 and 2013, for recipes to compare with.
 *
 * They answer each query with its own question, NOERROR and no records: what an answer costs is then what
 * reading and writing cost. One datagram is one system call, as it was then.
 *
 * thread  each is a child process
 */
#ifndef SAKER_LOADGEN_RECIPE_RESPONDER_H
#define SAKER_LOADGEN_RECIPE_RESPONDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/addr.h"
#include "base/check.h"

#define RECIPE_RESPONDER_SOCKETS  2u
#define RECIPE_RESPONDER_CHILDREN 2u
#define RECIPE_RESPONDER_DRAIN    UINT32_MAX /* no bound: until the socket is empty */

struct recipe_responder {
	pid_t pids[RECIPE_RESPONDER_CHILDREN];
	uint32_t pid_count;
	struct addr servers[RECIPE_RESPONDER_SOCKETS];
};

/* recipe_responder_start - a server that select()s, and then reads up to bound datagrams of each ready socket.
 *
 * shape   process_count: 1 or 2, which share the sockets; all sockets are on 127.0.0.1
 * errors  false: errno says why; recipe_responder_end() undoes it
 */
MUST_USE bool recipe_responder_start(struct recipe_responder *out, uint32_t socket_count,
	uint32_t process_count, uint32_t bound);

/* recipe_responder_start_front - a process with the socket, which hands each query to another over a pair of local
 * sockets and its answer back. Errors as above.
 */
MUST_USE bool recipe_responder_start_front(struct recipe_responder *out, uint32_t bound);

void recipe_responder_end(struct recipe_responder *responder);

#endif

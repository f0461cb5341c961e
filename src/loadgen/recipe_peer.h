/* recipe_peer.h - name servers as child processes: saker and whichever others are installed.
 *
 * Each serves one zone on 127.0.0.1, configured by files that are written into the stage's folder.
 *
 * thread  the process's main thread
 */
#ifndef SAKER_LOADGEN_RECIPE_PEER_H
#define SAKER_LOADGEN_RECIPE_PEER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/addr.h"
#include "base/check.h"
#include "loadgen/recipe_stage.h"

#define RECIPE_PEERS_MAX 8u

struct recipe_peer {
	const char *name;
	pid_t pid;
	struct addr server;
};

struct recipe_peers {
	struct recipe_peer items[RECIPE_PEERS_MAX];
	uint32_t count;
};

/* What they serve. */
struct recipe_zone {
	const char *name;
	const char *
		file; /* in the stage's folder; for all servers without $GENERATE, which not all can read */
	uint32_t workers; /* UDP workers of each server */
};

/* recipe_peer_start_all - starts saker and the others, and waits until each answers; those that do not are left out
 * with a word on standard error.
 *
 * errors  false: saker itself does not answer, or Ctrl-C; recipe_peer_end_all() undoes either
 */
MUST_USE bool recipe_peer_start_all(
	struct recipe_stage *stage, const struct recipe_zone *zone, struct recipe_peers *out);

/* recipe_peer_start_own - saker alone. Errors as above. */
MUST_USE bool recipe_peer_start_own(
	struct recipe_stage *stage, const struct recipe_zone *zone, struct recipe_peers *out);

void recipe_peer_end_all(struct recipe_peers *peers);

#endif

/* recipe_stage.h - what every recipe needs: a temporary folder, ports, queries, turns, and measurements of a server.
 *
 * A recipe gives its turns to recipe_stage_turns(), which takes them round by round. So this is the one place that
 * knows how far a recipe is, and that tells.
 *
 * thread  the process's main thread
 */
#ifndef SAKER_LOADGEN_RECIPE_STAGE_H
#define SAKER_LOADGEN_RECIPE_STAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/addr.h"
#include "base/check.h"
#include "loadgen/queryfile.h"
#include "loadgen/recipe_progress.h"
#include "loadgen/recipe_sheet.h"
#include "loadgen/run.h"

#define RECIPE_STAGE_PATH_MAX 256u

struct recipe_options {
	double seconds;  /* of each measurement */
	uint32_t rounds; /* in which the servers take turns, at most RECIPE_SHEET_ROUNDS_MAX */
	/* Called when something new begins, and about once a second; NULL: nobody looks. progress: NULL: what was
	 * shown is to go, other output follows.
	 */
	void (*progress)(void *context, const struct recipe_progress *progress);
	void *progress_context; /* borrows: the caller's */
};

struct recipe_stage {
	const struct recipe_options *options; /* borrows: the caller's */
	char folder[RECIPE_STAGE_PATH_MAX];
	struct queryfile queries;
	struct recipe_sheet sheet;
	struct recipe_progress progress;
	uint64_t rounds_ns; /* when the rounds began */
	bool is_interrupted;
};

/* A turn: recipe_stage_measure() or recipe_stage_ramp(), so often as was said.
 *
 * errors  false: the recipe ends; why went to standard error, or Ctrl-C (stage->is_interrupted)
 */
typedef bool (*recipe_stage_turn)(struct recipe_stage *stage, void *context, uint32_t i);

/* recipe_stage_open - makes the folder, and blocks SIGINT and SIGTERM until recipe_stage_close().
 *
 * errors  false: why went to standard error
 */
MUST_USE bool recipe_stage_open(struct recipe_stage *stage, const struct recipe_options *options);

/* recipe_stage_close - removes the folder with all that is in it. */
void recipe_stage_close(struct recipe_stage *stage);

/* recipe_stage_path - the path of a file in the folder into path[RECIPE_STAGE_PATH_MAX]; returns path. */
const char *recipe_stage_path(const struct recipe_stage *stage, const char *name, char *path);

/* recipe_stage_create - a new file in the folder to write to; NULL: why went to standard error. */
MUST_USE FILE *recipe_stage_create(struct recipe_stage *stage, const char *name);

/* recipe_stage_read_queries - reads the file of queries that was written. errors: false, why went to standard error */
MUST_USE bool recipe_stage_read_queries(struct recipe_stage *stage, const char *name);

/* recipe_stage_port - a port of 127.0.0.1 that is free now; 0: none. */
uint16_t recipe_stage_port(struct addr *out);

/* recipe_stage_wait - asks the first query until it is answered.
 *
 * shape   who, pid: the server, a child of this process
 * errors  false: it ended, or did not answer within some minutes, or Ctrl-C (stage->is_interrupted)
 */
MUST_USE bool recipe_stage_wait(
	struct recipe_stage *stage, const char *who, pid_t pid, const struct addr *server);

/* recipe_stage_turns - takes turns 0 to turn_count - 1 in each round.
 *
 * shape   measurements: of one turn; a turn that is left out makes none
 * errors  false: a turn said so
 */
MUST_USE bool recipe_stage_turns(struct recipe_stage *stage, uint32_t turn_count,
	uint32_t measurements, recipe_stage_turn turn, void *context);

/* recipe_stage_measure - one run with the stage's queries, into the sheet; the caller has set what else there is to
 * set.
 *
 * errors  false: it could not be made, why went to standard error; or Ctrl-C (stage->is_interrupted)
 */
MUST_USE bool recipe_stage_measure(
	struct recipe_stage *stage, const struct run_config *config, const struct recipe_key *key);

/* recipe_stage_ramp - the same with a rate that rises: the figure's rate is the highest before an interval loses more
 * than loss_max, a part of 0 to 1, and 0 where the first one does; lost_part is that interval's, the rest is of the
 * whole ramp. Errors as above.
 */
MUST_USE bool recipe_stage_ramp(struct recipe_stage *stage, const struct run_config *config,
	double loss_max, const struct recipe_key *key);

/* recipe_stage_quiet - takes the progress off the terminal. */
void recipe_stage_quiet(struct recipe_stage *stage);

/* recipe_stage_complain - a line on standard error, progress or not; why may be NULL. Always false. */
bool recipe_stage_complain(struct recipe_stage *stage, const char *what, const char *why);

#endif

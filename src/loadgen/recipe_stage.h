/* recipe_stage.h - what every recipe needs: a temporary folder, ports, queries, and measurements of a server.
 *
 * thread  the process's main thread
 */
#ifndef SAKER_LOADGEN_RECIPE_STAGE_H
#define SAKER_LOADGEN_RECIPE_STAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/addr.h"
#include "base/check.h"
#include "loadgen/queryfile.h"
#include "loadgen/run.h"

#define RECIPE_STAGE_PATH_MAX 256u

struct recipe_stage {
	char folder[RECIPE_STAGE_PATH_MAX];
	struct queryfile queries;
	bool is_interrupted;
};

/* What was measured of a server: medians over the rounds. */
struct recipe_figure {
	double rate;       /* answers a second */
	double server_us;  /* processor time an answer; 0: not known */
	double lost_part;  /* of what was sent */
	double error_part; /* of the answers: with another RCODE than NOERROR */
	uint64_t p50_ns;
	uint64_t p99_ns;
	bool is_tool_bound;
};

#define RECIPE_STAGE_ROUNDS_MAX 32u

struct recipe_rounds {
	struct recipe_figure figures[RECIPE_STAGE_ROUNDS_MAX];
	uint32_t count;
};

/* recipe_stage_open - makes the folder, and blocks SIGINT and SIGTERM until recipe_stage_close().
 *
 * errors  false: why went to standard error
 */
MUST_USE bool recipe_stage_open(struct recipe_stage *stage);

/* recipe_stage_close - removes the folder with all that is in it. */
void recipe_stage_close(struct recipe_stage *stage);

/* recipe_stage_path - the path of a file in the folder into path[RECIPE_STAGE_PATH_MAX]; returns path. */
const char *recipe_stage_path(const struct recipe_stage *stage, const char *name, char *path);

/* recipe_stage_create - a new file in the folder to write to; NULL: why went to standard error. */
MUST_USE FILE *recipe_stage_create(const struct recipe_stage *stage, const char *name);

/* recipe_stage_read_queries - reads the file of queries that was written. errors: false, why went to standard error */
MUST_USE bool recipe_stage_read_queries(struct recipe_stage *stage, const char *name);

/* recipe_stage_port - a port of 127.0.0.1 that is free now; 0: none. */
uint16_t recipe_stage_port(struct addr *out);

/* recipe_stage_wait - asks the first query until it is answered; false: not within half a minute, or interrupted. */
MUST_USE bool recipe_stage_wait(struct recipe_stage *stage, const struct addr *server);

/* recipe_stage_measure - one run with the stage's queries; the caller has set what else there is to set.
 *
 * errors  false: it could not be made, why went to standard error; or Ctrl-C (stage->is_interrupted)
 */
MUST_USE bool recipe_stage_measure(
	struct recipe_stage *stage, const struct run_config *config, struct recipe_rounds *rounds);

/* recipe_stage_median - of the rates of the rounds, with what else that round found. */
struct recipe_figure recipe_stage_median(const struct recipe_rounds *rounds);

/* recipe_stage_median_us - of the server's processor time an answer, which another round may hold; 0: not known. */
double recipe_stage_median_us(const struct recipe_rounds *rounds);

#endif

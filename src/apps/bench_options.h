/* bench_options.h - the command lines of the modes of `saker bench` that make load.
 *
 * One table has a row for each option: its letters, the modes that know it, its range, and what --help says of
 * it. Letters that dnsperf(1) has mean the same; in the mode `ramp` those of resperf(1) do.
 */
#ifndef SAKER_APPS_BENCH_OPTIONS_H
#define SAKER_APPS_BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "loadgen/queryfile.h"
#include "loadgen/querysign.h"
#include "loadgen/run.h"

/* Numbers are doubles: 0 where not given, unless bench_options.c has another default for the mode. */
struct bench_options {
	enum run_mode mode;

	/* Whom and what to ask. */
	const char *server;
	const char *host; /* -s and -p, as dnsperf takes them */
	double port;
	enum addr_family family; /* ADDR_NONE: any */
	double port_first;       /* -x; 0: any */
	const char *queries;
	bool is_binary; /* the file is a TCP stream (streamfile.h) */
	struct queryfile_options queryfile;
	uint8_t edns_options[QUERYFILE_OPTIONS_MAX]; /* queryfile borrows the first of them */
	bool is_signed;
	struct querysign_key key;
	bool tcp;
	double per_connection;
	const char *sources;
	bool updates;
	bool cookie;
	double padding_block;
	const char *check;
	const char *against;
	double buffer_kib;

	/* How many and how long. */
	double in_flight;
	double sockets;
	double threads;
	double seconds;
	double repeats;
	double timeout_s;
	double patience_s;

	/* When. */
	double rate;
	double closed_rate_max; /* -Q; 0: none */
	double speed;

	/* ramp */
	double rate_max;
	double ramp_s;
	double hold_s;
	double loss_percent;
	double interval_s;
	double behind_max;
	const char *plot;
	bool no_effect; /* -R and -v of resperf, which ask for what is always so */

	/* search, sweep */
	double rate_from;
	double rate_to;
	double steps;
	const char *rates;
	double trial_s;
	double confirm_s;
	double confirmations;
	double resolution_percent;
	double loss_goal_percent; /* negative: no goal; so are the others where 0 */
	double p50_goal_s;
	double p99_goal_s;
	double p99_9_goal_s;

	const char *html; /* NULL: not given */
	bool live;
	bool json;
	bool verbose;
	bool hides_lost;      /* of its lines those of queries that were not answered */
	bool warns_on_stdout; /* -W */
	double stats_s;       /* -S; 0: never */
};

enum bench_options_outcome { BENCH_OPTIONS_OK, BENCH_OPTIONS_HELP, BENCH_OPTIONS_BAD };

/* bench_options_parse - reads a command line, argv[0] is the mode's name.
 *
 * effect  BENCH_OPTIONS_HELP: help went to standard output. BENCH_OPTIONS_BAD: why went to standard error
 */
MUST_USE enum bench_options_outcome bench_options_parse(
	enum run_mode mode, int argc, char **argv, struct bench_options *out);

#endif

/* bench_load.h - the modes of `saker bench` that make load: from options to exit status. */
#ifndef SAKER_APPS_BENCH_LOAD_H
#define SAKER_APPS_BENCH_LOAD_H

#include "loadgen/run.h"

/* bench_load - argv[0] is the mode's name; returns the exit status (apps.h). */
int bench_load(enum run_mode mode, int argc, char **argv);

#endif

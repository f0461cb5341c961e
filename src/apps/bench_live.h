/* bench_live.h - the screen of --live: between a run's progress and the terminal. */
#ifndef SAKER_APPS_BENCH_LIVE_H
#define SAKER_APPS_BENCH_LIVE_H

struct run_config;

/* bench_live_begin - takes standard output, a terminal, and the config's progress. */
void bench_live_begin(struct run_config *config);

/* bench_live_end - gives the terminal back; nothing where it was not taken. */
void bench_live_end(void);

#endif

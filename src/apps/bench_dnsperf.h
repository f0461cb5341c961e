/* bench_dnsperf.h - arguments as dnsperf(1) and resperf(1) write them, for who comes from there.
 *
 * Each takes the argument of one option. errors: what is wrong with it, a static text that ends before the argument is
 * named; NULL: it was taken
 */
#ifndef SAKER_APPS_BENCH_DNSPERF_H
#define SAKER_APPS_BENCH_DNSPERF_H

#include <stdio.h>

#include "base/check.h"

struct bench_options;

/* bench_dnsperf_transport - `udp`, `tcp`; why not where it is `dot` or `doh`. */
MUST_USE const char *bench_dnsperf_transport(struct bench_options *options, const char *text);

/* bench_dnsperf_family - `inet`, `inet6`, `any`. */
MUST_USE const char *bench_dnsperf_family(struct bench_options *options, const char *text);

/* bench_dnsperf_edns - `CODE:HEX`, one more EDNS option for each query. */
MUST_USE const char *bench_dnsperf_edns(struct bench_options *options, const char *text);

/* bench_dnsperf_long - `num-queries-per-conn=N` and `suppress=WHAT,...`. */
MUST_USE const char *bench_dnsperf_long(struct bench_options *options, const char *text);

/* bench_dnsperf_print_long - what it knows, for -H. */
void bench_dnsperf_print_long(FILE *out);

/* bench_dnsperf_tsig - `[ALGORITHM:]NAME:SECRET`, a key that signs queries.
 *
 * effect  the secret becomes a row of x, also where it was not taken: neither `ps` nor a report's command line has it
 */
MUST_USE const char *bench_dnsperf_tsig(struct bench_options *options, char *text);

#endif

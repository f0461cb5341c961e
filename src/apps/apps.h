/* apps.h - the subcommands, one file each, and what they exit with.
 *
 * Each takes the command line from its own name on (argv[0] is `serve`, ...) and returns the exit status.
 */
#ifndef SAKER_APPS_APPS_H
#define SAKER_APPS_APPS_H

#define APPS_EXIT_OK    0
#define APPS_EXIT_FAIL  1 /* what was asked could not be done; why went to standard error */
#define APPS_EXIT_USAGE 2 /* the command line is wrong */

int cmd_bench(int argc, char **argv);
int cmd_bench_compare(int argc, char **argv); /* argv[0] is `compare` */
int cmd_bench_recipe(int argc, char **argv);  /* argv[0] is `recipe` */
int cmd_bench_queries(int argc, char **argv); /* argv[0] is `queries` */
int cmd_check(int argc, char **argv);
int cmd_check_config(int argc, char **argv); /* argv[0] is `config` */
int cmd_check_zone(int argc, char **argv);   /* argv[0] is `zone` */
int cmd_serve(int argc, char **argv);
int cmd_version(int argc, char **argv);
int cmd_zone(int argc, char **argv);

#endif

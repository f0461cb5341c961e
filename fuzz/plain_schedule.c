/* plain_schedule.c - libFuzzer chooses inputs without its entropic schedule, for targets that reach much of the code.
 *
 * After each input that schedule goes over all features of it, and for each over inputs kept: with some 20,000 features and
 * a few hundred inputs that took 56 % (resolver) to 73 % (validator) of the time (perf, November 2026). Options on the command
 * line come after and win: `-entropic=1`.
 */
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static char plain[] = "-entropic=0";
	char **options = calloc((size_t)*argc + 2, sizeof(*options));

	if (options == NULL) {
		return 0;
	}
	options[0] = (*argv)[0];
	options[1] = plain;
	for (int i = 1; i < *argc; i++) {
		options[i + 1] = (*argv)[i];
	}
	(*argc)++;
	*argv = options;
	return 0;
}

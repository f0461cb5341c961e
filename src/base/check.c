/* check.c - what a failed assertion does. */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

void check_failed(const char *file, int line, const char *condition)
{
	fprintf(stderr, "saker: %s:%d: broken invariant: %s\n", file, line, condition);
	abort();
}

/* lines.c - aligned at both ends. */
#include "base/lines.h"

#include <stdlib.h>
#include <string.h>

void *lines_new(size_t len)
{
	size_t padded = (len + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
	void *lines = aligned_alloc(CACHE_LINE, padded);

	if (lines != NULL) {
		memset(lines, 0, padded);
	}
	return lines;
}

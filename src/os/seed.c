/* seed.c - getrandom(2). */
#include "os/seed.h"

#include <errno.h>
#include <sys/random.h>

#include "base/check.h"

void seed_octets(void *out, size_t len)
{
	ssize_t got;

	ASSERT(len <= 256); /* up to there getrandom() gives all or nothing, man 2 getrandom */
	do {
		got = getrandom(out, len, 0);
	} while (got < 0 && errno == EINTR);
	ASSERT((size_t)got == len);
}

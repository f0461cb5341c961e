/* trap.c - an allocator that aborts where base/trap.h says that nobody may allocate.
 *
 * Linked into an executable it takes the place of the C library's, whose functions it calls.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/trap.h"

/* The C library's own names for its allocator. */
extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *old, size_t len);
extern void *__libc_memalign(size_t alignment, size_t len);
extern void __libc_free(void *old);

static void check(void)
{
	static const char text[] = "saker: memory was allocated or freed on the packet path\n";

	if (trap_depth != 0) {
		trap_depth = 0; /* abort() may allocate */
		ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
		(void)written;
		abort();
	}
}

void *malloc(size_t len)
{
	check();
	return __libc_malloc(len);
}

void *calloc(size_t count, size_t len)
{
	check();
	return __libc_calloc(count, len);
}

void *realloc(void *old, size_t len)
{
	check();
	return __libc_realloc(old, len);
}

void *aligned_alloc(size_t alignment, size_t len)
{
	check();
	return __libc_memalign(alignment, len);
}

void *memalign(size_t alignment, size_t len);
void *memalign(size_t alignment, size_t len)
{
	check();
	return __libc_memalign(alignment, len);
}

int posix_memalign(void **out, size_t alignment, size_t len)
{
	check();
	*out = __libc_memalign(alignment, len);
	return *out != NULL ? 0 : ENOMEM;
}

void free(void *old)
{
	check();
	__libc_free(old);
}

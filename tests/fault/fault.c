/* fault.c - counts down to a failure. */
#include "fault/fault.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

/* The C library's own names for its allocator. */
extern void *__libc_malloc(size_t len);
extern void *__libc_calloc(size_t count, size_t len);
extern void *__libc_realloc(void *old, size_t len);
extern void *__libc_memalign(size_t alignment, size_t len);
extern void __libc_free(void *old);

static _Thread_local uint32_t left; /* allocations until the failure; 0: not armed */
static _Thread_local bool happened;
static _Atomic int64_t live;

void fault_arm(uint32_t nth)
{
	left = nth;
	happened = false;
}

bool fault_disarm(void)
{
	left = 0;
	return happened;
}

int64_t fault_live(void)
{
	return atomic_load(&live);
}

static bool fails(void)
{
	if (left == 0 || --left != 0) {
		return false;
	}
	happened = true;
	errno = ENOMEM;
	return true;
}

static void *count(void *got)
{
	if (got != NULL) {
		atomic_fetch_add(&live, 1);
	}
	return got;
}

void *malloc(size_t len)
{
	return fails() ? NULL : count(__libc_malloc(len));
}

void *calloc(size_t members, size_t len)
{
	return fails() ? NULL : count(__libc_calloc(members, len));
}

void *realloc(void *old, size_t len)
{
	if (fails()) {
		return NULL;
	}
	void *got = __libc_realloc(old, len);
	return old == NULL ? count(got) : got;
}

void *aligned_alloc(size_t alignment, size_t len)
{
	return fails() ? NULL : count(__libc_memalign(alignment, len));
}

void free(void *old)
{
	if (old != NULL) {
		atomic_fetch_sub(&live, 1);
	}
	__libc_free(old);
}

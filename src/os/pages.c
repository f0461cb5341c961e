/* pages.c - mmap(2) of anonymous memory. */
#include "os/pages.h"

#include <sys/mman.h>
#include <unistd.h>

static size_t round_up(size_t len)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (len + page - 1) & ~(page - 1);
}

void *pages_reserve(size_t len)
{
	void *start = mmap(
		NULL, round_up(len), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return start == MAP_FAILED ? NULL : start;
}

bool pages_commit(void *start, size_t len)
{
	return mprotect(start, round_up(len), PROT_READ | PROT_WRITE) == 0;
}

size_t pages_trim(void *start, size_t len, size_t used)
{
	size_t keep = round_up(used);
	size_t whole = round_up(len);

	if (keep < whole) {
		munmap((char *)start + keep, whole - keep);
	}
	return keep;
}

void pages_huge(void *start, size_t len)
{
	madvise(start, round_up(len), MADV_HUGEPAGE); /* a hint: without it all works the same */
}

void pages_protect(void *start, size_t len)
{
	mprotect(start, round_up(len), PROT_READ);
}

void pages_discard(void *start, size_t len)
{
	madvise(start, round_up(len), MADV_DONTNEED);
}

void pages_free(void *start, size_t len)
{
	if (start != NULL) {
		munmap(start, round_up(len));
	}
}

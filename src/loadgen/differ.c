/* differ.c - names of differences. */
#include "loadgen/differ.h"

#include "base/check.h"

const char *differ_kind_text(enum differ_kind kind)
{
	static const char *const texts[DIFFER_KINDS] = {[DIFFER_MISSING] = "missing",
		[DIFFER_RCODE] = "rcode",
		[DIFFER_FLAGS] = "flags",
		[DIFFER_ANSWER] = "answer section",
		[DIFFER_AUTHORITY] = "authority section",
		[DIFFER_ADDITIONAL] = "additional section",
		[DIFFER_TTL] = "TTL only"};

	ASSERT((unsigned)kind < DIFFER_KINDS);
	return texts[kind];
}

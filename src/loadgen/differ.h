/* differ.h - in what an answer may differ from the one that was expected. */
#ifndef SAKER_LOADGEN_DIFFER_H
#define SAKER_LOADGEN_DIFFER_H

#include <stdint.h>

enum differ_kind {
	DIFFER_MISSING,    /* one answered, the other did not */
	DIFFER_RCODE,      /* with the upper bits of an OPT record, RFC 6891 sec 6.1.3 */
	DIFFER_FLAGS,      /* AA, TC, AD, RA */
	DIFFER_ANSWER,     /* RRsets of a section, as sets; their order is nothing */
	DIFFER_AUTHORITY,  /* ditto */
	DIFFER_ADDITIONAL, /* ditto, the OPT record left out */
	DIFFER_TTL,        /* the same RRsets with other TTLs */
	DIFFER_KINDS
};

/* Of one query of the file: what its first answer that differed differed in. */
struct differ_found {
	uint32_t query_idx;
	uint32_t kinds; /* bit 1 << enum differ_kind each */
};

/* differ_kind_text - `answer section` and the like. */
const char *differ_kind_text(enum differ_kind kind);

#endif

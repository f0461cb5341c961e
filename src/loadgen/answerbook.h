/* answerbook.h - the answer that is expected of each query of a file, and which differed.
 *
 * Filled from a file (checkfile.h) or by asking another server (--against); then answers are held against it.
 *
 * memory  56 octets a query, and one for what was found
 * thread  while it is filled, an entry has one writer at a time; then it is read-only but for found
 */
#ifndef SAKER_LOADGEN_ANSWERBOOK_H
#define SAKER_LOADGEN_ANSWERBOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/differ.h"

/* An entry that says nothing: no answer to the query is wrong. */
#define ANSWERBOOK_ANY 0x80000000u

struct answerbook {
	struct differ_digest *entries; /* owns: known is ANSWERBOOK_ANY where nothing is expected */
	_Atomic uint8_t
		*found; /* owns: kinds of each query. [atomic: relaxed, bits are only set] */
	uint32_t count;
};

_Static_assert(DIFFER_KINDS <= 8, "the kinds fit an octet");

/* answerbook_init - expects nothing of count queries. errors: STATUS_MEMORY: nothing is left to be undone */
MUST_USE enum status answerbook_init(struct answerbook *book, uint32_t count);
void answerbook_fini(struct answerbook *book);

/* answerbook_expect_none - expects that no query is answered: to be learned otherwise. */
void answerbook_expect_none(struct answerbook *book);

/* answerbook_learn - this is the answer to expect. */
void answerbook_learn(
	struct answerbook *book, uint32_t query_idx, const uint8_t *octets, uint32_t len);

/* answerbook_judge - holds an answer, or where octets is NULL that there was none, against what is expected.
 *
 * effect  true: something was expected; *kinds_out has the kinds that differ, which are also noted
 */
bool answerbook_judge(struct answerbook *book, uint32_t query_idx, const uint8_t *octets,
	uint32_t len, uint32_t *kinds_out);

/* answerbook_list - the queries that differed, by their place; the list is the caller's, NULL where there is none.
 *
 * errors  STATUS_MEMORY
 */
MUST_USE enum status answerbook_list(
	const struct answerbook *book, struct differ_found **list_out, uint32_t *count_out);

#endif

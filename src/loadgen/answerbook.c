/* answerbook.c - an array of digests. */
#include "loadgen/answerbook.h"

#include <stdlib.h>

enum status answerbook_init(struct answerbook *book, uint32_t count)
{
	*book = (struct answerbook){.count = count};
	book->entries = malloc(count * sizeof(*book->entries));
	book->found = calloc(count, sizeof(*book->found));
	if (book->entries == NULL || book->found == NULL) {
		answerbook_fini(book);
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		book->entries[i] = (struct differ_digest){.known = ANSWERBOOK_ANY};
	}
	return STATUS_OK;
}

void answerbook_fini(struct answerbook *book)
{
	free(book->entries);
	free(book->found);
	book->entries = NULL;
	book->found = NULL;
}

void answerbook_expect_none(struct answerbook *book)
{
	for (uint32_t i = 0; i < book->count; i++) {
		book->entries[i].known = 0;
	}
}

void answerbook_learn(
	struct answerbook *book, uint32_t query_idx, const uint8_t *octets, uint32_t len)
{
	differ_digest(octets, len, &book->entries[query_idx]);
}

bool answerbook_judge(struct answerbook *book, uint32_t query_idx, const uint8_t *octets,
	uint32_t len, uint32_t *kinds_out)
{
	const struct differ_digest *want = &book->entries[query_idx];
	struct differ_digest got = {.known = 0};

	if (want->known == ANSWERBOOK_ANY) {
		return false;
	}
	if (octets != NULL) {
		differ_digest(octets, len, &got);
	}
	*kinds_out = differ_compare(want, &got);
	if (*kinds_out != 0) {
		atomic_fetch_or_explicit(
			&book->found[query_idx], (uint8_t)*kinds_out, memory_order_relaxed);
	}
	return true;
}

enum status answerbook_list(
	const struct answerbook *book, struct differ_found **list_out, uint32_t *count_out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < book->count; i++) {
		count += atomic_load_explicit(&book->found[i], memory_order_relaxed) != 0 ? 1 : 0;
	}
	*list_out = NULL;
	*count_out = 0;
	if (count == 0) {
		return STATUS_OK;
	}
	*list_out = malloc(count * sizeof(**list_out));
	if (*list_out == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < book->count; i++) {
		uint32_t kinds = atomic_load_explicit(&book->found[i], memory_order_relaxed);
		if (kinds != 0) {
			(*list_out)[(*count_out)++] =
				(struct differ_found){.query_idx = i, .kinds = kinds};
		}
	}
	return STATUS_OK;
}

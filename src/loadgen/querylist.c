/* querylist.c - collected, pruned, written. */
#include "loadgen/querylist.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define ORDER_CAP (1u << 12) /* to begin with */
#define KEY_MAX   (NAME_LEN_MAX + 2u)

enum status querylist_init(struct querylist *list)
{
	*list = (struct querylist){.order_cap = ORDER_CAP};
	list->order = malloc(list->order_cap * sizeof(*list->order));
	enum status status = octetset_init(&list->distinct);
	return list->order == NULL ? STATUS_MEMORY : status;
}

void querylist_fini(struct querylist *list)
{
	octetset_fini(&list->distinct);
	free(list->order);
	list->order = NULL;
	list->count = 0;
}

enum status querylist_add(
	struct querylist *list, const uint8_t *name, uint32_t name_len, uint16_t type)
{
	uint8_t key[KEY_MAX];
	uint32_t number;

	ASSERT(name_len <= NAME_LEN_MAX);
	name_octets_lower(key, name, name_len);
	octets_put_u16(key + name_len, type);
	if (list->count == list->order_cap) {
		size_t cap = list->order_cap * 2;
		uint32_t *order = realloc(list->order, cap * sizeof(*order));
		if (order == NULL) {
			return STATUS_MEMORY;
		}
		list->order = order;
		list->order_cap = cap;
	}
	enum status status = octetset_add(&list->distinct, key, name_len + 2, &number);
	if (status == STATUS_OK) {
		list->order[list->count++] = number;
	}
	return status;
}

struct frequency {
	uint64_t count;
	uint32_t number;
};

/* The most frequent first, then the one that came first. */
static int by_frequency(const void *a, const void *b)
{
	const struct frequency *x = a, *y = b;

	if (x->count != y->count) {
		return x->count > y->count ? -1 : 1;
	}
	return x->number < y->number ? -1 : x->number > y->number;
}

enum status querylist_prune(struct querylist *list, uint32_t distinct_count, uint64_t *dropped_out)
{
	uint32_t all = list->distinct.count;
	struct frequency *frequencies = calloc(all == 0 ? 1 : all, sizeof(*frequencies));
	bool *is_dropped = calloc(all == 0 ? 1 : all, sizeof(*is_dropped));
	uint64_t kept = 0;

	if (frequencies == NULL || is_dropped == NULL) {
		free(frequencies);
		free(is_dropped);
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < all; i++) {
		frequencies[i].number = i;
	}
	for (uint64_t i = 0; i < list->count; i++) {
		frequencies[list->order[i]].count++;
	}
	qsort(frequencies, all, sizeof(*frequencies), by_frequency);
	for (uint32_t i = 0; i < all && i < distinct_count; i++) {
		is_dropped[frequencies[i].number] = true;
	}
	for (uint64_t i = 0; i < list->count; i++) {
		if (!is_dropped[list->order[i]]) {
			list->order[kept++] = list->order[i];
		}
	}
	*dropped_out = list->count - kept;
	list->count = kept;
	free(frequencies);
	free(is_dropped);
	return STATUS_OK;
}

void querylist_write(const struct querylist *list, uint64_t limit, FILE *out)
{
	char name[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX];

	for (uint64_t i = 0; i < list->count && i < limit; i++) {
		uint32_t len;
		const uint8_t *key = octetset_get(&list->distinct, list->order[i], &len);
		name_octets_to_text(key, name);
		fprintf(out, "%s %s\n", name, rrtype_to_text(octets_get_u16(key + len - 2), type));
	}
}

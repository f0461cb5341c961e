/* fuzz_response.c - any octets as a response: what comes of them is whole, and copies of it are the same. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "wire/response.h"
#include "wire/rrtype.h"

#define ARENA_MAX (4u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

/* Walks all of a set; every octet is touched, and nothing behind its end. */
static void check_set(const struct rrset *set)
{
	struct rrset_walk walks[] = {rrset_records(set), rrset_sigs(set)};
	const uint8_t *end = (const uint8_t *)set + set->len;
	struct rrset_rdata rdata;
	struct name owner;
	struct rrsig sig;
	volatile uint8_t sum = 0;
	uint32_t count = 0;

	rrset_owner(set, &owner);
	must(name_is_valid(&owner));
	must(set->len % RRSET_ALIGNMENT == 0);
	for (uint32_t i = 0; i < 2; i++) {
		while (rrset_next(&walks[i], &rdata)) {
			must(rdata.octets + rdata.len <= end);
			for (uint32_t o = 0; o < rdata.len; o++) {
				sum = (uint8_t)(sum + rdata.octets[o]);
			}
			if (rrset_sig(&rdata, &sig)) {
				must(name_is_valid(&sig.signer) && sig.signature_len > 0);
				must(sig.signature + sig.signature_len == rdata.octets + rdata.len);
			}
			count++;
		}
	}
	must(count == (uint32_t)set->count + set->sig_count);
	must(set->count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	struct response response;
	struct arena arena;

	if (len > WIRE_MESSAGE_LEN_MAX) {
		return 0;
	}
	arena_init(&arena, ARENA_MAX);
	if (response_parse(octets, (uint32_t)len, &arena, &response) == WIRE_OK) {
		must(response.set_count <= RESPONSE_SETS_MAX);
		for (uint32_t i = 0; i < response.set_count; i++) {
			const struct rrset *set = response.sets[i].set;
			struct name owner;
			check_set(set);
			rrset_owner(set, &owner);
			const struct rrset *first = response_find(&response,
				(enum wire_section)response.sets[i].section, &owner, set->type);
			must(first == set); /* of one name and type there is one */
			const struct rrset *copy = rrset_copy(&arena, set);
			must(copy == NULL || memcmp(copy, set, set->len) == 0);
		}
	}
	arena_fini(&arena);
	return 0;
}

/* zonequeries.c - owners, ranks, labels. */
#include "loadgen/zonequeries.h"

#include <stdlib.h>
#include <string.h>

#include "wire/name.h"
#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define PAIRS_CAP (1u << 12) /* to begin with */
#define LABEL_LEN                                                                                  \
	11u /* `x` and ten hexadecimal digits: two in a zone of a million meet once in a million draws */
#define TRIES_MAX 100u /* places for a name that does not exist; a guess */
#define COUNT_MAX (1u << 30)

struct pair {
	uint32_t number;
	uint16_t type;
};

struct reading {
	struct zonequeries *queries;
	struct pair *pairs; /* owns: count of them, in the order of the file */
	uint32_t count;
	uint32_t cap;
	uint32_t last; /* number of the last owner */
};

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct reading *reading = context;
	uint8_t lower[NAME_LEN_MAX];

	if (reading->count == reading->cap) {
		if (reading->cap >= COUNT_MAX) {
			return STATUS_LIMIT;
		}
		struct pair *grown = realloc(reading->pairs, 2ul * reading->cap * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		reading->pairs = grown;
		reading->cap *= 2;
	}
	if (!record->owner_is_same || reading->count == 0) {
		name_octets_lower(lower, record->owner->octets, record->owner->len);
		enum status status = octetset_add(
			&reading->queries->names, lower, record->owner->len, &reading->last);
		if (status != STATUS_OK) {
			return status;
		}
	}
	struct pair pair = {.number = reading->last, .type = record->type};
	struct pair *before = reading->count == 0 ? NULL : &reading->pairs[reading->count - 1];
	if (before == NULL || before->number != pair.number || before->type != pair.type) {
		reading->pairs[reading->count++] = pair;
	}
	return STATUS_OK;
}

static bool is_asked(uint16_t type)
{
	return type != RRTYPE_RRSIG && type != RRTYPE_NSEC && type != RRTYPE_NSEC3;
}

/* Brings the types of each name together: a sort by counting. */
static enum status sort_types(struct zonequeries *queries, const struct reading *reading)
{
	uint32_t count = queries->names.count;

	queries->type_starts = calloc(count + 1ul, sizeof(*queries->type_starts));
	queries->types = malloc((reading->count + 1ul) * sizeof(*queries->types));
	if (queries->type_starts == NULL || queries->types == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < reading->count; i++) {
		queries->type_starts[reading->pairs[i].number] += is_asked(reading->pairs[i].type);
	}
	uint32_t sum = 0;
	for (uint32_t i = 0; i <= count; i++) {
		sum += queries->type_starts[i];
		queries->type_starts[i] = sum; /* the end; filling from behind makes it the start */
	}
	for (uint32_t i = reading->count; i-- > 0;) {
		const struct pair *pair = &reading->pairs[i];
		if (is_asked(pair->type)) {
			queries->types[--queries->type_starts[pair->number]] = pair->type;
		}
	}
	return STATUS_OK;
}

static bool has_type(const struct zonequeries *queries, uint32_t number, uint16_t type)
{
	for (uint32_t i = queries->type_starts[number]; i < queries->type_starts[number + 1]; i++) {
		if (queries->types[i] == type) {
			return true;
		}
	}
	return false;
}

/* Can the name be asked for: is it in the zone, and not below a zone cut or a DNAME? */
static bool is_askable(const struct zonequeries *queries, uint32_t number, const struct name *apex)
{
	uint32_t len;
	const uint8_t *name = octetset_get(&queries->names, number, &len);

	while (len > apex->len) {
		uint32_t skip = name[0] + 1u;
		name += skip;
		len -= skip;
		uint32_t above = octetset_find(&queries->names, name, len);
		if (above != OCTETSET_NONE &&
			((len > apex->len && has_type(queries, above, RRTYPE_NS)) ||
				has_type(queries, above, RRTYPE_DNAME))) {
			return false;
		}
	}
	return len == apex->len && memcmp(name, apex->octets, len) == 0;
}

static enum status rank_names(struct zonequeries *queries, const struct name *apex)
{
	uint32_t count = queries->names.count;

	queries->ranks = malloc((count + 1ul) * sizeof(*queries->ranks));
	if (queries->ranks == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (queries->type_starts[i] != queries->type_starts[i + 1] &&
			is_askable(queries, i, apex)) {
			queries->ranks[queries->askable_count++] = i;
		}
	}
	for (uint32_t i = queries->askable_count; i > 1; i--) {
		uint32_t other = random_below(&queries->random, i);
		uint32_t kept = queries->ranks[i - 1];
		queries->ranks[i - 1] = queries->ranks[other];
		queries->ranks[other] = kept;
	}
	return STATUS_OK;
}

enum status zonequeries_init(struct zonequeries *queries, const char *path,
	const struct name *origin, const struct zonequeries_options *options,
	const struct diag_sink *sink)
{
	struct reading reading = {.queries = queries, .cap = PAIRS_CAP};
	struct zonefile_sink zone_sink = {
		.record = take_record, .context = &reading, .diag = *sink};
	struct name apex = *origin;
	double sum = 0;

	memset(queries, 0, sizeof(*queries));
	queries->options = *options;
	random_init(&queries->random, options->seed);
	name_lower(&apex);
	for (uint32_t i = 0; i < options->mix.count; i++) {
		sum += options->mix.weights[i];
		queries->mix_sums[i] = sum;
	}
	reading.pairs = malloc(PAIRS_CAP * sizeof(*reading.pairs));
	enum status status = octetset_init(&queries->names);
	if (reading.pairs == NULL) {
		status = STATUS_MEMORY;
	}
	if (status == STATUS_OK) {
		status = zonefile_read(path, origin, &zone_sink);
	}
	if (status == STATUS_OK) {
		status = sort_types(queries, &reading);
	}
	free(reading.pairs);
	if (status == STATUS_OK) {
		status = rank_names(queries, &apex);
	}
	if (status != STATUS_OK) {
		return status;
	}
	queries->apex = octetset_find(&queries->names, apex.octets, apex.len);
	if (queries->askable_count == 0 || queries->apex == OCTETSET_NONE) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "no name of the zone in it");
		return STATUS_REFUSED;
	}
	return zipf_init(&queries->zipf, queries->askable_count, options->exponent);
}

void zonequeries_fini(struct zonequeries *queries)
{
	octetset_fini(&queries->names);
	free(queries->type_starts);
	free(queries->types);
	free(queries->ranks);
	zipf_fini(&queries->zipf);
	memset(queries, 0, sizeof(*queries));
}

/* A label that nobody chose before tail[0..tail_len), which ends with the root. errors: false: the name is too long */
static bool put_random_label(
	struct random *random, const uint8_t *tail, uint32_t tail_len, struct name *out)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t bits = random_u64(random);

	if (tail_len + LABEL_LEN + 1 > NAME_LEN_MAX) {
		return false;
	}
	out->octets[0] = LABEL_LEN;
	out->octets[1] = 'x';
	for (uint32_t i = 2; i <= LABEL_LEN; i++) {
		out->octets[i] = (uint8_t)digits[bits & 15];
		bits >>= 4;
	}
	memcpy(out->octets + LABEL_LEN + 1, tail, tail_len);
	out->len = (uint8_t)(tail_len + LABEL_LEN + 1);
	out->label_count = 0;
	for (uint32_t at = 0; out->octets[at] != 0; at += out->octets[at] + 1u) {
		out->label_count++;
	}
	return true;
}

static bool has_wildcard(
	const struct zonequeries *queries, const uint8_t *parent, uint32_t parent_len)
{
	uint8_t wildcard[NAME_LEN_MAX + 2u] = {1, '*'};

	memcpy(wildcard + 2, parent, parent_len);
	return octetset_find(&queries->names, wildcard, parent_len + 2) != OCTETSET_NONE;
}

/* A name that does not exist, beside name number. */
static bool make_missing(struct zonequeries *queries, uint32_t number, struct name *out)
{
	uint32_t len;
	const uint8_t *name = octetset_get(&queries->names, number, &len);
	uint32_t skip = number == queries->apex ? 0 : name[0] + 1u;

	return !has_wildcard(queries, name + skip, len - skip) &&
	       put_random_label(&queries->random, name + skip, len - skip, out) &&
	       octetset_find(&queries->names, out->octets, out->len) == OCTETSET_NONE;
}

/* The name itself; a name that a wildcard stands for. */
static void make_existing(struct zonequeries *queries, uint32_t number, struct name *out)
{
	uint32_t len;
	const uint8_t *name = octetset_get(&queries->names, number, &len);

	if (name[0] == 1 && name[1] == '*' &&
		put_random_label(&queries->random, name + 2, len - 2, out)) {
		return;
	}
	memcpy(out->octets, name, len);
	out->len = (uint8_t)len;
	out->label_count = 0;
	for (uint32_t at = 0; out->octets[at] != 0; at += out->octets[at] + 1u) {
		out->label_count++;
	}
}

static uint16_t draw_type(struct zonequeries *queries, uint32_t number)
{
	const struct zonequeries_mix *mix = &queries->options.mix;

	if (mix->count == 0) {
		uint32_t start = queries->type_starts[number];
		uint32_t count = queries->type_starts[number + 1] - start;
		return queries->types[start + random_below(&queries->random, count)];
	}
	double want = zipf_unit(&queries->random) * queries->mix_sums[mix->count - 1];
	uint32_t i = 0;
	while (i + 1 < mix->count && queries->mix_sums[i] <= want) {
		i++;
	}
	return mix->types[i];
}

bool zonequeries_draw(struct zonequeries *queries, struct name *name_out, uint16_t *type_out)
{
	bool is_missing = zipf_unit(&queries->random) < queries->options.missing;
	uint32_t number = queries->ranks[zipf_draw(&queries->zipf, &queries->random)];

	if (!is_missing) {
		make_existing(queries, number, name_out);
		*type_out = draw_type(queries, number);
		return true;
	}
	for (uint32_t i = 0; i < TRIES_MAX; i++) {
		if (make_missing(queries, number, name_out)) {
			*type_out = draw_type(queries, number);
			return true;
		}
		number = queries->ranks[random_below(&queries->random, queries->askable_count)];
	}
	return false;
}

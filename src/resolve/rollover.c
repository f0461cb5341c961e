/* rollover.c - keys in a list: there are a handful. */
#include "resolve/rollover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/octets.h"
#include "resolve/anchors.h"
#include "wire/rrtype.h"

#define KEY_FIXED_LEN  4u    /* flags, protocol, algorithm, RFC 4034 sec 2.1 */
#define FLAG_ZONE      0x01u /* of the first octet */
#define FLAGS_OCTET    1u
#define HEAD           "saker-trust-anchors 1\n"
#define TAIL           "checksum "
#define TAIL_LEN       (sizeof(TAIL) - 1 + 16 + 1)
#define FIELDS         5u
#define NUMBER_LEN_MAX 18u /* digits that an int64_t holds for sure */

struct key {
	struct name zone; /* lower case */
	enum rollover_state state;
	int64_t since_s; /* in this state */
	int64_t until_s; /* ADD_PENDING, REVOKED: the end of the hold-down */
	uint16_t len;
	bool is_seen;                        /* in the set that is looked at */
	uint8_t rdata[ROLLOVER_KEY_LEN_MAX]; /* without REVOKE */
};

struct rollover {
	struct key *keys; /* owns */
	uint32_t count, cap;
};

static const char *const words[] = {[ROLLOVER_ADD_PENDING] = "add-pending",
	[ROLLOVER_VALID] = "valid",
	[ROLLOVER_MISSING] = "missing",
	[ROLLOVER_REVOKED] = "revoked",
	[ROLLOVER_REMOVED] = "removed"};
#define STATES (sizeof(words) / sizeof(words[0]))

const char *rollover_state_text(enum rollover_state state)
{
	return words[state];
}

struct rollover *rollover_new(void)
{
	return calloc(1, sizeof(struct rollover));
}

void rollover_free(struct rollover *rollover)
{
	if (rollover != NULL) {
		free(rollover->keys);
		free(rollover);
	}
}

static bool is_revoked(const struct rrset_rdata *rdata)
{
	return (rdata->octets[FLAGS_OCTET] & ROLLOVER_FLAG_REVOKED) != 0;
}

/* A key that may become an anchor: of a zone, and meant to be one (sec 3: SEP). */
static bool is_followed(const struct rrset_rdata *rdata)
{
	return rdata->len > KEY_FIXED_LEN && rdata->len <= ROLLOVER_KEY_LEN_MAX &&
	       (rdata->octets[0] & FLAG_ZONE) != 0 &&
	       (rdata->octets[FLAGS_OCTET] & ROLLOVER_FLAG_SEP) != 0;
}

/* Both are the same key: all but REVOKE. */
static bool is_key(const struct key *key, const struct name *zone, const struct rrset_rdata *rdata)
{
	return key->len == rdata->len && name_equal(&key->zone, zone) &&
	       key->rdata[0] == rdata->octets[0] &&
	       key->rdata[FLAGS_OCTET] ==
		       (uint8_t)(rdata->octets[FLAGS_OCTET] & ~ROLLOVER_FLAG_REVOKED) &&
	       memcmp(key->rdata + 2, rdata->octets + 2, rdata->len - 2u) == 0;
}

static struct key *find(
	const struct rollover *rollover, const struct name *zone, const struct rrset_rdata *rdata)
{
	for (uint32_t i = 0; rdata->len > KEY_FIXED_LEN && i < rollover->count; i++) {
		if (is_key(&rollover->keys[i], zone, rdata)) {
			return &rollover->keys[i];
		}
	}
	return NULL;
}

static uint32_t count_of(const struct rollover *rollover, const struct name *zone)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < rollover->count; i++) {
		count += name_equal(&rollover->keys[i].zone, zone);
	}
	return count;
}

/* One more key; NULL: the zone has too many, or no memory: it is not followed. */
static struct key *add(
	struct rollover *rollover, const struct name *zone, const struct rrset_rdata *rdata)
{
	if (count_of(rollover, zone) == ROLLOVER_KEYS_A_ZONE) {
		return NULL;
	}
	if (rollover->count == rollover->cap) {
		uint32_t cap = rollover->cap == 0 ? 4 : 2 * rollover->cap;
		struct key *grown = realloc(rollover->keys, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return NULL;
		}
		rollover->keys = grown;
		rollover->cap = cap;
	}
	struct key *key = &rollover->keys[rollover->count++];
	*key = (struct key){.zone = *zone, .len = rdata->len};
	name_lower(&key->zone);
	memcpy(key->rdata, rdata->octets, rdata->len);
	key->rdata[FLAGS_OCTET] &= (uint8_t)~ROLLOVER_FLAG_REVOKED;
	return key;
}

static void drop(struct rollover *rollover, struct key *key)
{
	*key = rollover->keys[--rollover->count];
}

static void enter(struct key *key, enum rollover_state state, int64_t wall_s)
{
	key->state = state;
	key->since_s = wall_s;
	key->until_s = state == ROLLOVER_REVOKED ? wall_s + ROLLOVER_HOLD_S : 0;
}

static struct rrset_rdata rdata_of(const struct key *key)
{
	return (struct rrset_rdata){.octets = key->rdata, .len = key->len};
}

/* A key that is not known yet. */
static bool begin(struct rollover *rollover, const struct rollover_sight *sight,
	const struct name *zone, const struct rrset_rdata *rdata, const struct anchors *configured)
{
	struct key *key = add(rollover, zone, rdata);

	if (key == NULL) {
		return false;
	}
	const struct rrset_rdata plain = rdata_of(key);
	key->is_seen = true;
	if (anchors_name_key(configured, zone, &plain)) {
		enter(key, ROLLOVER_VALID, sight->wall_s);
		return true;
	}
	/* Sec 2.4.1: 30 days, or the original TTL of the first set with it where that is longer. */
	struct rrset_walk sigs = rrset_sigs(sight->keys);
	struct rrset_rdata sig_rdata;
	int64_t hold_s = ROLLOVER_HOLD_S;
	while (rrset_next(&sigs, &sig_rdata)) {
		struct rrsig sig;
		if (rrset_sig(&sig_rdata, &sig) && sig.original_ttl <= INT32_MAX &&
			sig.original_ttl > hold_s) {
			hold_s = sig.original_ttl;
		}
	}
	enter(key, ROLLOVER_ADD_PENDING, sight->wall_s);
	key->until_s = sight->wall_s + hold_s;
	return true;
}

static bool revoke(struct rollover *rollover, const struct rollover_sight *sight,
	const struct name *zone, const struct rrset_rdata *rdata, const struct anchors *configured)
{
	struct key *key = find(rollover, zone, rdata);

	if (key == NULL) {
		/* One that a configured anchor names, though it was never seen before. */
		uint8_t octets[ROLLOVER_KEY_LEN_MAX];
		const struct rrset_rdata plain = {.octets = octets, .len = rdata->len};
		memcpy(octets, rdata->octets, rdata->len);
		octets[FLAGS_OCTET] &= (uint8_t)~ROLLOVER_FLAG_REVOKED;
		key = anchors_name_key(configured, zone, &plain) ? add(rollover, zone, rdata)
								 : NULL;
		if (key == NULL) {
			return false;
		}
		enter(key, ROLLOVER_VALID, sight->wall_s);
	}
	key->is_seen = true;
	if (key->state == ROLLOVER_REVOKED || key->state == ROLLOVER_REMOVED) {
		return false;
	}
	if (key->state == ROLLOVER_ADD_PENDING) {
		drop(rollover, key); /* it never counted */
		return true;
	}
	enter(key, ROLLOVER_REVOKED, sight->wall_s);
	return true;
}

/* One that is in the set, without REVOKE. */
static bool see_key(struct rollover *rollover, const struct rollover_sight *sight,
	const struct name *zone, const struct rrset_rdata *rdata, const struct anchors *configured)
{
	struct key *key = find(rollover, zone, rdata);

	if (key == NULL) {
		return begin(rollover, sight, zone, rdata, configured);
	}
	key->is_seen = true;
	if ((key->state == ROLLOVER_ADD_PENDING && sight->wall_s >= key->until_s) ||
		key->state == ROLLOVER_MISSING) {
		enter(key, ROLLOVER_VALID, sight->wall_s);
		return true;
	}
	return false;
}

/* One that is not in the set; false: nothing changes. */
static bool miss_key(struct rollover *rollover, struct key *key, int64_t wall_s)
{
	switch (key->state) {
	case ROLLOVER_ADD_PENDING:
		drop(rollover, key);
		return true;
	case ROLLOVER_VALID:
		enter(key, ROLLOVER_MISSING, wall_s);
		return true;
	case ROLLOVER_REVOKED:
		if (wall_s >= key->until_s) {
			enter(key, ROLLOVER_REMOVED, wall_s);
			return true;
		}
		return false;
	case ROLLOVER_MISSING:
	case ROLLOVER_REMOVED:
		return false;
	}
	return false;
}

bool rollover_see(struct rollover *rollover, const struct rollover_sight *sight,
	const struct anchors *configured)
{
	struct rrset_walk walk = rrset_records(sight->keys);
	struct rrset_rdata rdata;
	struct name zone;
	bool changed = false;

	rrset_owner(sight->keys, &zone);
	name_lower(&zone);
	for (uint32_t i = 0; i < rollover->count; i++) {
		rollover->keys[i].is_seen = false;
	}
	for (uint32_t i = 0; rrset_next(&walk, &rdata); i++) {
		if (!is_followed(&rdata)) {
			continue;
		}
		if (is_revoked(&rdata)) {
			bool proven = i < 64 && (sight->self_signed >> i & 1) != 0;
			changed |= proven && revoke(rollover, sight, &zone, &rdata, configured);
		} else if (sight->is_secure) {
			changed |= see_key(rollover, sight, &zone, &rdata, configured);
		}
	}
	for (uint32_t i = rollover->count; sight->is_secure && i-- > 0;) {
		struct key *key = &rollover->keys[i];
		if (!key->is_seen && name_equal(&key->zone, &zone)) {
			changed |= miss_key(rollover, key, sight->wall_s);
		}
	}
	return changed;
}

enum status rollover_apply(const struct rollover *rollover, struct anchors *anchors)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < rollover->count && status == STATUS_OK; i++) {
		const struct key *key = &rollover->keys[i];
		const struct rrset_rdata rdata = rdata_of(key);
		switch (key->state) {
		case ROLLOVER_VALID:
		case ROLLOVER_MISSING:
			status = anchors_add_key(anchors, &key->zone, &rdata);
			break;
		case ROLLOVER_REVOKED:
		case ROLLOVER_REMOVED:
			status = anchors_drop_key(anchors, &key->zone, &rdata);
			break;
		case ROLLOVER_ADD_PENDING:
			break;
		}
	}
	return status;
}

bool rollover_state(const struct rollover *rollover, const struct name *zone,
	const struct rrset_rdata *rdata, enum rollover_state *out)
{
	const struct key *key = find(rollover, zone, rdata);

	if (key != NULL) {
		*out = key->state;
	}
	return key != NULL;
}

uint32_t rollover_wait_s(const struct rrset *keys, bool is_secure, int64_t wall_s)
{
	uint32_t most = is_secure ? ROLLOVER_WAIT_S_MAX : ROLLOVER_RETRY_S_MAX;
	uint32_t part = is_secure ? 2 : 10;

	if (keys == NULL) {
		return ROLLOVER_WAIT_S_MIN;
	}
	struct rrset_walk walk = rrset_sigs(keys);
	struct rrset_rdata rdata;
	while (rrset_next(&walk, &rdata)) {
		struct rrsig sig;
		if (!rrset_sig(&rdata, &sig)) {
			continue;
		}
		int32_t left_s = (int32_t)(sig.expiration - (uint32_t)wall_s);
		uint32_t half_life_s = left_s < 0 ? 0 : (uint32_t)left_s / part;
		most = half_life_s < most ? half_life_s : most;
		most = sig.original_ttl / part < most ? sig.original_ttl / part : most;
	}
	return most < ROLLOVER_WAIT_S_MIN ? ROLLOVER_WAIT_S_MIN : most;
}

void rollover_each(const struct rollover *rollover,
	void (*see)(void *context, const struct name *zone, const struct rrset_rdata *key,
		enum rollover_state state),
	void *context)
{
	for (uint32_t i = 0; i < rollover->count; i++) {
		const struct rrset_rdata rdata = rdata_of(&rollover->keys[i]);
		see(context, &rollover->keys[i].zone, &rdata, rollover->keys[i].state);
	}
}

char *rollover_to_text(const struct rollover *rollover, size_t *len_out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (out == NULL) {
		return NULL;
	}
	fputs(HEAD, out);
	for (uint32_t i = 0; i < rollover->count; i++) {
		const struct key *key = &rollover->keys[i];
		char zone[NAME_TEXT_MAX];
		fprintf(out, "%s %s %" PRId64 " %" PRId64 " ", name_to_text(&key->zone, zone),
			words[key->state], key->since_s, key->until_s);
		for (uint32_t octet = 0; octet < key->len; octet++) {
			fprintf(out, "%02x", key->rdata[octet]);
		}
		fputc('\n', out);
	}
	if (fflush(out) != 0) {
		fclose(out);
		free(text);
		return NULL;
	}
	fprintf(out, TAIL "%016" PRIx64 "\n", checksum_once(text, len));
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	*len_out = len;
	return text;
}

/* A reading of one line. */
struct line {
	const char *at, *end; /* what is left of it */
};

/* The next word; its length 0: there is none. */
static size_t next_word(struct line *line, const char **out)
{
	while (line->at < line->end && *line->at == ' ') {
		line->at++;
	}
	*out = line->at;
	while (line->at < line->end && *line->at != ' ') {
		line->at++;
	}
	return (size_t)(line->at - *out);
}

static bool read_number(struct line *line, int64_t *out)
{
	const char *word;
	size_t len = next_word(line, &word);
	int64_t value = 0;

	for (size_t i = 0; i < len; i++) {
		if (word[i] < '0' || word[i] > '9') {
			return false;
		}
		value = i < NUMBER_LEN_MAX ? value * 10 + (word[i] - '0') : value;
	}
	*out = value;
	return len > 0 && len <= NUMBER_LEN_MAX;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_rdata(struct line *line, struct key *key)
{
	const char *word;
	size_t len = next_word(line, &word);

	if (len % 2 != 0 || len / 2 > ROLLOVER_KEY_LEN_MAX || len / 2 <= KEY_FIXED_LEN) {
		return false;
	}
	for (size_t i = 0; i < len; i += 2) {
		int high = digit_of(word[i]), low = digit_of(word[i + 1]);
		if (high < 0 || low < 0) {
			return false;
		}
		key->rdata[i / 2] = (uint8_t)(high << 4 | low);
	}
	key->len = (uint16_t)(len / 2);
	const struct rrset_rdata rdata = rdata_of(key);
	return is_followed(&rdata) && !is_revoked(&rdata);
}

static bool read_state(struct line *line, enum rollover_state *out)
{
	const char *word;
	size_t len = next_word(line, &word);

	for (uint32_t i = 0; i < STATES; i++) {
		if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0) {
			*out = (enum rollover_state)i;
			return true;
		}
	}
	return false;
}

/* NULL: the line is a key; else what is wrong with it. */
static const char *read_key(struct line *line, struct key *key)
{
	const struct name root = {.len = 1};
	const char *word;
	size_t len = next_word(line, &word);

	if (len == 0 || len >= NAME_TEXT_MAX ||
		name_from_text(word, (uint32_t)len, &root, &key->zone) != WIRE_OK) {
		return "no zone (expected a domain name)";
	}
	name_lower(&key->zone);
	if (!read_state(line, &key->state)) {
		return "no state (expected add-pending, valid, missing, revoked or removed)";
	}
	if (!read_number(line, &key->since_s) || !read_number(line, &key->until_s)) {
		return "no time (expected two numbers of seconds since 1970)";
	}
	if (!read_rdata(line, key)) {
		return "no key (expected the RDATA of a DNSKEY with SEP in hexadecimal)";
	}
	return next_word(line, &word) == 0 ? NULL : "more than a key (expected the line's end)";
}

static enum status refuse(struct rollover *rollover, const struct diag_sink *sink, const char *path,
	uint32_t line, const char *why)
{
	rollover->count = 0;
	diag_report(sink, DIAG_ERROR, path, line, 0, "%s", why);
	return STATUS_REFUSED;
}

enum status rollover_from_text(struct rollover *rollover, const char *path, const char *text,
	size_t len, const struct diag_sink *sink)
{
	char tail[TAIL_LEN + 1];

	if (len < sizeof(HEAD) - 1 || memcmp(text, HEAD, sizeof(HEAD) - 1) != 0) {
		return refuse(rollover, sink, path, 1,
			"no state of trust anchors (expected `saker-trust-anchors 1`)");
	}
	size_t keys_len = len < TAIL_LEN ? 0 : len - TAIL_LEN;
	snprintf(tail, sizeof(tail), TAIL "%016" PRIx64 "\n", checksum_once(text, keys_len));
	if (keys_len < sizeof(HEAD) - 1 || memcmp(text + keys_len, tail, TAIL_LEN) != 0) {
		return refuse(rollover, sink, path, 0,
			"cut short or damaged: its checksum is another one");
	}
	uint32_t number = 1;
	for (size_t at = sizeof(HEAD) - 1; at < keys_len;) {
		const char *end = memchr(text + at, '\n', keys_len - at);
		struct key read = {.len = 0};
		struct line line = {.at = text + at, .end = end != NULL ? end : text + keys_len};
		number++;
		at = (size_t)(line.end - text) + 1;
		const char *why = read_key(&line, &read);
		if (why != NULL) {
			return refuse(rollover, sink, path, number, why);
		}
		const struct rrset_rdata rdata = rdata_of(&read);
		if (find(rollover, &read.zone, &rdata) != NULL ||
			count_of(rollover, &read.zone) == ROLLOVER_KEYS_A_ZONE) {
			return refuse(rollover, sink, path, number,
				"a key too many (expected each once, and 16 a zone)");
		}
		struct key *key = add(rollover, &read.zone, &rdata);
		if (key == NULL) {
			rollover->count = 0;
			return STATUS_MEMORY;
		}
		*key = read;
	}
	return STATUS_OK;
}

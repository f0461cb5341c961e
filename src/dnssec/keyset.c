/* keyset.c - what is signed, put together; and who may have signed it. */
#include "dnssec/keyset.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "crypto/signature.h"
#include "dnssec/memo.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define DNSKEY_FIXED_LEN 4u /* flags, protocol, algorithm, RFC 4034 sec 2.1 */
#define DS_FIXED_LEN     4u /* key tag, algorithm, digest type, RFC 4034 sec 5.1 */
#define FLAG_ZONE        0x0100u
#define FLAG_REVOKED     0x0080u /* RFC 5011 sec 2.1 */
#define PROTOCOL         3u
#define DIGEST_SHA1      1u
#define DIGEST_SHA256    2u
#define DIGEST_SHA384    4u
#define RECORD_FIXED_LEN 10u

uint16_t keyset_tag(const struct rrset_rdata *dnskey)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < dnskey->len; i++) {
		sum += (i & 1) != 0 ? dnskey->octets[i] : (uint32_t)dnskey->octets[i] << 8;
	}
	return (uint16_t)(sum + (sum >> 16));
}

static bool is_key(const struct rrset_rdata *rdata)
{
	return rdata->len > DNSKEY_FIXED_LEN && rdata->octets[2] == PROTOCOL &&
	       (octets_get_u16(rdata->octets) & (FLAG_ZONE | FLAG_REVOKED)) == FLAG_ZONE;
}

static bool is_revoked_key(const struct rrset_rdata *rdata)
{
	return rdata->len > DNSKEY_FIXED_LEN && rdata->octets[2] == PROTOCOL &&
	       (octets_get_u16(rdata->octets) & (FLAG_ZONE | FLAG_REVOKED)) ==
		       (FLAG_ZONE | FLAG_REVOKED);
}

static bool algorithm_counts(uint8_t algorithm, const struct keyset_policy *policy)
{
	return signature_is_known(algorithm) && (policy->sha1 || !signature_is_sha1(algorithm));
}

static bool digest_counts(uint8_t digest, const struct keyset_policy *policy)
{
	return digest == DIGEST_SHA256 || digest == DIGEST_SHA384 ||
	       (digest == DIGEST_SHA1 && policy->sha1);
}

/* The digest of a key under its owner's name, RFC 4034 sec 5.1.4; its length, 0: no memory or no such digest. */
static size_t digest_of(const struct name *zone, const struct rrset_rdata *dnskey, uint8_t type,
	uint8_t out[SIGNATURE_DIGEST_MAX])
{
	size_t len = (size_t)zone->len + dnskey->len;
	uint8_t *octets = malloc(len);

	if (octets == NULL) {
		return 0;
	}
	name_octets_lower(octets, zone->octets, zone->len);
	memcpy(octets + zone->len, dnskey->octets, dnskey->len);
	size_t digest_len = signature_digest(type, octets, len, out);
	free(octets);
	return digest_len;
}

bool keyset_make_ds(
	const struct name *zone, const struct rrset_rdata *dnskey, uint8_t out[KEYSET_DS_LEN])
{
	uint8_t digest[SIGNATURE_DIGEST_MAX];

	if (dnskey->len <= DNSKEY_FIXED_LEN ||
		digest_of(zone, dnskey, DIGEST_SHA256, digest) != KEYSET_DS_LEN - DS_FIXED_LEN) {
		return false;
	}
	octets_put_u16(out, keyset_tag(dnskey));
	out[2] = dnskey->octets[3];
	out[3] = DIGEST_SHA256;
	memcpy(out + DS_FIXED_LEN, digest, KEYSET_DS_LEN - DS_FIXED_LEN);
	return true;
}

bool keyset_ds_usable(
	const struct rrset *ds, const struct keyset_policy *policy, enum dnssec_ede *ede_out)
{
	struct rrset_walk walk = rrset_records(ds);
	struct rrset_rdata rdata;

	*ede_out = EDE_UNSUPPORTED_DNSKEY_ALGORITHM;
	while (rrset_next(&walk, &rdata)) {
		if (rdata.len <= DS_FIXED_LEN) {
			continue;
		}
		bool algorithm = algorithm_counts(rdata.octets[2], policy);
		bool digest = digest_counts(rdata.octets[3], policy);
		if (algorithm && digest) {
			*ede_out = EDE_NONE;
			return true;
		}
		if (algorithm) {
			*ede_out = EDE_UNSUPPORTED_DS_DIGEST;
		}
	}
	return false;
}

/* An owner's labels as an RRSIG counts them: without the root and a leading `*` (RFC 4034 sec 3.1.3). */
static uint32_t counted_labels(const struct name *owner)
{
	bool wild = owner->len >= 3 && owner->octets[0] == 1 && owner->octets[1] == '*';

	return owner->label_count - (wild ? 1u : 0u);
}

/* One record in canonical form, in memory of the caller's. */
struct canonical {
	const uint8_t *octets;
	uint32_t len;
};

static int compare_canonical(const void *a, const void *b)
{
	const struct canonical *left = a, *right = b;

	return rdata_compare(left->octets, left->len, right->octets, right->len);
}

/* The records of a set in canonical form and order, each once; NULL: no memory. free() gives all of it back. */
static struct canonical *canonical_records(const struct rrset *set, uint32_t *count_out)
{
	uint32_t rdata_len = set->sigs_off; /* more than all of them together */
	struct canonical *records =
		malloc((size_t)(set->count + 1u) * sizeof(*records) + rdata_len);
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	uint32_t count = 0, kept = 0;

	if (records == NULL) {
		return NULL;
	}
	uint8_t *at = (uint8_t *)(records + set->count + 1);
	while (rrset_next(&walk, &rdata)) {
		memcpy(at, rdata.octets, rdata.len);
		rdata_canonical(set->type, at, rdata.len);
		records[count++] = (struct canonical){.octets = at, .len = rdata.len};
		at += rdata.len;
	}
	qsort(records, count, sizeof(records[0]), compare_canonical);
	for (uint32_t i = 0; i < count; i++) {
		if (kept == 0 || compare_canonical(&records[kept - 1], &records[i]) != 0) {
			records[kept++] = records[i];
		}
	}
	*count_out = kept;
	return records;
}

/* The octets that a signature signs, RFC 4034 sec 3.1.8.1; NULL: no memory. */
static uint8_t *signed_octets(const struct rrset *set, const struct rrsig *sig,
	const struct rrset_rdata *sig_rdata, size_t *len_out)
{
	uint32_t count;
	struct name owner;
	struct canonical *records = canonical_records(set, &count);

	if (records == NULL) {
		return NULL;
	}
	rrset_owner(set, &owner);
	name_lower(&owner);
	/* Made from a wildcard: `*.` and the labels that the signature counts. */
	uint8_t name[NAME_LEN_MAX + 2];
	uint32_t name_len = owner.len;
	if (sig->labels < counted_labels(&owner)) {
		const uint8_t *suffix = name_suffix(&owner, sig->labels);
		name[0] = 1;
		name[1] = '*';
		name_len = (uint32_t)(owner.octets + owner.len - suffix);
		memcpy(name + 2, suffix, name_len);
		name_len += 2;
	} else {
		memcpy(name, owner.octets, owner.len);
	}
	size_t len = RRSIG_FIXED_LEN + sig->signer.len;
	for (uint32_t i = 0; i < count; i++) {
		len += name_len + RECORD_FIXED_LEN + records[i].len;
	}
	uint8_t *out = malloc(len);
	if (out != NULL) {
		uint8_t *at = out;
		memcpy(at, sig_rdata->octets, RRSIG_FIXED_LEN);
		name_octets_lower(at + RRSIG_FIXED_LEN, sig->signer.octets, sig->signer.len);
		at += RRSIG_FIXED_LEN + sig->signer.len;
		for (uint32_t i = 0; i < count; i++) {
			memcpy(at, name, name_len);
			at += name_len;
			octets_put_u16(at, set->type);
			octets_put_u16(at + 2, CLASS_IN);
			octets_put_u32(at + 4, sig->original_ttl);
			octets_put_u16(at + 8, (uint16_t)records[i].len);
			memcpy(at + RECORD_FIXED_LEN, records[i].octets, records[i].len);
			at += RECORD_FIXED_LEN + records[i].len;
		}
	}
	free(records);
	*len_out = len;
	return out;
}

/* One check of many: what it is about. */
struct check {
	const struct rrset *set;
	const struct rrset *keys;
	const struct rrset_rdata *only; /* NULL, or the one key that counts */
	bool revoking;                  /* ... which says REVOKE */
	const struct keyset_policy *policy;
	uint32_t now;
	struct dnssec_budget *budget;
	struct name zone, owner;
	struct keyset_result *out;
	struct memo_entry found; /* what held */
};

/* Time as the signature counts it, modulo 2^32 (RFC 4034 sec 3.1.5). */
static bool is_in_time(struct check *check, const struct rrsig *sig)
{
	if ((int32_t)(check->now - sig->inception) < 0) {
		check->out->ede = EDE_SIGNATURE_NOT_YET_VALID;
		return false;
	}
	if ((int32_t)(sig->expiration - check->now) < 0) {
		check->out->ede = EDE_SIGNATURE_EXPIRED;
		return false;
	}
	return true;
}

/* May this signature be one of the set, by the zone? */
static bool is_candidate(struct check *check, const struct rrsig *sig)
{
	/* DS is the parent's: what the child signed of it proves nothing. */
	bool own_ds = check->set->type == RRTYPE_DS && check->zone.len == check->owner.len &&
		      check->zone.len > 1;

	if (sig->covered != check->set->type || !name_equal(&sig->signer, &check->zone) ||
		!name_is_below(&check->owner, &check->zone) || own_ds ||
		sig->labels > counted_labels(&check->owner) ||
		sig->labels < check->zone.label_count) {
		return false;
	}
	if (!algorithm_counts(sig->algorithm, check->policy)) {
		check->out->ede = EDE_UNSUPPORTED_DNSKEY_ALGORITHM;
		return false;
	}
	return is_in_time(check, sig);
}

static bool try_key(struct check *check, const struct rrsig *sig, const struct rrset_rdata *key,
	const uint8_t *octets, size_t len)
{
	if (check->budget->checks == 0 || check->budget->failures == 0) {
		return false;
	}
	check->budget->checks--;
	if (signature_check(check->policy->ready, sig->algorithm, key->octets + DNSKEY_FIXED_LEN,
		    key->len - DNSKEY_FIXED_LEN, octets, len, sig->signature, sig->signature_len)) {
		return true;
	}
	check->budget->failures--;
	check->out->ede = EDE_BOGUS;
	return false;
}

/* Tries the keys that the signature may be by. */
static bool try_signature(
	struct check *check, const struct rrsig *sig, const struct rrset_rdata *sig_rdata)
{
	struct rrset_walk walk = rrset_records(check->keys);
	struct rrset_rdata key;
	uint32_t tried = 0;
	size_t len = 0;
	uint8_t *octets = NULL;
	bool good = false;

	while (!good && tried < DNSSEC_KEYS_A_TAG_MAX && rrset_next(&walk, &key)) {
		bool fit = check->revoking ? is_revoked_key(&key) : is_key(&key);
		if (!fit || key.octets[3] != sig->algorithm || keyset_tag(&key) != sig->key_tag ||
			(check->only != NULL && check->only->octets != key.octets)) {
			continue;
		}
		if (octets == NULL) {
			octets = signed_octets(check->set, sig, sig_rdata, &len);
			if (octets == NULL) {
				return false;
			}
		}
		tried++;
		good = try_key(check, sig, &key, octets, len);
	}
	free(octets);
	if (tried == 0 && check->out->ede != EDE_BOGUS) {
		check->out->ede = EDE_DNSKEY_MISSING;
	}
	return good;
}

static void take_found(struct check *check, const struct memo_entry *found)
{
	uint32_t left = found->expiration - check->now;

	check->out->ede = EDE_NONE;
	check->out->ttl_max = found->original_ttl < left ? found->original_ttl : left;
	check->out->closest_labels = found->closest_labels;
	check->out->expanded = found->expanded;
}

static enum dnssec_status check_set(struct check *check)
{
	struct rrset_walk walk = rrset_sigs(check->set);
	struct rrset_rdata rdata;
	uint32_t tried = 0;

	check->out->ede = EDE_RRSIGS_MISSING;
	check->out->expanded = false;
	check->out->ttl_max = 0;
	while (tried < DNSSEC_SIGS_MAX && rrset_next(&walk, &rdata)) {
		struct rrsig sig;
		if (!rrset_sig(&rdata, &sig) || !is_candidate(check, &sig)) {
			continue;
		}
		tried++;
		if (try_signature(check, &sig, &rdata)) {
			const struct memo_entry found = {.inception = sig.inception,
				.expiration = sig.expiration,
				.original_ttl = sig.original_ttl,
				.closest_labels = sig.labels,
				.expanded = sig.labels < counted_labels(&check->owner)};
			take_found(check, &found);
			check->found = found;
			return DNSSEC_SECURE;
		}
	}
	return DNSSEC_BOGUS;
}

static void begin(struct check *check)
{
	rrset_owner(check->keys, &check->zone);
	rrset_owner(check->set, &check->owner);
}

enum dnssec_status keyset_check_set(const struct rrset *set, const struct rrset *keys,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget,
	struct keyset_result *out)
{
	struct check check = {.set = set,
		.keys = keys,
		.policy = policy,
		.now = (uint32_t)wall_s,
		.budget = budget,
		.out = out};

	begin(&check);
	if (policy->memo == NULL) {
		return check_set(&check);
	}
	uint64_t hash[2];
	const struct memo_entry *known = memo_find(policy->memo, set, keys, hash);
	if (known != NULL && (int32_t)(check.now - known->inception) >= 0 &&
		(int32_t)(known->expiration - check.now) >= 0) {
		take_found(&check, known);
		return DNSSEC_SECURE;
	}
	enum dnssec_status status = check_set(&check);
	if (status == DNSSEC_SECURE) {
		check.found.hash[0] = hash[0];
		check.found.hash[1] = hash[1];
		memo_put(policy->memo, &check.found);
	}
	return status;
}

/* Does a DS of a usable kind name this key? */
static bool is_named(const struct name *zone, const struct rrset_rdata *key,
	const struct rrset_rdata *ds, const struct keyset_policy *policy)
{
	uint8_t digest[SIGNATURE_DIGEST_MAX];

	if (ds->len <= DS_FIXED_LEN || !algorithm_counts(ds->octets[2], policy) ||
		!digest_counts(ds->octets[3], policy) || key->octets[3] != ds->octets[2] ||
		keyset_tag(key) != octets_get_u16(ds->octets)) {
		return false;
	}
	size_t len = digest_of(zone, key, ds->octets[3], digest);
	return len != 0 && len == ds->len - DS_FIXED_LEN &&
	       memcmp(digest, ds->octets + DS_FIXED_LEN, len) == 0;
}

bool keyset_ds_names(
	const struct name *zone, const struct rrset_rdata *dnskey, const struct rrset_rdata *ds)
{
	const struct keyset_policy policy = {.sha1 = true};

	return dnskey->len > DNSKEY_FIXED_LEN && is_named(zone, dnskey, ds, &policy);
}

bool keyset_revokes(const struct rrset *keys, const struct rrset_rdata *key,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget)
{
	struct keyset_result result;
	struct check check = {.set = keys,
		.keys = keys,
		.only = key,
		.revoking = true,
		.policy = policy,
		.now = (uint32_t)wall_s,
		.budget = budget,
		.out = &result};

	begin(&check);
	return is_revoked_key(key) && check_set(&check) == DNSSEC_SECURE;
}

/* With a better digest at hand SHA-1 does not count (RFC 4509 sec 3). */
static bool has_strong_digest(const struct rrset *ds, const struct keyset_policy *policy)
{
	struct rrset_walk walk = rrset_records(ds);
	struct rrset_rdata rdata;

	while (rrset_next(&walk, &rdata)) {
		if (rdata.len > DS_FIXED_LEN && algorithm_counts(rdata.octets[2], policy) &&
			(rdata.octets[3] == DIGEST_SHA256 || rdata.octets[3] == DIGEST_SHA384)) {
			return true;
		}
	}
	return false;
}

enum dnssec_status keyset_check_keys(const struct rrset *keys, const struct rrset *ds,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget,
	struct keyset_result *out)
{
	struct rrset_rdata ds_rdata, key;
	struct rrset_walk ds_walk = rrset_records(ds);
	struct check check = {.set = keys,
		.keys = keys,
		.policy = policy,
		.now = (uint32_t)wall_s,
		.budget = budget,
		.out = out};

	out->expanded = false;
	if (!keyset_ds_usable(ds, policy, &out->ede)) {
		return DNSSEC_INSECURE;
	}
	bool strong = has_strong_digest(ds, policy);
	begin(&check);
	enum dnssec_ede worst = EDE_DNSKEY_MISSING;
	for (uint32_t i = 0; i < DNSSEC_DS_MAX && rrset_next(&ds_walk, &ds_rdata); i++) {
		if (ds_rdata.len > DS_FIXED_LEN && ds_rdata.octets[3] == DIGEST_SHA1 && strong) {
			continue;
		}
		struct rrset_walk key_walk = rrset_records(keys);
		while (rrset_next(&key_walk, &key)) {
			if (!is_key(&key) || !is_named(&check.zone, &key, &ds_rdata, policy)) {
				continue;
			}
			check.only = &key;
			if (check_set(&check) == DNSSEC_SECURE) {
				return DNSSEC_SECURE;
			}
			worst = out->ede;
			break;
		}
	}
	out->ede = worst;
	return DNSSEC_BOGUS;
}

bool keyset_signer(const struct rrset *set, const struct keyset_policy *policy, struct name *out)
{
	struct rrset_walk walk = set->type == RRTYPE_RRSIG ? rrset_records(set) : rrset_sigs(set);
	struct rrset_rdata rdata;
	struct name owner;
	bool found = false;

	rrset_owner(set, &owner);
	while (rrset_next(&walk, &rdata)) {
		struct rrsig sig;
		if (!rrset_sig(&rdata, &sig) || !name_is_below(&owner, &sig.signer)) {
			continue;
		}
		if (algorithm_counts(sig.algorithm, policy)) {
			*out = sig.signer;
			return true;
		}
		if (!found) {
			*out = sig.signer;
			found = true;
		}
	}
	return found;
}

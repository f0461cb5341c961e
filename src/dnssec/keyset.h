/* keyset.h - signatures over RRsets: of a zone's keys by its DS records, and of other sets by its keys.
 *
 * A set is secure where one signature by a key of the zone holds; what else is signed with does not count against it
 * (RFC 6840 sec 5.11 asks that one path be enough).
 *
 * thread  no shared state; libcrypto allocates: not for the packet path
 * source  RFC 4034 sec 3.1.8 and 5.1.4, RFC 4035 sec 5.2 and 5.3, RFC 6840 sec 5, RFC 9905 (SHA-1)
 */
#ifndef SAKER_DNSSEC_KEYSET_H
#define SAKER_DNSSEC_KEYSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "dnssec/dnssec.h"
#include "wire/name.h"
#include "wire/rrset.h"

struct memo;
struct signature_keys;

/* What is used of the algorithms; zones with nothing that is are insecure. */
struct keyset_policy {
	bool sha1; /* RSASHA1, RSASHA1-NSEC3-SHA1 and DS of SHA-1 count; RFC 9905 lets operators say no */
	struct signature_keys
		*ready;    /* borrows: crypto/signature.h; NULL: keys are made for each check */
	struct memo *memo; /* borrows; NULL: nothing is remembered */
};

/* What a check found. */
struct keyset_result {
	enum dnssec_ede ede; /* why it is bogus or insecure */
	uint32_t
		ttl_max; /* secure: seconds that it may be kept: original TTL and end of the signature */
	uint8_t closest_labels; /* secure and expanded: labels of the closest encloser */
	bool expanded; /* the set was made from a wildcard: a proof that the name itself is not there must come along */
};

/* keyset_tag - the key tag of a DNSKEY's RDATA. source: RFC 4034 appendix B */
uint16_t keyset_tag(const struct rrset_rdata *dnskey);

/* keyset_make_ds - the DS RDATA (SHA-256) that names a key of a zone.
 *
 * shape   out: KEYSET_DS_LEN octets
 * errors  false: the RDATA is no DNSKEY
 */
#define KEYSET_DS_LEN 36u
MUST_USE bool keyset_make_ds(
	const struct name *zone, const struct rrset_rdata *dnskey, uint8_t out[KEYSET_DS_LEN]);

/* keyset_ds_names - does this DS RDATA name the key of a zone? Algorithms that do not count name none. */
bool keyset_ds_names(
	const struct name *zone, const struct rrset_rdata *dnskey, const struct rrset_rdata *ds);

/* keyset_revokes - has a key of the set that says REVOKE signed the set itself? Then it is revoked, whoever else signed.
 *
 * shape   key: one of the records of keys
 * cost    signature checks out of the budget
 * source  RFC 5011 sec 2.1
 */
bool keyset_revokes(const struct rrset *keys, const struct rrset_rdata *key,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget);

/* keyset_ds_usable - is there a DS whose algorithm and digest we know? Otherwise the zone is insecure (RFC 4035 sec 5.2). */
bool keyset_ds_usable(
	const struct rrset *ds, const struct keyset_policy *policy, enum dnssec_ede *ede_out);

/* keyset_check_keys - are the keys of a zone those that its DS records (or anchors in that form) name?
 *
 * shape   keys: the zone's DNSKEY set with its signatures; ds: secure; wall_s: seconds since 1970
 * effect  DNSSEC_SECURE: a key that a DS names has signed the set
 *         DNSSEC_INSECURE: no DS is usable
 *         DNSSEC_BOGUS: the DS records name no key that signed
 * cost    a digest a DS, and signature checks out of the budget
 */
enum dnssec_status keyset_check_keys(const struct rrset *keys, const struct rrset *ds,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget,
	struct keyset_result *out);

/* keyset_check_set - is a set signed by a key of the zone?
 *
 * shape   set: with its signatures; keys: the secure DNSKEY set of the zone named zone
 * effect  DNSSEC_SECURE or DNSSEC_BOGUS (also where no signature is by that zone, or the budget ends)
 */
enum dnssec_status keyset_check_set(const struct rrset *set, const struct rrset *keys,
	const struct keyset_policy *policy, int64_t wall_s, struct dnssec_budget *budget,
	struct keyset_result *out);

/* keyset_signer - the zone that a set says it was signed by: the first signature's signer at or above the owner whose
 * algorithm we know, or else any; false: it has no signature, or none by a zone that may sign it.
 */
bool keyset_signer(const struct rrset *set, const struct keyset_policy *policy, struct name *out);

#endif

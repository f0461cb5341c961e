/* dnssec.h - what a check of signatures or of a proof came to, and how much work it may be.
 *
 * thread  no shared state
 * source  RFC 4033 sec 5, RFC 4035 sec 4.3
 */
#ifndef SAKER_DNSSEC_DNSSEC_H
#define SAKER_DNSSEC_DNSSEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* Limits of one set and one zone; more is not looked at (KeyTrap, CVE-2023-50387). */
#define DNSSEC_SIGS_MAX       8u /* signatures of a set that are tried */
#define DNSSEC_DS_MAX         8u /* DS records of a zone that are looked at */
#define DNSSEC_KEYS_A_TAG_MAX 2u /* keys with one tag and algorithm that are tried */
#define DNSSEC_ITERATIONS_MAX                                                                      \
	50u /* of NSEC3; denials of zones with more are insecure, RFC 9276 sec 3.2 */
#define DNSSEC_ITERATIONS_MOST 150u /* ... and hold all the same; beyond they are not looked at */
#define DNSSEC_HASHES_A_PROOF                                                                      \
	40u /* names hashed for one proof: ip6.arpa has 34 labels, and each may have to be tried */

enum dnssec_status {
	DNSSEC_UNCHECKED = 0,
	DNSSEC_SECURE,   /* a chain of signatures leads from a trust anchor to it */
	DNSSEC_INSECURE, /* it is proven that no such chain has to exist */
	DNSSEC_BOGUS     /* there should be a chain, and there is none */
};

/* What is left for one client query, all that it causes included. Each function takes what it uses. */
struct dnssec_budget {
	uint32_t checks;   /* signature checks */
	uint32_t failures; /* of them, such that may fail */
	uint32_t hashes;   /* NSEC3 names */
};

/* Extended DNS Errors, RFC 8914 sec 4 and its registry. */
enum dnssec_ede {
	EDE_NONE = -1,
	EDE_OTHER = 0,
	EDE_UNSUPPORTED_DNSKEY_ALGORITHM = 1,
	EDE_UNSUPPORTED_DS_DIGEST = 2,
	EDE_STALE_ANSWER = 3,
	EDE_FORGED_ANSWER = 4,
	EDE_INDETERMINATE = 5,
	EDE_BOGUS = 6,
	EDE_SIGNATURE_EXPIRED = 7,
	EDE_SIGNATURE_NOT_YET_VALID = 8,
	EDE_DNSKEY_MISSING = 9,
	EDE_RRSIGS_MISSING = 10,
	EDE_NO_ZONE_KEY_BIT = 11,
	EDE_NSEC_MISSING = 12,
	EDE_CACHED_ERROR = 13,
	EDE_NOT_READY = 14,
	EDE_BLOCKED = 15,
	EDE_CENSORED = 16,
	EDE_FILTERED = 17,
	EDE_PROHIBITED = 18,
	EDE_STALE_NXDOMAIN_ANSWER = 19,
	EDE_NOT_AUTHORITATIVE = 20,
	EDE_NOT_SUPPORTED = 21,
	EDE_NO_REACHABLE_AUTHORITY = 22,
	EDE_NETWORK_ERROR = 23,
	EDE_INVALID_DATA = 24,
	EDE_UNSUPPORTED_NSEC3_ITERATIONS = 27
};

#endif

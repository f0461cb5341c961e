/* rollover.h - trust anchors that follow the keys of their zones: the state machine of RFC 5011.
 *
 *             new key seen                hold-down over, seen again
 *     (none) --------------> ADD_PENDING ---------------------------> VALID <-----> MISSING
 *        ^                        |                                     |   not seen   |
 *        `---- not seen once -----'                                     `---+----------'
 *                                                                           | seen with the bit REVOKE, signed by itself
 *                                              REMOVED <--- hold-down --- REVOKED
 *
 * Configured anchors are where it begins: a key that one of them names is VALID when it is first seen. They count beside the
 * VALID and MISSING keys for as long as the key that they name is not revoked. What was revoked never comes back.
 *
 * The machine sees the zone's DNSKEY sets (resolve/refresh.h fetches and checks them) and knows no clock. Its state is text:
 *
 *     saker-trust-anchors 1
 *     ZONE STATE SINCE UNTIL RDATA     a key a line; times in seconds since 1970, RDATA in hexadecimal without REVOKE
 *     checksum HEX                     of all octets before
 *
 * thread  one owner
 * source  RFC 5011 sec 2 and 4
 */
#ifndef SAKER_RESOLVE_ROLLOVER_H
#define SAKER_RESOLVE_ROLLOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define ROLLOVER_HOLD_S                                                                            \
	2592000 /* 30 days: add hold-down and remove hold-down, sec 2.4.1 and 2.4.2 */
#define ROLLOVER_KEYS_A_ZONE  16u      /* more are not followed; the root has had four at once */
#define ROLLOVER_KEY_LEN_MAX  1028u    /* octets of RDATA: RSA of 8192 bits */
#define ROLLOVER_WAIT_S_MIN   3600u    /* sec 2.3 */
#define ROLLOVER_WAIT_S_MAX   1296000u /* 15 days */
#define ROLLOVER_RETRY_S_MAX  86400u
#define ROLLOVER_TEXT_LEN_MAX (4u << 20)
#define ROLLOVER_FLAG_REVOKED 0x80u /* of the second octet of a DNSKEY's RDATA, sec 7 */
#define ROLLOVER_FLAG_SEP     0x01u /* ditto, RFC 4034 sec 2.1.1 */

enum rollover_state {
	ROLLOVER_ADD_PENDING,
	ROLLOVER_VALID,
	ROLLOVER_MISSING,
	ROLLOVER_REVOKED,
	ROLLOVER_REMOVED
};

struct anchors;
struct rollover;

MUST_USE struct rollover *rollover_new(void);
void rollover_free(struct rollover *rollover);

/* A DNSKEY set of an anchor's zone, just fetched. */
struct rollover_sight {
	const struct rrset *keys;
	bool is_secure;       /* an anchor that counts at present has signed it */
	uint64_t self_signed; /* bit i: the i-th key has REVOKE set, and has signed the set */
	int64_t wall_s;
};

/* rollover_see - takes what was seen into account.
 *
 * shape   configured: the anchors of the configuration
 * effect  true: some key has another state than before: keep it, and see rollover_apply()
 *         A set that is not secure revokes, and does nothing else (sec 2.1).
 */
MUST_USE bool rollover_see(struct rollover *rollover, const struct rollover_sight *sight,
	const struct anchors *configured);

/* rollover_apply - adds the keys that are VALID or MISSING to anchors, and takes out what is revoked.
 *
 * shape   anchors: as configured
 * errors  STATUS_MEMORY
 */
MUST_USE enum status rollover_apply(const struct rollover *rollover, struct anchors *anchors);

/* rollover_state - of a key of a zone (RDATA with or without REVOKE); false: it is not known. */
MUST_USE bool rollover_state(const struct rollover *rollover, const struct name *zone,
	const struct rrset_rdata *key, enum rollover_state *out);

/* rollover_wait_s - seconds until the set should be fetched again (sec 2.3).
 *
 * shape   keys: the set as it came, or NULL where none did
 */
uint32_t rollover_wait_s(const struct rrset *keys, bool is_secure, int64_t wall_s);

/* rollover_to_text - the state; its owner calls free(). NULL: no memory */
MUST_USE char *rollover_to_text(const struct rollover *rollover, size_t *len_out);

/* rollover_from_text - reads what rollover_to_text() wrote into an empty one.
 *
 * errors  STATUS_REFUSED: one complaint went to the sink, the rollover is empty; STATUS_MEMORY
 */
MUST_USE enum status rollover_from_text(struct rollover *rollover, const char *path,
	const char *text, size_t len, const struct diag_sink *sink);

/* rollover_state_text - a word for a state. */
const char *rollover_state_text(enum rollover_state state);

/* rollover_each - shows every key. */
void rollover_each(const struct rollover *rollover,
	void (*see)(void *context, const struct name *zone, const struct rrset_rdata *key,
		enum rollover_state state),
	void *context);

#endif

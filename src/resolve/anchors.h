/* anchors.h - trust anchors: where chains of signatures begin, and where they are not asked for.
 *
 * Text is one record a line in master form, DS or DNSKEY (`. IN DS 20326 8 2 E06D...`), `;` begins a comment; a DNSKEY
 * becomes the DS of SHA-256 that names it. A DS whose digest is cut or too long is warned of, and fits no key. The anchors
 * of the root are built in (IANA, key tags 20326 and 38696).
 * A negative trust anchor (RFC 7646) is a name at and below which nothing is checked.
 *
 * thread  read-only once filled
 */
#ifndef SAKER_RESOLVE_ANCHORS_H
#define SAKER_RESOLVE_ANCHORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"
#include "wire/rrset.h"

struct anchors;

/* anchors_new - none; NULL: no memory. anchors_free accepts NULL. */
MUST_USE struct anchors *anchors_new(void);
void anchors_free(struct anchors *anchors);

/* anchors_copy - NULL: no memory */
MUST_USE struct anchors *anchors_copy(const struct anchors *anchors);

/* anchors_add_builtin - those of the root. errors: STATUS_MEMORY */
MUST_USE enum status anchors_add_builtin(struct anchors *anchors);

/* anchors_add_text - records out of text; path stands for it in complaints.
 *
 * errors  STATUS_REFUSED: complaints went to the sink (a line that is neither DS nor DNSKEY, ...); STATUS_MEMORY
 */
MUST_USE enum status anchors_add_text(struct anchors *anchors, const char *path, const char *text,
	size_t len, const struct diag_sink *sink);

/* anchors_add_negative - nothing at or below the name is checked. errors: STATUS_MEMORY */
MUST_USE enum status anchors_add_negative(struct anchors *anchors, const struct name *name);

/* anchors_name_key - does an anchor of that zone name this key? key: RDATA of a DNSKEY */
bool anchors_name_key(
	const struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key);

/* anchors_add_key - one more anchor for a zone, unless it is there. errors: STATUS_MEMORY */
MUST_USE enum status anchors_add_key(
	struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key);

/* anchors_drop_key - no anchor names the key any more. A zone whose last anchor goes is as if it never had one (RFC 5011
 * sec 5). errors: STATUS_MEMORY
 */
MUST_USE enum status anchors_drop_key(
	struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key);

/* anchors_zone - the i-th zone that has, or had, an anchor; NULL: there are no more. The order is that of adding. */
const struct name *anchors_zone(const struct anchors *anchors, uint32_t i);

/* anchors_of - the anchors of exactly this zone, negative ones aside; NULL: there are none. */
const struct rrset *anchors_of(const struct anchors *anchors, const struct name *zone);

/* anchors_find - the anchor closest above a name, or at it: its DS set; NULL: there is none, or a negative one is as close
 * or closer: what the name holds is insecure.
 */
const struct rrset *anchors_find(const struct anchors *anchors, const struct name *name);

#endif

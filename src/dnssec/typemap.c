/* typemap.c - windows of bits behind what else the records hold. */
#include "dnssec/typemap.h"

#include "wire/name.h"
#include "wire/rrtype.h"

#define NSEC3_SALT_LEN_AT 4u /* in front of the salt, RFC 5155 sec 3.2 */

/* The bitmap in windows of RFC 4034 sec 4.1.2. */
static bool has_bit(const uint8_t *at, uint32_t len, uint16_t type)
{
	while (len >= 2 && at[1] <= len - 2) {
		uint32_t octet = (type & 0xffu) / 8;
		if (at[0] == type >> 8) {
			return octet < at[1] && (at[2 + octet] >> (7 - type % 8) & 1) != 0;
		}
		len -= 2u + at[1];
		at += 2u + at[1];
	}
	return false;
}

bool typemap_has(const struct rrset *set, uint16_t type)
{
	struct rrset_rdata rdata = rrset_first(set);
	uint32_t off;

	if (set->type == RRTYPE_NSEC) {
		return name_measure(rdata.octets, rdata.len, &off) == WIRE_OK &&
		       has_bit(rdata.octets + off, rdata.len - off, type);
	}
	if (rdata.len < NSEC3_SALT_LEN_AT + 1) {
		return false;
	}
	off = NSEC3_SALT_LEN_AT + 1 + rdata.octets[4];
	if (off >= rdata.len || off + 1u + rdata.octets[off] > rdata.len) {
		return false;
	}
	off += 1u + rdata.octets[off];
	return has_bit(rdata.octets + off, rdata.len - off, type);
}

bool typemap_is_border(const struct rrset *set)
{
	return (typemap_has(set, RRTYPE_NS) && !typemap_has(set, RRTYPE_SOA)) ||
	       typemap_has(set, RRTYPE_DNAME);
}

bool typemap_lacks(const struct rrset *set, uint16_t qtype)
{
	bool cut = typemap_has(set, RRTYPE_NS) && !typemap_has(set, RRTYPE_SOA);

	if (typemap_has(set, qtype) || typemap_has(set, RRTYPE_CNAME)) {
		return false;
	}
	if (qtype == RRTYPE_DS) {
		return !typemap_has(set, RRTYPE_SOA) || set->owner_labels == 0;
	}
	return !cut; /* the parent knows nothing but DS and NSEC of a child */
}

/* sentinel.c - root-key-sentinel-is-ta-NNNNN and root-key-sentinel-not-ta-NNNNN. */
#include "resolve/sentinel.h"

#include <string.h>

#include "base/octets.h"
#include "resolve/anchors.h"
#include "wire/rrset.h"
#include "wire/rrtype.h"

#define TAG_DIGITS 5u

static bool reads(const struct name *name, const char *prefix, uint16_t *tag_out)
{
	uint32_t len = (uint32_t)strlen(prefix);
	uint32_t tag = 0;

	if (name->octets[0] != len + TAG_DIGITS || memcmp(name->octets + 1, prefix, len) != 0) {
		return false;
	}
	for (uint32_t i = 0; i < TAG_DIGITS; i++) {
		uint8_t c = name->octets[1 + len + i];
		if (c < '0' || c > '9') {
			return false;
		}
		tag = tag * 10 + (uint32_t)(c - '0');
	}
	*tag_out = (uint16_t)tag;
	return tag <= UINT16_MAX;
}

static bool is_trusted(const struct anchors *anchors, uint16_t tag)
{
	const struct name root = {.len = 1};
	const struct rrset *ds = anchors_find(anchors, &root);
	struct rrset_rdata rdata;

	if (ds == NULL) {
		return false;
	}
	struct rrset_walk walk = rrset_records(ds);
	while (rrset_next(&walk, &rdata)) {
		if (rdata.len >= 2 && octets_get_u16(rdata.octets) == tag) {
			return true;
		}
	}
	return false;
}

bool sentinel_fails(const struct anchors *anchors, const struct name *name, uint16_t type)
{
	uint16_t tag;

	if (type != RRTYPE_A && type != RRTYPE_AAAA) {
		return false;
	}
	if (reads(name, "root-key-sentinel-is-ta-", &tag)) {
		return !is_trusted(anchors, tag);
	}
	return reads(name, "root-key-sentinel-not-ta-", &tag) && is_trusted(anchors, tag);
}

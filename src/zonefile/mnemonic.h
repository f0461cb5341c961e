/* mnemonic.h - words that stand for numbers in RDATA: algorithms, certificate types, protocols, ports,
 * SVCB keys.
 *
 * Only reading needs most of them: saker prints numbers, which every peer reads.
 *
 * source  the IANA registries; the RFC of each list stands beside it
 */
#ifndef SAKER_ZONEFILE_MNEMONIC_H
#define SAKER_ZONEFILE_MNEMONIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define MNEMONIC_TEXT_MAX 32u /* octets of the longest mnemonic with its zero */

enum mnemonic_list {
	MNEMONIC_ALGORITHM,   /* DNSSEC algorithms */
	MNEMONIC_CERTIFICATE, /* CERT types */
	MNEMONIC_SCHEME,      /* DSYNC schemes */
	MNEMONIC_PROTOCOL,    /* IP protocols (WKS) */
	MNEMONIC_SERVICE,     /* ports (WKS) */
	MNEMONIC_SVCB_KEY     /* SVCB keys that have a name */
};

/* mnemonic_find - the number of a word; case counts in none but SVCB keys.
 *
 * errors  false: not in the list; out is unchanged
 */
MUST_USE bool mnemonic_find(
	enum mnemonic_list list, const uint8_t *text, uint32_t len, uint32_t *out);

/* mnemonic_word - the first word of the number; NULL where it has none. */
const char *mnemonic_word(enum mnemonic_list list, uint32_t number);

#endif

/* hashlabel.h - the first label of an NSEC3's owner: a hash of 20 octets in base32 with the extended hex alphabet.
 *
 * Its order is that of the hashes, and letter case does not matter.
 *
 * thread  no shared state
 * source  RFC 5155 sec 3, RFC 4648 sec 7
 */
#ifndef SAKER_WIRE_HASHLABEL_H
#define SAKER_WIRE_HASHLABEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define HASHLABEL_HASH_LEN 20u /* octets of SHA-1, the only hash there is */
#define HASHLABEL_LEN      33u /* octets with the length octet */

/* hashlabel_read - label: a valid one with its length octet.
 *
 * errors  false: it spells no hash
 */
MUST_USE bool hashlabel_read(const uint8_t *label, uint8_t hash[HASHLABEL_HASH_LEN]);

/* hashlabel_write - in lower case, with its length octet. */
void hashlabel_write(const uint8_t hash[HASHLABEL_HASH_LEN], uint8_t label[HASHLABEL_LEN]);

#endif

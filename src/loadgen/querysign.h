/* querysign.h - signs queries with a key that client and server share (TSIG), when they are sent.
 *
 *     message ID | the query ... | key name TSIG ANY 0 len | algorithm, time, fudge, MAC, ID, 0, 0
 *     `----------- is signed ---'  `------------------- querysign_append() adds ---------------'
 *
 * The MAC covers ID and time, so it is made for each query. Signatures of answers are not looked at.
 *
 * thread  a struct querysign has one owner; a struct querysign_key is only read
 * source  RFC 8945 sec 4.2, 4.3 and 6
 */
#ifndef SAKER_LOADGEN_QUERYSIGN_H
#define SAKER_LOADGEN_QUERYSIGN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "crypto/hmac.h"
#include "wire/name.h"

#define QUERYSIGN_SECRET_MAX 256u /* octets: four times the longest that makes a difference */
#define QUERYSIGN_ALGORITHM_LEN_MAX                                                                \
	26u /* octets of an algorithm's name in wire form: hmac-md5.sig-alg.reg.int */
/* Octets that a signature adds: names, the record's fixed part, the fixed part of its RDATA and the MAC. */
#define QUERYSIGN_LEN_MAX (NAME_LEN_MAX + 10u + QUERYSIGN_ALGORITHM_LEN_MAX + 16u + HMAC_LEN_MAX)

struct querysign_algorithm;

struct querysign_key {
	const struct querysign_algorithm *algorithm;
	struct name name; /* lower case */
	uint8_t secret[QUERYSIGN_SECRET_MAX];
	uint32_t secret_len;
};

/* querysign_key_parse - `[ALGORITHM:]NAME:SECRET` as dnsperf -y takes it, the secret in base64; hmac-md5 where there is
 * no algorithm.
 *
 * errors  false: *why_out says what is wrong; a static text
 */
MUST_USE bool querysign_key_parse(
	const char *text, struct querysign_key *out, const char **why_out);

struct querysign;

/* querysign_new - a signer. errors: NULL: no memory. querysign_free() accepts NULL. */
MUST_USE struct querysign *querysign_new(const struct querysign_key *key);
void querysign_free(struct querysign *sign);

/* querysign_append - signs message[0..len); returns how many octets it grew.
 *
 * shape   message: whole, its ID included, and room for QUERYSIGN_LEN_MAX more
 * units   wall_s: since 1970
 */
uint32_t querysign_append(struct querysign *sign, uint8_t *message, uint32_t len, uint64_t wall_s);

#endif

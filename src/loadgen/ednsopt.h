/* ednsopt.h - the EDNS options that a client of its own sends: a cookie and padding.
 *
 * The query file leaves its OPT records open (queryfile.h): what follows is the length of the options and they
 * themselves, different for each socket.
 *
 *     message ID | rest of the query file ... OPT up to its TTL | RDLENGTH | COOKIE | PADDING
 *
 * Each socket has a client cookie of its own, learns the server's from answers, and sends both from then on.
 *
 * thread  a struct ednsopt_client has one owner
 * source  RFC 7873 sec 4 and 5.3, RFC 7830 sec 3, RFC 8467 sec 4.1 (blocks)
 */
#ifndef SAKER_LOADGEN_EDNSOPT_H
#define SAKER_LOADGEN_EDNSOPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define EDNSOPT_CLIENT_LEN     8u  /* octets, RFC 7873 sec 4.1 */
#define EDNSOPT_SERVER_LEN_MIN 8u  /* octets, ditto */
#define EDNSOPT_SERVER_LEN_MAX 32u /* octets, ditto */
#define EDNSOPT_BLOCK_MAX                                                                          \
	512u /* octets of a block: larger ones do not fit an unfragmented datagram */
/* Octets that ednsopt_write() may write: length, two options with their heads. */
#define EDNSOPT_LEN_MAX                                                                            \
	(2u + 4u + EDNSOPT_CLIENT_LEN + EDNSOPT_SERVER_LEN_MAX + 4u + EDNSOPT_BLOCK_MAX)

struct ednsopt {
	bool cookie;
	uint32_t block; /* messages are padded to a multiple of so many octets; 0: they are not */
};

struct ednsopt_client {
	uint8_t cookie[EDNSOPT_CLIENT_LEN + EDNSOPT_SERVER_LEN_MAX];
	uint32_t server_len; /* octets of the server's part; 0: not known yet */
};

static inline bool ednsopt_is_on(const struct ednsopt *options)
{
	return options->cookie || options->block != 0;
}

/* ednsopt_write - RDLENGTH and options to to[EDNSOPT_LEN_MAX]; returns how many octets.
 *
 * shape  len: octets of the message before, its ID included
 */
uint32_t ednsopt_write(const struct ednsopt *options, const struct ednsopt_client *client,
	uint32_t len, uint8_t *to);

/* ednsopt_learn - takes the server's cookie out of an answer, where it is one for this client. Any octets. */
void ednsopt_learn(struct ednsopt_client *client, const uint8_t *octets, uint32_t len);

#endif

/* message_kit.h - messages for tests: written without care for their size, read with all strictness.
 *
 * It shares with the code under test nothing but names (wire/name.h): a record that the reader lets pass is one that any
 * resolver would.
 */
#ifndef SAKER_TESTS_MESSAGE_KIT_H
#define SAKER_TESTS_MESSAGE_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/name.h"
#include "wire/wire.h"

#define MESSAGE_KIT_RECORDS_MAX 8192u /* more do not fit in a message */

/* A question as it came, or as it is to be asked. */
struct message_kit_question {
	uint16_t id, flags; /* flags: octets 2 and 3 */
	uint16_t type;
	uint16_t udp_len; /* of EDNS */
	bool edns, dnssec_ok;
	struct name name;
};

/* A message being written. */
struct message_kit {
	uint32_t len;
	bool full;                 /* something did not fit in 64 KiB */
	enum wire_section section; /* of the last record */
	uint8_t octets[WIRE_MESSAGE_LEN_MAX];
};

struct message_kit_record {
	enum wire_section section;
	uint16_t type;
	uint32_t ttl;
	uint16_t rdata_len;
	const uint8_t *rdata; /* names in it uncompressed and in lower case */
	struct name owner;    /* lower case */
};

/* A message that was read. */
struct message_kit_answer {
	struct message_kit_question question; /* flags and id are the answer's */
	uint16_t rcode;                       /* with the bits of EDNS */
	bool edns;
	int ede; /* INFO-CODE of the first extended error; -1: none */
	uint32_t count;
	struct message_kit_record records[MESSAGE_KIT_RECORDS_MAX];
	uint8_t pool[4 * WIRE_MESSAGE_LEN_MAX];
};

/* message_kit_ask - writes a question. */
void message_kit_ask(struct message_kit *out, const struct message_kit_question *question);

/* message_kit_read_question - of a server: false where it is none. */
bool message_kit_read_question(
	const uint8_t *octets, uint32_t len, struct message_kit_question *out);

/* message_kit_begin - an answer: head and question; records follow, section after section. */
void message_kit_begin(
	struct message_kit *out, const struct message_kit_question *question, uint16_t flags);

void message_kit_put(struct message_kit *out, enum wire_section section, const struct name *owner,
	uint16_t type, uint32_t ttl, const uint8_t *rdata, uint32_t rdata_len);

/* message_kit_end - an OPT record where the question had one; what is longer than the asker takes is cut to head and
 * question with TC, unless over a stream.
 */
void message_kit_end(
	struct message_kit *out, const struct message_kit_question *question, bool stream);

/* message_kit_read - false, and why in *why: something is wrong with the octets. */
bool message_kit_read(
	const uint8_t *octets, uint32_t len, struct message_kit_answer *out, const char **why);

#endif

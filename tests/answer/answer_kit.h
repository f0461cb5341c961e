/* answer_kit.h - zones from text, questions from text, answers as text. */
#ifndef SAKER_TESTS_ANSWER_KIT_H
#define SAKER_TESTS_ANSWER_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/request.h"

#define ANSWER_KIT_TEXT_MAX (1u << 20)

struct answer_kit;

/* answer_kit_new - serves count zones, given as name, text, name, text, ...; a NULL text: not loaded. Fails the
 * test where a text is refused. */
struct answer_kit *answer_kit_new(const char *const *zones, uint32_t count);
void answer_kit_free(struct answer_kit *kit);

/* answer_kit_ask - asks `NAME TYPE [+do] [+tcp] [+edns=N]`; the answer as lines, valid until the next call:
 *
 *     NOERROR aa
 *     an www.example. 300 A 192.0.2.1
 *     ns ...
 *     ar ...
 *     opt 1232 do
 *
 * `DROPPED` where there is none. Fails the test where fast and full path differ in an octet, or where the answer
 * cannot be read, or is longer than it may be.
 */
const char *answer_kit_ask(struct answer_kit *kit, const char *question);

/* A question and the answer that it must get. */
struct ask {
	const char *question;
	const char *answer;
};

/* answer_kit_check - asks each and compares. */
void answer_kit_check(struct answer_kit *kit, const struct ask *asks, size_t count);

/* answer_kit_send - the raw answer to raw octets by both paths, which must agree; its length, 0 for none. */
uint32_t answer_kit_send(struct answer_kit *kit, const uint8_t *query, uint32_t len,
	enum request_transport transport, uint8_t *out, uint32_t cap);

/* answer_kit_read - an answer in the form above. */
const char *answer_kit_read(struct answer_kit *kit, const uint8_t *octets, uint32_t len);

/* answer_kit_query - the octets of a question in text; its length. */
uint32_t answer_kit_query(
	const char *question, uint8_t *out, enum request_transport *transport_out);

#endif

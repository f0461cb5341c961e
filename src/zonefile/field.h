/* field.h - one field of RDATA in text to wire form, and the state that all of them share.
 *
 * rdata_read.c picks the function by field letter; special.c and svcb_read.c have those with a grammar
 * of their own. Each reads its tokens, appends to octets[0..len), and returns true; or says what is
 * wrong with field_fail() and returns false.
 *
 * invariant  len <= RDATA_LEN_MAX whenever a field begins; FIELD_SLACK octets of room stand behind, so
 *            that numbers, addresses, names and strings are written first and counted afterwards
 * thread     the owner's
 */
#ifndef SAKER_ZONEFILE_FIELD_H
#define SAKER_ZONEFILE_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "wire/name.h"
#include "wire/rdata.h"
#include "zonefile/scanner.h"

#define FIELD_SLACK      512u /* octets: a name, or a string and its length octet, and to spare */
#define FIELD_WHY_MAX    256u /* octets of a complaint with its zero */
#define FIELD_SHOWN_MAX  40u  /* octets of a word that a complaint repeats */
#define FIELD_PARAMS_MAX (RDATA_LEN_MAX / 4u + 1u) /* SVCB parameters: four octets each */
#define FIELD_TYPES_LEN  8192u                     /* octets of a bitmap of all types */
#define FIELD_WINDOWS    256u                      /* of 32 octets each, RFC 4034 sec 4.1.2 */

struct field_reader {
	struct scanner *scanner;   /* borrows: the text */
	const struct name *origin; /* borrows: what relative names are relative to */
	struct token token;        /* the last one read, where a complaint points */
	uint32_t len;              /* octets of RDATA so far */
	bool ended;                /* the entry's end was read, though token is another */
	char why[FIELD_WHY_MAX];   /* the complaint */
	uint8_t octets[RDATA_LEN_MAX + FIELD_SLACK];
	/* Room for one field at a time. */
	uint8_t scratch[RDATA_LEN_MAX + FIELD_SLACK];
	uint8_t params[RDATA_LEN_MAX + FIELD_SLACK];
	uint32_t param_order[FIELD_PARAMS_MAX];
	uint8_t types[FIELD_TYPES_LEN]; /* all zero between fields */
};

/* field_fail - writes the complaint; returns false. */
bool field_fail(struct field_reader *reader, const char *format, ...) PRINTF(2, 3) COLD;

/* field_fail_token - the same with the word that was met: `'word' is not WHAT`. */
bool field_fail_token(struct field_reader *reader, const char *what) COLD;

/* field_fail_end - the complaint where no token came: the entry ends, or the text is bad. Returns false. */
bool field_fail_end(struct field_reader *reader, const char *what) COLD;

/* field_next - the next token, or false: the entry ends, or the text is bad. what: the thing expected. */
MUST_USE static inline bool field_next(struct field_reader *reader, const char *what)
{
	enum token_kind kind = scanner_next(reader->scanner, &reader->token);

	return LIKELY(kind == TOKEN_WORD || kind == TOKEN_QUOTED) || field_fail_end(reader, what);
}

/* field_peek_end - reads the next token if there is one; *end_out tells that the entry ends here.
 *
 * errors  false: the text is bad
 */
MUST_USE static inline bool field_peek_end(struct field_reader *reader, bool *end_out)
{
	enum token_kind kind = scanner_next(reader->scanner, &reader->token);

	*end_out = kind == TOKEN_END;
	return LIKELY(kind != TOKEN_BAD) || field_fail_end(reader, "");
}

/* field_put - appends octets. errors: false: the RDATA would be too long */
MUST_USE bool field_put(struct field_reader *reader, const uint8_t *octets, uint32_t len);

/* field_put_number - appends the low `octets` octets of value in network order. */
void field_put_number(struct field_reader *reader, uint64_t value, uint32_t octets);

/* field_decimal - decimal digits and nothing else, at most value_max. */
MUST_USE bool field_decimal(
	const uint8_t *text, uint32_t len, uint64_t value_max, uint64_t *value_out);

/* field_unescape - undoes \X and \DDD of the token into out[cap].
 *
 * errors  false: a bad escape, or more than cap octets
 */
MUST_USE bool field_unescape(
	struct field_reader *reader, uint8_t *out, uint32_t cap, uint32_t *out_len);

/* Each reads one field. */
MUST_USE bool field_name(struct field_reader *reader);
MUST_USE bool field_number(struct field_reader *reader, uint32_t octets);
MUST_USE bool field_duration(struct field_reader *reader);
MUST_USE bool field_time(struct field_reader *reader);
MUST_USE bool field_type(struct field_reader *reader);
MUST_USE bool field_algorithm(struct field_reader *reader);
MUST_USE bool field_certificate(struct field_reader *reader);
MUST_USE bool field_scheme(struct field_reader *reader);
MUST_USE bool field_v4(struct field_reader *reader);
MUST_USE bool field_v6(struct field_reader *reader);
MUST_USE bool field_string(struct field_reader *reader);
MUST_USE bool field_tag(struct field_reader *reader);
MUST_USE bool field_long_string(struct field_reader *reader);
MUST_USE bool field_salt(struct field_reader *reader);
MUST_USE bool field_hash(struct field_reader *reader);
MUST_USE bool field_eui(struct field_reader *reader, uint32_t octets);
MUST_USE bool field_locator(struct field_reader *reader);

/* Each reads to the end of the entry. */
MUST_USE bool field_strings(struct field_reader *reader);
MUST_USE bool field_optional_string(struct field_reader *reader);
MUST_USE bool field_hex(struct field_reader *reader);
MUST_USE bool field_base64(struct field_reader *reader, bool may_be_empty);
MUST_USE bool field_base64_or_dash(struct field_reader *reader);
MUST_USE bool field_types(struct field_reader *reader);

#endif

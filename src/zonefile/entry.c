/* entry.c - one entry: its owner, TTL, class and type; the RDATA is rdata_read.c's. */
#include "zonefile/entry.h"

#include <string.h>

#include "base/octets.h"
#include "wire/rrtype.h"
#include "zonefile/directive.h"
#include "zonefile/duration.h"
#include "zonefile/parser_priv.h"
#include "zonefile/rdata_read.h"

#define SOA_MINIMUM_LEN 4u /* the last field of a SOA record */

/* What stands before the RDATA. */
struct head {
	uint32_t line;
	uint32_t column;
	uint32_t ttl;
	bool has_ttl;
	bool has_class;
	uint16_t type;
	const char *fields;
};

/* The owner at the scanner, which does not stand at a blank. */
static bool read_owner(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;
	const uint8_t *text = scanner->at;
	uint32_t len = parser->owner_text_len;

	/* The very text of the record before: zones are full of it. */
	if (len > 0 && (size_t)(scanner->end - text) > len &&
		memcmp(text, parser->owner_text, len) == 0 && scan_is(text[len], SCAN_STOP)) {
		scanner->at = text + len;
		return true;
	}
	struct scan_name found;
	const uint8_t *end = scan_name(text, parser->owner.octets, NAME_LEN_MAX, &found);
	parser->owner_is_new = true;
	parser->has_owner = true;
	if (LIKELY(end != NULL && found.absolute && found.len < NAME_LEN_MAX)) {
		parser->owner.octets[found.len] = 0;
		parser->owner.len = (uint8_t)(found.len + 1);
		parser->owner.label_count = (uint8_t)found.label_count;
	} else if (end != NULL && !found.absolute &&
		   parser->origin.len <= NAME_LEN_MAX - found.len) {
		memcpy(parser->owner.octets + found.len, parser->origin.octets, parser->origin.len);
		parser->owner.len = (uint8_t)(found.len + parser->origin.len);
		parser->owner.label_count =
			(uint8_t)(found.label_count + parser->origin.label_count);
	} else {
		parser->owner_text_len = 0;
		parser->field.len = 0;
		parser->has_owner = field_name(&parser->field);
		if (!parser->has_owner) {
			return parser_give_up(parser);
		}
		parser_set_name(&parser->owner, parser->field.octets, parser->field.len);
		return true;
	}
	parser->owner_text = text;
	parser->owner_text_len = (uint32_t)(end - text);
	scanner->at = end;
	return true;
}

/* Is the word a class? CLASSnnn is RFC 3597 sec 5. */
static bool is_class(const struct token *token, uint64_t *out)
{
	static const struct {
		const char *word;
		uint16_t class;
	} classes[] = {{"IN", CLASS_IN}, {"CH", CLASS_CH}, {"HS", CLASS_HS}, {"CS", 2},
		{"CHAOS", CLASS_CH}, {"HESIOD", CLASS_HS}};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (parser_word_is(token, classes[i].word)) {
			*out = classes[i].class;
			return true;
		}
	}
	struct token prefix = *token;
	prefix.len = 5;
	return token->len > 5 && parser_word_is(&prefix, "CLASS") &&
	       field_decimal(token->text + 5, token->len - 5, UINT16_MAX, out);
}

/* One word before the type: TTL or class. */
static bool read_modifier(struct parser *parser, struct head *head, uint64_t class)
{
	const struct token *token = &parser->field.token;

	if (token->text[0] - 0u - '0' < 10u) {
		if (head->has_ttl || !duration_from_text(token->text, token->len, &head->ttl)) {
			return field_fail_token(&parser->field,
				head->has_ttl ? "a class or type (a TTL stands before it)"
					      : "a TTL (expected seconds, or units as in 1h30m)");
		}
		head->has_ttl = true;
		return true;
	}
	if (head->has_class) {
		return field_fail_token(&parser->field, "a type (a class stands before it)");
	}
	if (class != CLASS_IN) {
		return field_fail_token(&parser->field, "a class of this zone (expected IN)");
	}
	head->has_class = true;
	return true;
}

static bool check_type(struct parser *parser, struct head *head)
{
	const struct token *token = &parser->field.token;
	const struct rrtype_info *info;

	if (!rrtype_from_text((const char *)token->text, token->len, &head->type)) {
		return field_fail_token(&parser->field, "a TTL, a class or an RR type");
	}
	if (rrtype_is_meta(head->type)) {
		return field_fail_token(&parser->field, "a type that a zone can hold");
	}
	info = rrtype_info(head->type);
	head->fields = info != NULL ? info->fields : NULL;
	return true;
}

/* The octets of a short word as a number; the text is padded, so eight can always be loaded. */
static uint64_t word_of(const struct token *token)
{
	uint64_t word;

	memcpy(&word, token->text, sizeof(word));
	return token->len >= PARSER_WORD_MAX ? word : word & ((1ull << (8 * token->len)) - 1);
}

/* The factor keeps the types that zones are made of apart, in either case (found by trying). */
static struct parser_memo *memo_of(struct parser *parser, uint64_t word)
{
	return &parser->memos[(word * 0x66cf9529c2ffd6f5ull) >> (64 - PARSER_MEMO_BITS)];
}

/* A class or type that no memo knows; *is_type_out tells which. */
COLD static bool read_new_word(struct parser *parser, struct head *head, bool *is_type_out)
{
	const struct token *token = &parser->field.token;
	uint64_t word = word_of(token);
	struct parser_memo memo = {.word = word};
	uint64_t class;

	*is_type_out = !is_class(token, &class);
	if (*is_type_out) {
		if (!check_type(parser, head)) {
			return false;
		}
		memo.type = head->type;
		memo.fields = head->fields;
	} else if (!read_modifier(parser, head, class)) {
		return false;
	}
	if (token->len <= PARSER_WORD_MAX) {
		*memo_of(parser, word) = memo;
	}
	return true;
}

/* [TTL] [class] type, or class and TTL the other way round (RFC 1035 sec 5.1). */
HOT static bool read_head(struct parser *parser, struct head *head)
{
	const struct token *token = &parser->field.token;
	bool is_type = false;

	while (!is_type) {
		if (!field_next(&parser->field, "a TTL, a class or an RR type")) {
			return parser_give_up(parser);
		}
		if (UNLIKELY(token->kind == TOKEN_QUOTED)) {
			field_fail_token(&parser->field, "a TTL, a class or an RR type");
			return parser_give_up(parser);
		}
		uint64_t word = word_of(token);
		const struct parser_memo *memo = memo_of(parser, word);
		bool good = true;
		if (word == parser->ttl_word && token->len <= PARSER_WORD_MAX && !head->has_ttl) {
			head->ttl = parser->ttl_of_word;
			head->has_ttl = true;
		} else if (token->text[0] - 0u - '0' < 10u) { /* no class, no type begins so */
			good = read_modifier(parser, head, CLASS_IN);
			parser->ttl_word = token->len <= PARSER_WORD_MAX && good ? word : 0;
			parser->ttl_of_word = head->ttl;
		} else if (UNLIKELY(memo->word != word || token->len > PARSER_WORD_MAX)) {
			good = read_new_word(parser, head, &is_type);
		} else if (memo->type == 0) {
			good = read_modifier(parser, head, CLASS_IN);
		} else {
			head->type = memo->type;
			head->fields = memo->fields;
			is_type = true;
		}
		if (UNLIKELY(!good)) {
			return parser_give_up(parser);
		}
	}
	return true;
}

/* The TTL of a record that says none; false where there is nothing to take. */
COLD static bool find_ttl(struct parser *parser, struct head *head)
{
	if (parser->has_ttl_default) {
		head->ttl = parser->ttl_default;
	} else if (parser->has_ttl_last) {
		head->ttl = parser->ttl_last;
	} else if (head->type == RRTYPE_SOA) {
		head->ttl =
			octets_get_u32(parser->field.octets + parser->field.len - SOA_MINIMUM_LEN);
		parser_warn(parser, head->line, head->column,
			"no TTL, so it is the minimum of the SOA record, %u", head->ttl);
		head->ttl = head->ttl > WIRE_TTL_MAX ? 0 : head->ttl;
		parser->ttl_default = head->ttl;
		parser->has_ttl_default = true;
	} else {
		parser_complain(parser, head->line, head->column,
			"a record without a TTL (expected one here, on a record before, or $TTL)");
		return false;
	}
	return true;
}

/* A record from its TTL on; the owner is known. */
HOT static void read_record(struct parser *parser, struct head *head)
{
	struct field_reader *field = &parser->field;

	if (!read_head(parser, head)) {
		return;
	}
	if (UNLIKELY(!rdata_read(field, head->type, head->fields))) {
		parser_give_up(parser);
		return;
	}
	if (head->has_ttl) {
		if (UNLIKELY(head->ttl > WIRE_TTL_MAX)) {
			parser_clamp_ttl(parser, &head->ttl, head->line, head->column);
		}
		parser->ttl_last = head->ttl;
		parser->has_ttl_last = true;
	} else if (LIKELY(parser->has_ttl_default)) {
		head->ttl = parser->ttl_default;
	} else if (!find_ttl(parser, head)) {
		return;
	}
	const struct zonefile_record record = {
		.owner = &parser->owner,
		.rdata = field->octets,
		.ttl = head->ttl,
		.type = head->type,
		.rdata_len = (uint16_t)field->len,
		.owner_is_same = !parser->owner_is_new,
		.file = parser_top(parser)->path,
		.line = head->line,
		.column = head->column,
	};
	parser->owner_is_new = false;
	parser->status = parser->sink->record(parser->sink->context, &record);
}

/* A line that begins with a blank, or with what is no word: nothing, or a record of the last owner. */
static void read_blank_entry(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;
	bool is_blank = scan_is(*scanner->at, SCAN_BLANK);
	struct scanner before = *scanner;
	bool end;

	if (!field_peek_end(&parser->field, &end)) {
		parser_give_up(parser);
		return;
	}
	if (end) {
		return;
	}
	struct head head = {.line = parser->field.token.line, .column = parser->field.token.column};
	if (!is_blank) { /* `( owner ...`: the owner is what the parenthesis holds first */
		if (parser->field.token.kind == TOKEN_QUOTED) {
			field_fail(&parser->field, "an owner in quotes (expected one without)");
			parser_give_up(parser);
			return;
		}
		scanner->at = parser->field.token.text;
		if (read_owner(parser)) {
			read_record(parser, &head);
		}
		return;
	}
	if (!parser->has_owner) {
		field_fail(&parser->field, "no owner, and there is no good one before to take");
		parser_give_up(parser);
		return;
	}
	scanner_return(scanner, &before);
	read_record(parser, &head);
}

HOT void entry_read(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;

	parser->field.ended = false;
	if (UNLIKELY(*scanner->at == '$')) {
		directive_read(parser);
		return;
	}
	if (!scan_is(*scanner->at, SCAN_WORD) && *scanner->at != '\\') {
		read_blank_entry(parser);
		return;
	}
	struct head head = {.line = scanner->line, .column = scanner_column(scanner, scanner->at)};
	if (LIKELY(read_owner(parser))) {
		read_record(parser, &head);
	}
}

/* test_scanner.c - tokens against a slow model, and plain names against the slow reader. */
#include "zonefile/scanner.h"

#include <string.h>

#include "kit/kit.h"
#include "wire/name.h"

#define TEXT_MAX 200u

/* The text with its padding, which ends at an unreadable page. */
static const uint8_t *padded(const char *text, size_t len)
{
	uint8_t copy[TEXT_MAX + SCAN_PADDING] = {0};

	memcpy(copy, text, len);
	return kit_guarded(copy, len + SCAN_PADDING);
}

/* What the model says of the next octets: octet by octet, with a state, and no table. */
struct model {
	const char *at;
	const char *end;
	uint32_t depth;
};

static enum token_kind model_next(struct model *model, const char **text, size_t *len)
{
	while (model->at < model->end) {
		char c = *model->at;
		if (c == ';') {
			while (model->at < model->end && *model->at != '\n') {
				model->at++;
			}
		} else if (c == ' ' || c == '\t') {
			model->at++;
		} else if (c == '(') {
			model->depth++;
			model->at++;
		} else if (c == ')') {
			model->at++;
			if (model->depth-- == 0) {
				model->depth = 0;
				return TOKEN_BAD;
			}
		} else if (c == '\n') {
			model->at++;
			if (model->depth == 0) {
				return TOKEN_END;
			}
		} else if (c == '"') {
			*text = ++model->at;
			while (model->at < model->end && *model->at != '"') {
				model->at += *model->at == '\\' ? 2 : 1;
			}
			if (model->at >= model->end) {
				model->at = model->end;
				return TOKEN_BAD;
			}
			*len = (size_t)(model->at++ - *text);
			return TOKEN_QUOTED;
		} else {
			*text = model->at;
			while (model->at < model->end && strchr(" \t\n;()\"", *model->at) == NULL) {
				if (*model->at == '\\') {
					model->at++;
					if (model->at == model->end || *model->at == '\n') {
						return TOKEN_BAD;
					}
				}
				model->at++;
			}
			*len = (size_t)(model->at - *text);
			return TOKEN_WORD;
		}
	}
	if (model->depth > 0) {
		model->depth = 0;
		return TOKEN_BAD;
	}
	return TOKEN_END;
}

TEST(tokens_agree_with_the_model)
{
	static const char octets[] = "ab.1 \t\n;()\"\\@$";
	uint32_t seen[4] = {0};

	for (uint32_t round = 0; round < 200000; round++) {
		char text[TEXT_MAX];
		size_t len = kit_random(40);

		for (size_t i = 0; i < len; i++) {
			text[i] = octets[kit_random(sizeof(octets) - 1)];
		}
		struct model model = {text, text + len, 0};
		struct scanner scanner;
		const uint8_t *start = padded(text, len);
		scanner_init(&scanner, start, len);
		for (;;) {
			const char *want_text = NULL;
			size_t want_len = 0;
			struct token token;
			enum token_kind want = model_next(&model, &want_text, &want_len);

			CHECK_U(scanner_next(&scanner, &token), want);
			CHECK_U(token.kind, want);
			CHECK_U(scanner.at - start, model.at - text);
			seen[want]++;
			if (want == TOKEN_WORD || want == TOKEN_QUOTED) {
				CHECK_U(token.text - start, want_text - text);
				CHECK_U(token.len, want_len);
				CHECK_U(token.escaped, memchr(want_text, '\\', want_len) != NULL);
			}
			if (want == TOKEN_END && model.at == model.end) {
				break;
			}
		}
		CHECK(scanner.at == scanner.end);
		uint32_t lines = 1;
		for (size_t i = 0; i < len; i++) {
			lines += text[i] == '\n';
		}
		CHECK(scanner.line <= lines);
	}
	CHECK(seen[TOKEN_WORD] > 100000 && seen[TOKEN_QUOTED] > 10000);
	CHECK(seen[TOKEN_END] > 100000 && seen[TOKEN_BAD] > 100000);
}

TEST(plain_names_agree_with_the_slow_reader)
{
	static const struct name root = {.len = 1, .octets = {0}};
	uint32_t fast = 0;

	for (uint32_t round = 0; round < 200000; round++) {
		char text[TEXT_MAX + 100];
		uint32_t len = 0;
		uint32_t labels = kit_random(kit_random(8) == 0 ? 90 : 5);

		while (labels-- > 0 && len < TEXT_MAX - 80) {
			for (uint32_t i = kit_random(kit_random(8) == 0 ? 66 : 6); i > 0; i--) {
				text[len++] = kit_random(200) == 0 ? "\\@\"."[kit_random(4)] : 'x';
			}
			text[len++] = '.';
		}
		len -= len > 0 && kit_random(2) == 0;
		struct name want;
		enum wire_status status = name_from_text(text, len, &root, &want);
		uint8_t out[NAME_LEN_MAX];
		struct scan_name found;
		const uint8_t *start = padded(text, len);
		const uint8_t *end = scan_name(start, out, NAME_LEN_MAX, &found);

		/* It may leave any name to the slow reader, but what it takes must be right. */
		if (end != NULL && found.len < NAME_LEN_MAX) {
			CHECK_U(end - start, len);
			CHECK_U(status, WIRE_OK);
			CHECK_U(found.label_count, want.label_count);
			CHECK_OCTETS(out, found.len, want.octets, want.len - 1);
			CHECK_U(found.absolute, text[len - 1] == '.');
			fast++;
		}
	}
	CHECK(fast > 50000);
}

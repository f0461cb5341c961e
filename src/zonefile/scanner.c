/* scanner.c - the tokens that are not plain words. */
#include "zonefile/scanner.h"

#include <string.h>

#include "os/textwindow.h"

static const char open_quote[] = "the string that opens here has no closing quote";
static const char open_paren[] = "the parenthesis that opens here is not closed";

void scanner_init(struct scanner *scanner, const uint8_t *text, size_t len)
{
	static const uint8_t mark[] = {0xef, 0xbb, 0xbf};

	*scanner = (struct scanner){.at = text, .end = text + len, .line_at = text, .line = 1};
	if (len >= sizeof(mark) && memcmp(text, mark, sizeof(mark)) == 0) {
		scanner->at += sizeof(mark);
		scanner->line_at = scanner->at;
	}
}

void scanner_init_window(struct scanner *scanner, struct textwindow *window)
{
	scanner_init(scanner, window->octets, (size_t)(window->end - window->octets));
	scanner->window = window;
}

bool scanner_slide(struct scanner *scanner)
{
	ASSERT(scanner->at == scanner->end);
	if (scanner->window == NULL || !textwindow_slide(scanner->window)) {
		return false;
	}
	/* An entry has ended here, so a line has, too. */
	scanner->at = scanner->line_at = scanner->window->octets;
	scanner->end = scanner->window->end;
	return true;
}

/* More text behind the end. Where none can be read the entry ends, and the window knows why. */
static bool grow(struct scanner *scanner)
{
	if (scanner->window == NULL || !textwindow_grow(scanner->window)) {
		return false;
	}
	scanner->end = scanner->window->end;
	return true;
}

static void start_token(const struct scanner *scanner, struct token *out, enum token_kind kind)
{
	*out = (struct token){
		.text = scanner->at,
		.line = scanner->line,
		.column = scanner_column(scanner, scanner->at),
		.kind = (uint8_t)kind,
	};
}

static enum token_kind bad(struct scanner *scanner, struct token *out, const char *why)
{
	scanner->why = why;
	out->kind = TOKEN_BAD;
	return TOKEN_BAD;
}

/* Over the line feed at scanner->at. */
static void pass_line_end(struct scanner *scanner)
{
	scanner->at++;
	scanner->line++;
	scanner->line_at = scanner->at;
}

static enum token_kind read_quoted(struct scanner *scanner, struct token *out)
{
	start_token(scanner, out, TOKEN_QUOTED);
	scanner->at++;
	out->text = scanner->at;
	for (;;) {
		scanner->at = scan_skip(scanner->at, SCAN_QUOTED);
		if (*scanner->at == '"') {
			break;
		}
		if (*scanner->at == '\\' && scanner->at + 1 < scanner->end) {
			out->escaped = true;
			scanner->at++;
		}
		if (scanner->at == scanner->end || scanner->at + 1 == scanner->end) {
			if (grow(scanner)) {
				continue;
			}
			scanner->at = scanner->end;
			return bad(scanner, out, open_quote);
		}
		if (*scanner->at ==
			'\n') { /* RFC 1035 sec 5.1: a text literal may hold line ends */
			pass_line_end(scanner);
		} else {
			scanner->at++;
		}
	}
	size_t len = (size_t)(scanner->at - out->text);
	scanner->at++;
	if (len > SCANNER_TOKEN_MAX) {
		return bad(scanner, out, "this is longer than any field");
	}
	out->len = (uint32_t)len;
	return TOKEN_QUOTED;
}

/* A word with escapes, an over-long word, or one that a quote ends. */
static enum token_kind read_word(struct scanner *scanner, struct token *out)
{
	start_token(scanner, out, TOKEN_WORD);
	for (;;) {
		scanner->at = scan_skip(scanner->at, SCAN_WORD);
		if (*scanner->at != '\\') {
			break;
		}
		uint8_t next = scanner->at[1]; /* zero where the text ends */
		if (scanner->at + 1 >= scanner->end || next == '\n' || next == '\r') {
			scanner->at++;
			return bad(scanner, out, "a backslash ends the line");
		}
		out->escaped = true;
		scanner->at += 2;
	}
	size_t len = (size_t)(scanner->at - out->text);
	if (len > SCANNER_TOKEN_MAX) {
		return bad(scanner, out, "this is longer than any field");
	}
	out->len = (uint32_t)len;
	return TOKEN_WORD;
}

static enum token_kind read_end(struct scanner *scanner, struct token *out)
{
	start_token(scanner, out, TOKEN_END);
	if (scanner->paren_depth == 0) {
		return TOKEN_END;
	}
	out->line = scanner->paren_line;
	out->column = scanner->paren_column;
	scanner->paren_depth = 0;
	return bad(scanner, out, open_paren);
}

/* One parenthesis; false where it is one too many, which is a TOKEN_BAD then. */
static bool pass_paren(struct scanner *scanner, struct token *out)
{
	start_token(scanner, out, TOKEN_BAD);
	if (*scanner->at++ == ')') {
		if (scanner->paren_depth == 0) {
			bad(scanner, out, "a closing parenthesis, and none is open");
			return false;
		}
		scanner->paren_depth--;
		return true;
	}
	if (scanner->paren_depth == SCANNER_PARENS_MAX) {
		bad(scanner, out, "too many parentheses inside each other");
		return false;
	}
	if (scanner->paren_depth++ == 0) {
		scanner->paren_line = out->line;
		scanner->paren_column = out->column;
	}
	return true;
}

enum token_kind scanner_next_slow(struct scanner *scanner, struct token *out)
{
	for (;;) {
		scanner->at = scan_skip(scanner->at, SCAN_BLANK);
		switch (*scanner->at) {
		case ';':
			scanner->at = scan_skip(scanner->at, SCAN_LINE);
			while (*scanner->at == '\0' && scanner->at < scanner->end) {
				scanner->at = scan_skip(scanner->at + 1, SCAN_LINE);
			}
			break;
		case '(':
		case ')':
			if (!pass_paren(scanner, out)) {
				return TOKEN_BAD;
			}
			break;
		case '"':
			return read_quoted(scanner, out);
		case '\r':
			if (scanner->at[1] != '\n') {
				start_token(scanner, out, TOKEN_BAD);
				scanner->at++;
				return bad(scanner, out, "a carriage return without a line feed");
			}
			scanner->at++;
			break;
		case '\n':
			start_token(scanner, out, TOKEN_END);
			pass_line_end(scanner);
			if (scanner->paren_depth == 0) {
				return TOKEN_END;
			}
			break;
		case '\0':
			if (scanner->at == scanner->end) {
				if (scanner->paren_depth != 0 && grow(scanner)) {
					break;
				}
				return read_end(scanner, out);
			}
			start_token(scanner, out, TOKEN_BAD);
			scanner->at++;
			return bad(scanner, out, "a zero octet");
		default:
			return read_word(scanner, out);
		}
	}
}

bool scanner_skip_entry(struct scanner *scanner, struct token *open_out)
{
	struct token token;

	for (;;) {
		switch (scanner_next(scanner, &token)) {
		case TOKEN_END:
			return true;
		case TOKEN_BAD:
			if (scanner->why == open_quote || scanner->why == open_paren) {
				scanner->paren_depth = 0; /* one complaint is enough */
				*open_out = token;
				return false;
			}
			break;
		case TOKEN_WORD:
		case TOKEN_QUOTED:
			break;
		}
	}
}

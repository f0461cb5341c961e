/* generate.c - ranges and templates of $GENERATE. */
#include "zonefile/generate.h"

#include <stddef.h>

#define NUMBER_DIGITS_MAX 11u /* of a 32-bit number in octal */

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
};

static bool is_digit(uint8_t octet)
{
	return octet - 0u - '0' < 10u;
}

/* Decimal digits up to GENERATE_NUMBER_MAX. */
static bool read_number(struct cursor *cursor, uint32_t *out)
{
	uint64_t value = 0;
	const uint8_t *start = cursor->at;

	while (cursor->at < cursor->end && is_digit(*cursor->at)) {
		value = value * 10 + (*cursor->at++ - 0u - '0');
		if (value > GENERATE_NUMBER_MAX) {
			return false;
		}
	}
	*out = (uint32_t)value;
	return cursor->at > start;
}

static bool take(struct cursor *cursor, char octet)
{
	if (cursor->at == cursor->end || *cursor->at != (uint8_t)octet) {
		return false;
	}
	cursor->at++;
	return true;
}

const char *generate_range_from_text(const uint8_t *text, uint32_t len, struct generate_range *out)
{
	struct cursor cursor = {text, text + len};

	out->step = 1;
	if (!read_number(&cursor, &out->start) || !take(&cursor, '-') ||
		!read_number(&cursor, &out->stop)) {
		return "a bad range (expected start-stop or start-stop/step, up to 2147483647)";
	}
	if (take(&cursor, '/') && !read_number(&cursor, &out->step)) {
		return "a bad step (expected 1 to 2147483647)";
	}
	if (cursor.at != cursor.end) {
		return "a bad range (expected start-stop or start-stop/step)";
	}
	if (out->step == 0) {
		return "a range with step 0 (expected 1 or more)";
	}
	if (out->start > out->stop) {
		return "a range that starts above its stop";
	}
	return NULL;
}

/* What stands in the braces; without them all is zero and the base is decimal. */
struct modifier {
	int64_t offset;
	uint32_t width;
	uint8_t base;
};

static const char *read_modifier(struct cursor *cursor, struct modifier *out)
{
	uint32_t number = 0;
	bool negative = take(cursor, '-');

	if (!negative) {
		take(cursor, '+');
	}
	if (!read_number(cursor, &number)) {
		return "a bad offset (expected ${offset[,width[,base]]}, offset up to 2147483647)";
	}
	out->offset = negative ? -(int64_t)number : (int64_t)number;
	if (take(cursor, ',')) {
		if (!read_number(cursor, &out->width) || out->width > GENERATE_WIDTH_MAX) {
			return "a bad width (expected ${offset,width}, width 0 to 255)";
		}
	}
	if (take(cursor, ',')) {
		if (cursor->at == cursor->end) {
			return "a base is missing (expected d, o, x, X, n or N)";
		}
		out->base = *cursor->at++;
	}
	if (!take(cursor, '}')) {
		return "a brace that is not closed (expected ${offset[,width[,base]]})";
	}
	return NULL;
}

/* The line under way. Octets beyond the room are counted and not written. */
struct output {
	uint8_t *octets;
	uint32_t len;
};

static void put(struct output *output, uint8_t octet)
{
	if (output->len < GENERATE_LINE_MAX) {
		output->octets[output->len] = octet;
	}
	output->len++;
}

/* Digits least significant first, each a label; width counts the dots, too. */
static void put_nibbles(struct output *output, uint32_t value, uint32_t width, const char *digits)
{
	for (;;) {
		put(output, (uint8_t)digits[value & 15]);
		value >>= 4;
		width -= width > 0 ? 1 : 0;
		if (value == 0 && width == 0) {
			return;
		}
		put(output, '.');
		width -= width > 0 ? 1 : 0;
		if (value == 0 && width == 0) {
			return;
		}
	}
}

static void put_digits(
	struct output *output, uint32_t value, uint32_t width, uint32_t base, const char *digits)
{
	char text[NUMBER_DIGITS_MAX];
	uint32_t count = 0;

	do {
		text[count++] = digits[value % base];
		value /= base;
	} while (value != 0);
	for (uint32_t i = count; i < width; i++) {
		put(output, '0');
	}
	while (count > 0) {
		put(output, (uint8_t)text[--count]);
	}
}

static const char *put_number(
	struct output *output, uint32_t number, const struct modifier *modifier)
{
	static const char lower[] = "0123456789abcdef";
	static const char upper[] = "0123456789ABCDEF";
	int64_t value = (int64_t)number + modifier->offset;

	if (value < 0 || value > GENERATE_NUMBER_MAX) {
		return "the number with its offset is not from 0 to 2147483647";
	}
	switch (modifier->base) {
	case 'd':
		put_digits(output, (uint32_t)value, modifier->width, 10, lower);
		return NULL;
	case 'o':
		put_digits(output, (uint32_t)value, modifier->width, 8, lower);
		return NULL;
	case 'x':
		put_digits(output, (uint32_t)value, modifier->width, 16, lower);
		return NULL;
	case 'X':
		put_digits(output, (uint32_t)value, modifier->width, 16, upper);
		return NULL;
	case 'n':
		put_nibbles(output, (uint32_t)value, modifier->width, lower);
		return NULL;
	case 'N':
		put_nibbles(output, (uint32_t)value, modifier->width, upper);
		return NULL;
	default:
		return "a bad base (expected d, o, x, X, n or N)";
	}
}

const char *generate_line(
	const uint8_t *pattern, uint32_t len, uint32_t number, uint8_t *line, uint32_t *len_out)
{
	struct cursor cursor = {pattern, pattern + len};
	struct output output = {line, 0};

	while (cursor.at < cursor.end && output.len <= GENERATE_LINE_MAX) {
		uint8_t octet = *cursor.at++;
		if (octet == '\\' && cursor.at < cursor.end) {
			/* The reader of the line takes a bare $ for data wherever it stands, but at
			 * its start, so the backslash goes along.
			 */
			put(&output, octet);
			put(&output, *cursor.at++);
			continue;
		}
		if (octet != '$') {
			put(&output, octet);
			continue;
		}
		if (take(&cursor, '$')) {
			put(&output, '\\');
			put(&output, '$');
			continue;
		}
		struct modifier modifier = {.base = 'd'};
		const char *why = NULL;
		if (take(&cursor, '{')) {
			why = read_modifier(&cursor, &modifier);
		}
		if (why == NULL) {
			why = put_number(&output, number, &modifier);
		}
		if (why != NULL) {
			return why;
		}
	}
	if (output.len > GENERATE_LINE_MAX) {
		return "the generated line is too long (expected at most 4096 octets)";
	}
	*len_out = output.len;
	return NULL;
}

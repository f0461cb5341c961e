/* logtime.c - dates of logs. */
#include "capture/logtime.h"

#include <string.h>

#include "base/now.h"

#define MONTHS          12u
#define YEAR_OF_SYSLOG  1972u /* a leap year */
#define FRACTION_DIGITS 9u    /* of a second, that are kept */

struct cursor {
	const char *at;
	const char *end;
};

struct date {
	uint32_t year, month, day;
	uint32_t hour, minute, second;
	uint32_t ns;
};

static bool read_digits(struct cursor *cursor, uint32_t count, uint32_t *out)
{
	uint32_t value = 0;

	if (cursor->end - cursor->at < (ptrdiff_t)count) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t digit = (uint32_t)(unsigned char)cursor->at[i] - '0';
		if (digit > 9) {
			return false;
		}
		value = value * 10 + digit;
	}
	cursor->at += count;
	*out = value;
	return true;
}

static bool read_char(struct cursor *cursor, char c)
{
	if (cursor->at == cursor->end || *cursor->at != c) {
		return false;
	}
	cursor->at++;
	return true;
}

static bool read_month(struct cursor *cursor, uint32_t *out)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (cursor->end - cursor->at < 3) {
		return false;
	}
	for (uint32_t i = 0; i < MONTHS; i++) {
		if (memcmp(cursor->at, names + (size_t)3 * i, 3) == 0) {
			cursor->at += 3;
			*out = i + 1;
			return true;
		}
	}
	return false;
}

static bool read_clock(struct cursor *cursor, struct date *out)
{
	if (!read_digits(cursor, 2, &out->hour) || !read_char(cursor, ':') ||
		!read_digits(cursor, 2, &out->minute) || !read_char(cursor, ':') ||
		!read_digits(cursor, 2, &out->second)) {
		return false;
	}
	out->ns = 0;
	if (read_char(cursor, '.')) {
		uint32_t digit;
		uint32_t unit = (uint32_t)NOW_NS_A_SECOND;
		for (uint32_t i = 0; i < FRACTION_DIGITS && read_digits(cursor, 1, &digit); i++) {
			unit /= 10;
			out->ns += digit * unit;
		}
	}
	return true;
}

static bool read_bind(struct cursor cursor, struct date *out)
{
	return read_digits(&cursor, 2, &out->day) && read_char(&cursor, '-') &&
	       read_month(&cursor, &out->month) && read_char(&cursor, '-') &&
	       read_digits(&cursor, 4, &out->year) && read_char(&cursor, ' ') &&
	       read_clock(&cursor, out);
}

static bool read_iso(struct cursor cursor, struct date *out)
{
	return read_digits(&cursor, 4, &out->year) && read_char(&cursor, '-') &&
	       read_digits(&cursor, 2, &out->month) && read_char(&cursor, '-') &&
	       read_digits(&cursor, 2, &out->day) &&
	       (read_char(&cursor, 'T') || read_char(&cursor, ' ')) && read_clock(&cursor, out);
}

static bool read_syslog(struct cursor cursor, struct date *out)
{
	out->year = YEAR_OF_SYSLOG;
	if (!read_month(&cursor, &out->month) || !read_char(&cursor, ' ')) {
		return false;
	}
	uint32_t width = read_char(&cursor, ' ') ? 1 : 2; /* the day is padded */
	return read_digits(&cursor, width, &out->day) && read_char(&cursor, ' ') &&
	       read_clock(&cursor, out);
}

static bool is_leap(uint32_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static uint64_t seconds_of(const struct date *date)
{
	static const uint16_t before[MONTHS] = {
		0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	uint32_t past = date->year - 1;
	uint64_t days = (date->year - 1970) * 365u + (past / 4 - 492) - (past / 100 - 19) +
			(past / 400 - 4) + before[date->month - 1] + date->day - 1;

	days += date->month > 2 && is_leap(date->year) ? 1 : 0;
	return ((days * 24 + date->hour) * 60 + date->minute) * 60 + date->second;
}

bool logtime_read(const char *text, size_t len, uint64_t *out)
{
	struct cursor cursor = {.at = text, .end = text + len};
	struct date date;

	if (!read_bind(cursor, &date) && !read_iso(cursor, &date) && !read_syslog(cursor, &date)) {
		return false;
	}
	/* A second may be a leap second; a day that the month does not have counts into the next one. */
	if (date.year < 1970 || date.year > 2500 || date.month < 1 || date.month > MONTHS ||
		date.day < 1 || date.day > 31 || date.hour > 23 || date.minute > 59 ||
		date.second > 60) {
		return false;
	}
	*out = seconds_of(&date) * NOW_NS_A_SECOND + date.ns;
	return true;
}

/* calendar.c - days and seconds. */
#include "zonefile/calendar.h"

#define DAY_S      86400u
#define YEAR_FIRST 1970u
#define YEAR_LAST  9999u

static bool is_leap(uint32_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static uint32_t month_days(uint32_t year, uint32_t month)
{
	static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return days[month - 1] + (month == 2 && is_leap(year) ? 1u : 0u);
}

/* Days from 1970 to the first of January of the year. */
static uint32_t days_before(uint32_t year)
{
	uint32_t past = year - 1;

	return (year - YEAR_FIRST) * 365 + (past / 4 - 492) - (past / 100 - 19) + (past / 400 - 4);
}

static uint32_t digits(const uint8_t *text, uint32_t count)
{
	uint32_t value = 0;

	for (uint32_t i = 0; i < count; i++) {
		value = value * 10 + (text[i] - 0u - '0');
	}
	return value;
}

bool calendar_from_text(const uint8_t *text, uint32_t len, uint32_t *out)
{
	if (len == 0 || (len > 10 && len != CALENDAR_TEXT_LEN)) {
		return false;
	}
	for (uint32_t i = 0; i < len; i++) {
		if (text[i] - 0u - '0' > 9u) {
			return false;
		}
	}
	if (len != CALENDAR_TEXT_LEN) {
		uint64_t value = (uint64_t)digits(text, len - 1) * 10 + (text[len - 1] - 0u - '0');
		if (value > UINT32_MAX) {
			return false;
		}
		*out = (uint32_t)value;
		return true;
	}
	uint32_t year = digits(text, 4);
	uint32_t month = digits(text + 4, 2);
	uint32_t day = digits(text + 6, 2);
	uint32_t hour = digits(text + 8, 2);
	uint32_t minute = digits(text + 10, 2);
	uint32_t second = digits(text + 12, 2);
	if (year < YEAR_FIRST || year > YEAR_LAST || month < 1 || month > 12 || day < 1 ||
		day > month_days(year, month) || hour > 23 || minute > 59 || second > 59) {
		return false;
	}
	uint64_t days = days_before(year) + day - 1;
	for (uint32_t i = 1; i < month; i++) {
		days += month_days(year, i);
	}
	/* Dates beyond 2106 wrap, as the field's arithmetic does (RFC 4034 sec 3.1.5). */
	*out = (uint32_t)(days * DAY_S + hour * 3600 + minute * 60 + second);
	return true;
}

static void put_digits(char *text, uint32_t value, uint32_t count)
{
	for (uint32_t i = count; i > 0; i--) {
		text[i - 1] = (char)('0' + value % 10);
		value /= 10;
	}
}

void calendar_to_text(uint32_t time, char *text)
{
	uint32_t days = time / DAY_S;
	uint32_t second = time % DAY_S;
	uint32_t year = YEAR_FIRST + days / 366;
	uint32_t month = 1;

	while (days_before(year + 1) <= days) {
		year++;
	}
	days -= days_before(year);
	while (days >= month_days(year, month)) {
		days -= month_days(year, month);
		month++;
	}
	put_digits(text, year, 4);
	put_digits(text + 4, month, 2);
	put_digits(text + 6, days + 1, 2);
	put_digits(text + 8, second / 3600, 2);
	put_digits(text + 10, second / 60 % 60, 2);
	put_digits(text + 12, second % 60, 2);
}

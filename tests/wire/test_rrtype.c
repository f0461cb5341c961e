/* test_rrtype.c - the type table by code and by mnemonic. */
#include "wire/rrtype.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kit/kit.h"

static const struct rrtype_info rows[] = {
#define RRTYPE(code, mnemonic, symbol, fields, rfc) {(code), (mnemonic), (fields)},
#include "wire/rrtype.def"
#undef RRTYPE
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static bool find(const char *text, uint16_t *out)
{
	uint32_t len = (uint32_t)strlen(text);

	return rrtype_from_text((const char *)kit_guarded(text, len), len, out);
}

TEST(every_row_is_found_by_code_and_by_mnemonic_in_any_case)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		char text[RRTYPE_TEXT_MAX];
		uint16_t code;

		KIT_NOTE(rows[i].mnemonic);
		CHECK(rrtype_info(rows[i].code) != NULL);
		CHECK_S(rrtype_info(rows[i].code)->mnemonic, rows[i].mnemonic);
		CHECK_S(rrtype_info(rows[i].code)->fields, rows[i].fields);
		CHECK_S(rrtype_to_text(rows[i].code, text), rows[i].mnemonic);
		for (char *at = text; *at != '\0'; at++) {
			*at = kit_random(2) == 0 ? (char)tolower(*at) : *at;
		}
		CHECK(find(text, &code));
		CHECK_U(code, rows[i].code);
		CHECK(strlen(rows[i].mnemonic) < RRTYPE_TEXT_MAX);
	}
}

TEST(each_code_agrees_with_a_walk_over_the_rows)
{
	for (uint32_t code = 0; code <= 65535; code++) {
		const struct rrtype_info *want = NULL;

		for (size_t i = 0; i < ROW_COUNT; i++) {
			want = rows[i].code == code ? &rows[i] : want;
		}
		const struct rrtype_info *got = rrtype_info((uint16_t)code);
		CHECK((got == NULL) == (want == NULL));
		CHECK(got == NULL || got->code == code);
	}
}

TEST(each_code_survives_its_text)
{
	for (uint32_t code = 0; code <= 65535; code++) {
		char text[RRTYPE_TEXT_MAX];
		char generic[RRTYPE_TEXT_MAX];
		uint16_t again;

		rrtype_to_text((uint16_t)code, text);
		CHECK(rrtype_from_text(text, (uint32_t)strlen(text), &again));
		CHECK_U(again, code);
		snprintf(generic, sizeof(generic), "tYPe%u", code);
		CHECK(find(generic, &again));
		CHECK_U(again, code);
	}
}

TEST(question_types_have_names_but_no_rows)
{
	static const struct {
		const char *text;
		uint16_t code;
	} cases[] = {{"ANY", 255}, {"axfr", 252}, {"IXFR", 251}, {"OPT", 41}, {"TSIG", 250},
		{"TKEY", 249}, {"MAILB", 253}, {"MAILA", 254}, {"NXNAME", 128}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t code;

		KIT_NOTE(cases[i].text);
		CHECK(find(cases[i].text, &code));
		CHECK_U(code, cases[i].code);
		CHECK(rrtype_is_meta(code));
		CHECK(rrtype_info(code) == NULL);
	}
}

TEST(meta_types_are_zero_opt_and_128_to_255)
{
	for (uint32_t code = 0; code <= 65535; code++) {
		bool want = code == 0 || code == 41 || (code >= 128 && code < 256);

		CHECK_U(rrtype_is_meta((uint16_t)code), want);
	}
}

TEST(other_words_are_refused)
{
	static const char *const cases[] = {"", "B", "NSS", "N", "AAAAA", "TYPE", "TYPE-1",
		"TYPE65536", "TYPE100000", "TYPE1x", "TYPE 1", "TXT ", "IN", "300", "NSEC3PARAMS",
		"ALIAS", "TYPE00000000000001", "OPENPGPKEYOPENPG"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t code = 4711;

		KIT_NOTE(cases[i]);
		CHECK(!find(cases[i], &code));
		CHECK_U(code, 4711);
	}
	uint16_t code;
	CHECK(!rrtype_from_text("A\0", 2, &code));
}

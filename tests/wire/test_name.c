/* test_name.c - name_parse(): every status once by hand, then against a slow model.
 *
 * Each input is copied so that its last octet touches an unreadable page: a single octet read
 * too far is a crash here, with or without a sanitizer.
 */
#include "wire/name.h"

#include <string.h>

#include "kit/kit.h"

#define OCTETS_MAX 600u /* more than 256, so that both octets of a pointer matter */

static enum wire_status parse_at(
	const uint8_t *octets, size_t len, uint32_t off, struct name *out, uint32_t *off_after)
{
	struct reader msg = {.octets = kit_guarded(octets, len), .len = (uint32_t)len, .off = off};
	enum wire_status status = name_parse(&msg, out);

	*off_after = msg.off;
	return status;
}

TEST(each_status_has_a_message)
{
	const struct {
		const char *why;
		const uint8_t *octets;
		size_t len;
		uint32_t off;
		uint32_t off_after;
		enum wire_status status;
		uint8_t label_count;
	} cases[] = {
		{"root", BYTES(0), 0, 1, WIRE_OK, 0},
		{"a.bc", BYTES(1, 'a', 2, 'b', 'c', 0), 0, 6, WIRE_OK, 2},
		{"x + pointer to a", BYTES(1, 'a', 0, 1, 'x', 0xc0, 0), 3, 7, WIRE_OK, 2},
		{"two pointers", BYTES(1, 'a', 0, 1, 'b', 0xc0, 0, 0xc0, 3), 7, 9, WIRE_OK, 2},
		{"empty input", BYTES(0), 1, 1, WIRE_TRUNCATED, 0},
		{"label cut short", BYTES(3, 'a', 'b'), 0, 0, WIRE_TRUNCATED, 0},
		{"half a pointer", BYTES(0, 0xc0), 1, 1, WIRE_TRUNCATED, 0},
		{"label type 01", BYTES(0x41, 0), 0, 0, WIRE_LABEL_TYPE, 0},
		{"label type 10", BYTES(0x80, 0), 0, 0, WIRE_LABEL_TYPE, 0},
		{"pointer to itself", BYTES(0xc0, 0), 0, 0, WIRE_POINTER, 0},
		{"forward pointer", BYTES(0xc0, 2, 0), 0, 0, WIRE_POINTER, 0},
		{"two-step loop", BYTES(1, 'a', 0xc0, 0), 2, 2, WIRE_POINTER, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct name name;
		uint32_t off_after;

		KIT_NOTE(cases[i].why);
		CHECK_U(parse_at(cases[i].octets, cases[i].len, cases[i].off, &name, &off_after),
			cases[i].status);
		CHECK_U(off_after, cases[i].off_after);
		if (cases[i].status == WIRE_OK) {
			CHECK_U(name.label_count, cases[i].label_count);
		}
	}
}

TEST(longest_name_is_255_octets)
{
	static const uint8_t tails[] = {61, 62}; /* 3 * 64 + 1 + tail + 1 = 255, then 256 */

	for (size_t i = 0; i < sizeof(tails); i++) {
		uint8_t octets[258] = {[0] = 63, [64] = 63, [128] = 63};
		struct name name;
		uint32_t off_after;

		octets[192] = tails[i];
		CHECK_U(parse_at(octets, sizeof(octets), 0, &name, &off_after),
			tails[i] == 61 ? WIRE_OK : WIRE_NAME_LEN);
	}
}

/* The model shares no code or idea with name_parse(): it walks octet by octet, remembers every
 * run start it has seen, and asks the "points backwards" question of all of them.
 */
static bool model_accepts(const uint8_t *octets, uint32_t len, uint32_t off, uint32_t *name_len)
{
	uint32_t seen[OCTETS_MAX] = {off};
	uint32_t seen_count = 1;

	*name_len = 0;
	while (off < len) {
		if (octets[off] == 0) {
			return ++*name_len <= NAME_LEN_MAX;
		} else if (octets[off] >= 192 && off + 1 < len) {
			uint32_t target = (octets[off] % 64u) * 256u + octets[off + 1];
			for (uint32_t i = 0; i < seen_count; i++) {
				if (target >= seen[i]) {
					return false;
				}
			}
			seen[seen_count++] = off = target;
		} else if (octets[off] < 64) {
			*name_len += octets[off] + 1u;
			off += octets[off] + 1u;
		} else {
			return false;
		}
	}
	return false;
}

TEST(agrees_with_the_model_on_random_octets)
{
	uint32_t accepted = 0;

	for (uint32_t round = 0; round < 200000; round++) {
		uint8_t octets[OCTETS_MAX];
		uint32_t len = 1 + kit_random(sizeof(octets));
		uint32_t off = kit_random(len);
		uint32_t model_len, off_after;
		struct name name;

		/* Small octets make long names and 0xc0 or 0xc1 a pointer; noise would be all errors. */
		for (uint32_t i = 0; i < len; i++) {
			bool pointer = kit_random(8) == 0;
			octets[i] = (uint8_t)(pointer ? 0xc0 + kit_random(2) : kit_random(5));
		}
		bool want = model_accepts(octets, len, off, &model_len);
		bool got = parse_at(octets, len, off, &name, &off_after) == WIRE_OK;

		CHECK_U(got, want);
		if (got && want) {
			CHECK_U(name.len, model_len);
			accepted++;
		}
	}
	CHECK(accepted > 20000); /* or the generator no longer tests the accepting half */
}

/* Text, and the wire form that it has under the origin `ex.`. */
TEST(text_is_read_and_written_back)
{
	static const struct {
		const char *text;
		const char *back;
		enum wire_status status;
	} cases[] = {
		{"a.b.", "a.b.", WIRE_OK},
		{"a", "a.ex.", WIRE_OK},
		{"@", "ex.", WIRE_OK},
		{".", ".", WIRE_OK},
		{"*.A", "*.A.ex.", WIRE_OK},
		{"a\\.b.c.", "a\\.b.c.", WIRE_OK},
		{"a\\046b.", "a\\.b.", WIRE_OK},
		{"\\@", "\\@.ex.", WIRE_OK},
		{"\\000\\255 .", "\\000\\255\\032.", WIRE_OK},
		{"", NULL, WIRE_EMPTY_LABEL},
		{"..", NULL, WIRE_EMPTY_LABEL},
		{"a..b", NULL, WIRE_EMPTY_LABEL},
		{".a", NULL, WIRE_EMPTY_LABEL},
		{"a\\", NULL, WIRE_ESCAPE},
		{"a\\25", NULL, WIRE_ESCAPE},
		{"a\\256", NULL, WIRE_ESCAPE},
		{"a\\2x6", NULL, WIRE_ESCAPE},
	};
	struct name root = {.len = 1, .octets = {0}};
	struct name origin;

	CHECK_U(name_from_text("ex.", 3, &root, &origin), WIRE_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct name name;
		char text[NAME_TEXT_MAX];
		size_t len = strlen(cases[i].text);

		KIT_NOTE(cases[i].text);
		CHECK_U(name_from_text((const char *)kit_guarded(cases[i].text, len), (uint32_t)len,
				&origin, &name),
			cases[i].status);
		if (cases[i].status == WIRE_OK) {
			CHECK(name_is_valid(&name));
			CHECK_S(name_to_text(&name, text), cases[i].back);
		}
	}
}

TEST(text_limits_hold_on_both_sides)
{
	struct name root = {.len = 1, .octets = {0}};
	struct name name;
	char text[300];

	memset(text, 'a', sizeof(text));
	CHECK_U(name_from_text(text, 63, &root, &name), WIRE_OK);
	CHECK_U(name_from_text(text, 64, &root, &name), WIRE_LABEL_LEN);
	text[63] = text[127] = text[191] = '.';
	CHECK_U(name_from_text(text, 192 + 61, &root, &name), WIRE_OK);
	CHECK_U(name.len, 255);
	CHECK_U(name_from_text(text, 192 + 62, &root, &name), WIRE_NAME_LEN);
	text[192 + 61] = '.';
	CHECK_U(name_from_text(text, 192 + 62, &root, &name), WIRE_OK);
}

TEST(random_names_survive_text_and_stand_in_canonical_order)
{
	struct name root = {.len = 1, .octets = {0}};

	for (uint32_t round = 0; round < 20000; round++) {
		struct name names[2];
		char text[NAME_TEXT_MAX];

		for (uint32_t n = 0; n < 2; n++) {
			uint8_t octets[64];
			uint32_t len = 0;
			uint32_t labels = kit_random(4);
			for (uint32_t l = 0; l < labels; l++) {
				uint32_t label_len = 1 + kit_random(3);
				octets[len++] = (uint8_t)label_len;
				for (uint32_t i = 0; i < label_len; i++) {
					octets[len++] =
						(uint8_t)(kit_random(2) == 0 ? 'a' + kit_random(3)
									     : kit_random(256));
				}
			}
			octets[len++] = 0;
			struct reader msg = {.octets = octets, .len = len};
			CHECK_U(name_parse(&msg, &names[n]), WIRE_OK);
			struct name again;
			name_to_text(&names[n], text);
			CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &again),
				WIRE_OK);
			CHECK_OCTETS(again.octets, again.len, names[n].octets, names[n].len);
		}
		int order = name_compare(&names[0], &names[1]);
		int reverse = name_compare(&names[1], &names[0]);
		CHECK((order < 0) == (reverse > 0) && (order == 0) == (reverse == 0));
		CHECK_U(order == 0, name_equal(&names[0], &names[1]));
	}
}

TEST(canonical_order_is_that_of_rfc_4034)
{
	/* The list of RFC 4034 sec 6.1. */
	static const char *const sorted[] = {"example.", "a.example.", "yljkjljk.a.example.",
		"Z.a.example.", "zABC.a.EXAMPLE.", "z.example.", "\\001.z.example.", "*.z.example.",
		"\\200.z.example."};
	struct name root = {.len = 1, .octets = {0}};
	struct name names[9];

	for (uint32_t i = 0; i < 9; i++) {
		CHECK_U(name_from_text(sorted[i], (uint32_t)strlen(sorted[i]), &root, &names[i]),
			WIRE_OK);
	}
	for (uint32_t i = 0; i < 9; i++) {
		for (uint32_t j = 0; j < 9; j++) {
			int order = name_compare(&names[i], &names[j]);
			CHECK_U(order < 0, i < j);
			CHECK_U(order > 0, i > j);
		}
	}
}

TEST(below_means_whole_labels)
{
	static const struct {
		const char *name, *ancestor;
		bool below;
	} cases[] = {
		{"a.b.", "b.", true},
		{"b.", "b.", true},
		{"B.", "b.", true},
		{"ab.", "b.", false},
		{"a.b.", ".", true},
		{"b.", "a.b.", false},
		{"\\001b.", "b.", false},
	};
	struct name root = {.len = 1, .octets = {0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct name name, ancestor;

		KIT_NOTE(cases[i].name);
		CHECK_U(name_from_text(
				cases[i].name, (uint32_t)strlen(cases[i].name), &root, &name),
			WIRE_OK);
		CHECK_U(name_from_text(cases[i].ancestor, (uint32_t)strlen(cases[i].ancestor),
				&root, &ancestor),
			WIRE_OK);
		CHECK_U(name_is_below(&name, &ancestor), cases[i].below);
	}
}

TEST(ancestors_and_wildcards)
{
	struct name root = {.len = 1, .octets = {0}};
	struct name name, expected, out;
	static const char *const ancestors[] = {".", "c.", "b.c.", "A.b.c."};

	CHECK_U(name_from_text("A.b.c.", 6, &root, &name), WIRE_OK);
	for (uint32_t labels = 0; labels < 4; labels++) {
		CHECK_U(name_from_text(ancestors[labels], (uint32_t)strlen(ancestors[labels]),
				&root, &expected),
			WIRE_OK);
		name_ancestor(&name, labels, &out);
		CHECK(name_is_valid(&out) && name_equal(&out, &expected));
		CHECK_U(out.label_count, labels);
		out = name;
		name_ancestor(&out, labels, &out);
		CHECK(name_is_valid(&out) && name_equal(&out, &expected));
	}
	CHECK(name_wildcard(&name, &out) && name_is_valid(&out));
	CHECK_U(name_from_text("*.a.b.c.", 8, &root, &expected), WIRE_OK);
	CHECK(name_equal(&out, &expected));
	/* 253 octets and two more are as many as there can be; then it is full. */
	uint8_t octets[NAME_LEN_MAX + 1] = {0};
	for (uint32_t len = 254; len >= 253; len--) {
		uint32_t at = 0;
		while (at + 1 < len) {
			uint32_t label = len - 1 - at < 64 ? len - 1 - at : 64;
			octets[at] = (uint8_t)(label - 1);
			memset(octets + at + 1, 'x', label - 1);
			at += label;
		}
		octets[at] = 0;
		uint32_t off;
		CHECK_U(parse_at(octets, len, 0, &name, &off), WIRE_OK);
		CHECK_U(name_wildcard(&name, &out), len == 253);
	}
}

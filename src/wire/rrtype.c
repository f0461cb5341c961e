/* rrtype.c - looking RR types up by code and by mnemonic. */
#include "wire/rrtype.h"

#include <string.h>

#define SLOT_COUNT 512u /* of the mnemonic hash: a power of two, several times the mnemonics */
#define PAGE_LEN   256u /* codes with the same high octet */
#define PAGE_COUNT 4u   /* the empty one, 0 to 255, 256 to 511, 32768 (TA, DLV) */
#define CODE_MAX   65535u
#define META_FIRST 128u /* RFC 6895 sec 3.1: 128 to 255 are question and meta types */
#define META_LAST  255u

static const struct rrtype_info rows[] = {
#define RRTYPE(code, mnemonic, symbol, fields, rfc) {(code), (mnemonic), (fields)},
#include "wire/rrtype.def"
#undef RRTYPE
};

enum {
#define RRTYPE(code, mnemonic, symbol, fields, rfc) ROW_##symbol,
#include "wire/rrtype.def"
#undef RRTYPE
	ROW_COUNT
};

/* Mnemonics that are never a stored record, so they have no field letters. */
static const struct rrtype_info meta_rows[] = {
	{RRTYPE_OPT, "OPT", ""},
	{RRTYPE_NXNAME, "NXNAME", ""},
	{RRTYPE_TKEY, "TKEY", ""},
	{RRTYPE_TSIG, "TSIG", ""},
	{RRTYPE_IXFR, "IXFR", ""},
	{RRTYPE_AXFR, "AXFR", ""},
	{RRTYPE_MAILB, "MAILB", ""},
	{RRTYPE_MAILA, "MAILA", ""},
	{RRTYPE_ANY, "ANY", ""},
};

#define META_COUNT     (sizeof(meta_rows) / sizeof(meta_rows[0]))
#define MNEMONIC_COUNT (ROW_COUNT + META_COUNT)

_Static_assert(MNEMONIC_COUNT * 4 < SLOT_COUNT, "the hash has short probe runs");
_Static_assert(MNEMONIC_COUNT < 255, "a slot is one octet");

/* Filled before main() and never changed after. Mnemonics: index plus one, 0 where the slot is free.
 * Codes: their high octet picks a page, page 0 is empty; a page has row plus one, 0 where there is none.
 */
static uint8_t slots[SLOT_COUNT];
static uint8_t page_of[PAGE_LEN];
static uint8_t pages[PAGE_COUNT][PAGE_LEN];

static const struct rrtype_info *mnemonic_at(uint32_t idx)
{
	return idx < ROW_COUNT ? &rows[idx] : &meta_rows[idx - ROW_COUNT];
}

static uint8_t upper(uint8_t octet)
{
	return (uint8_t)(octet - 0u - 'a' < 26u ? octet - 32u : octet);
}

static uint32_t slot_of(const char *text, uint32_t len)
{
	uint32_t hash = len;

	for (uint32_t i = 0; i < len; i++) {
		hash = (hash ^ upper((uint8_t)text[i])) * 0x9e3779b1u;
	}
	return (hash >> 16) % SLOT_COUNT;
}

static void fill_slots(void)
{
	for (uint32_t i = 0; i < MNEMONIC_COUNT; i++) {
		const char *mnemonic = mnemonic_at(i)->mnemonic;
		uint32_t slot = slot_of(mnemonic, (uint32_t)strlen(mnemonic));

		while (slots[slot] != 0) {
			slot = (slot + 1) % SLOT_COUNT;
		}
		slots[slot] = (uint8_t)(i + 1);
	}
}

static void fill_pages(void)
{
	uint8_t used = 1;

	for (uint32_t i = 0; i < ROW_COUNT; i++) {
		uint8_t *page = &page_of[rows[i].code / PAGE_LEN];

		if (*page == 0) {
			ASSERT(used < PAGE_COUNT);
			*page = used++;
		}
		pages[*page][rows[i].code % PAGE_LEN] = (uint8_t)(i + 1);
	}
}

__attribute__((constructor)) static void fill_tables(void)
{
	fill_slots();
	fill_pages();
}

HOT const struct rrtype_info *rrtype_info(uint16_t code)
{
	uint32_t row = pages[page_of[code / PAGE_LEN]][code % PAGE_LEN];

	return row != 0 ? &rows[row - 1] : NULL;
}

bool rrtype_is_meta(uint16_t code)
{
	return code == 0 || code == RRTYPE_OPT || (code >= META_FIRST && code <= META_LAST);
}

static bool equals_mnemonic(const char *mnemonic, const char *text, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		/* A mnemonic ends in zero, which no upper-case octet before its end equals. */
		if ((uint8_t)mnemonic[i] != upper((uint8_t)text[i]) || mnemonic[i] == '\0') {
			return false;
		}
	}
	return mnemonic[len] == '\0';
}

/* TYPEnnn: decimal digits without a sign, at most CODE_MAX. */
static bool generic_from_text(const char *text, uint32_t len, uint16_t *out)
{
	uint32_t value = 0;

	if (len < 5 || len > 9 || !equals_mnemonic("TYPE", text, 4)) {
		return false;
	}
	for (uint32_t i = 4; i < len; i++) {
		if (text[i] < '0' || text[i] > '9') {
			return false;
		}
		value = value * 10 + (uint32_t)(text[i] - '0');
	}
	if (value > CODE_MAX) {
		return false;
	}
	*out = (uint16_t)value;
	return true;
}

HOT bool rrtype_from_text(const char *text, uint32_t len, uint16_t *out)
{
	if (len == 0 || len >= RRTYPE_TEXT_MAX) {
		return false;
	}
	for (uint32_t slot = slot_of(text, len); slots[slot] != 0; slot = (slot + 1) % SLOT_COUNT) {
		const struct rrtype_info *info = mnemonic_at(slots[slot] - 1u);
		if (equals_mnemonic(info->mnemonic, text, len)) {
			*out = info->code;
			return true;
		}
	}
	return generic_from_text(text, len, out);
}

const char *rrtype_to_text(uint16_t code, char *text)
{
	const struct rrtype_info *info = rrtype_info(code);

	for (uint32_t i = 0; info == NULL && i < META_COUNT; i++) {
		info = meta_rows[i].code == code ? &meta_rows[i] : NULL;
	}
	if (info != NULL) {
		memcpy(text, info->mnemonic, strlen(info->mnemonic) + 1);
		return text;
	}
	uint32_t at = 4;
	memcpy(text, "TYPE", at);
	for (uint32_t power = 10000; power > 0; power /= 10) {
		if (code >= power || power == 1) {
			text[at++] = (char)('0' + code / power % 10);
		}
	}
	text[at] = '\0';
	return text;
}

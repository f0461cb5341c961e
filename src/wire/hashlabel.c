/* hashlabel.c - five bits a letter, eight a digit of the hash. */
#include "wire/hashlabel.h"

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
}

bool hashlabel_read(const uint8_t *label, uint8_t hash[HASHLABEL_HASH_LEN])
{
	uint32_t bits = 0, have = 0, used = 0;

	if (label[0] != HASHLABEL_LEN - 1) {
		return false;
	}
	for (uint32_t i = 1; i < HASHLABEL_LEN; i++) {
		int value = digit(label[i]);
		if (value < 0) {
			return false;
		}
		bits = bits << 5 | (uint32_t)value;
		have += 5;
		if (have >= 8) {
			have -= 8;
			hash[used++] = (uint8_t)(bits >> have);
		}
	}
	return true;
}

void hashlabel_write(const uint8_t hash[HASHLABEL_HASH_LEN], uint8_t label[HASHLABEL_LEN])
{
	static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
	uint32_t bits = 0, have = 0, used = 0;

	label[used++] = HASHLABEL_LEN - 1;
	for (uint32_t i = 0; i < HASHLABEL_HASH_LEN; i++) {
		bits = bits << 8 | hash[i];
		have += 8;
		while (have >= 5) {
			have -= 5;
			label[used++] = (uint8_t)letters[bits >> have & 31];
		}
	}
}

/* rdata_kit.h - random well-formed RDATA of any type of the table, for tests and fuzz seeds.
 *
 * It shares no code with wire/rdata.c, only the field letters.
 */
#ifndef SAKER_TESTS_RDATA_KIT_H
#define SAKER_TESTS_RDATA_KIT_H

#include <stdint.h>

#define RDATA_KIT_LEN_MAX 4096u /* octets that rdata_kit_make() writes at most */

/* Every type of the table, in its order. */
extern const uint16_t rdata_kit_types[];
extern const uint32_t rdata_kit_type_count;

/* rdata_kit_make - well-formed RDATA of the type to out[RDATA_KIT_LEN_MAX]; returns its length. */
uint32_t rdata_kit_make(uint16_t type, uint8_t *out);

/* rdata_kit_name - a random name in wire form to out[255]; returns its length. */
uint32_t rdata_kit_name(uint8_t *out);

#endif

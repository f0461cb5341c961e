/* order.h - the order form of a relative name: octets that compare by memcmp() as names compare canonically.
 *
 * Labels stand from the root side on, each followed by a zero octet; octets 0 and 1 inside a label become
 * 1 1 and 1 2, so that the zero that ends a label is the smallest of all (RFC 4034 sec 6.1: a missing label
 * sorts before any other, and a shorter label before a longer one that begins with it).
 */
#ifndef SAKER_ZONE_ORDER_H
#define SAKER_ZONE_ORDER_H

#include <stdint.h>

#define ORDER_LEN_MAX 512u /* octets: 255, each escaped, rounded up */

/* order_form - writes the order form of labels[0..len) (lower case, no root label); returns its length. */
uint32_t order_form(const uint8_t *labels, uint32_t len, uint8_t out[ORDER_LEN_MAX]);

/* order_prefix - the first 8 octets of the order form as a number that compares like them.
 *
 * effect  a < b follows from order_prefix(a) < order_prefix(b); equal prefixes say nothing
 */
uint64_t order_prefix(const uint8_t *labels, uint32_t len);

#define ORDER_MORE_BITS 24u

/* order_more - the three octets of the order form that follow the prefix, as a number: of names with equal prefixes, most
 * are told apart by them.
 */
uint32_t order_more(const uint8_t *labels, uint32_t len);

/* order_compare - canonical order of two relative names in lower case: negative, zero, positive. */
int order_compare(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len);

#endif

/* queries.h - reads a list of queries, one "name type" a line, for gen.c and offer.c. */
#ifndef BENCH_QUERIES_H
#define BENCH_QUERIES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { QUERIES_MOST = 2000000, QUERY_LEN_MOST = 300 };
enum edns { EDNS_NONE, EDNS_DO, EDNS_COOKIE };

static uint8_t *query[QUERIES_MOST];
static uint16_t query_len[QUERIES_MOST];

static int type_code(const char *t)
{
	static const struct {
		const char *name;
		int code;
	} known[] = {{"A", 1}, {"NS", 2}, {"CNAME", 5}, {"SOA", 6}, {"PTR", 12}, {"MX", 15},
		{"TXT", 16}, {"AAAA", 28}, {"SRV", 33}, {"NAPTR", 35}, {"DS", 43}, {"RRSIG", 46},
		{"NSEC", 47}, {"DNSKEY", 48}, {"TLSA", 52}, {"SVCB", 64}, {"HTTPS", 65},
		{"ANY", 255}, {"CAA", 257}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcasecmp(known[i].name, t) == 0) {
			return known[i].code;
		}
	}
	return atoi(strncasecmp(t, "TYPE", 4) != 0 ? t : t + 4);
}

static int put_opt(uint8_t *b, enum edns edns)
{
	static const uint8_t opt[11] = {0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0};
	static const uint8_t cookie[12] = {0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8};

	memcpy(b, opt, sizeof(opt));
	if (edns == EDNS_DO) {
		b[7] = 0x80;
		return sizeof(opt);
	}
	b[10] = sizeof(cookie);
	memcpy(b + sizeof(opt), cookie, sizeof(cookie));
	return sizeof(opt) + sizeof(cookie);
}

/* Octets of the query; 0 where the name is none. */
static int encode(uint8_t *b, const char *name, const char *type, enum edns edns)
{
	int p = 12;
	int code = type_code(type);

	memset(b, 0, 12);
	b[5] = 1;
	for (const char *s = name; *s != '\0' && strcmp(s, ".") != 0;) {
		const char *dot = strchr(s, '.');
		int l = dot != NULL ? (int)(dot - s) : (int)strlen(s);
		if (l == 0 || l > 63 || p + l > 260) {
			return 0;
		}
		b[p++] = (uint8_t)l;
		memcpy(b + p, s, (size_t)l);
		p += l;
		if (dot == NULL) {
			break;
		}
		s = dot + 1;
	}
	b[p++] = 0;
	b[p++] = (uint8_t)(code >> 8);
	b[p++] = (uint8_t)code;
	b[p++] = 0;
	b[p++] = 1;
	if (edns != EDNS_NONE) {
		p += put_opt(b + p, edns);
		b[11] = 1;
	}
	return p;
}

/* Fills query[] and query_len[]; returns how many, 0 where there are none. mode: plain, do, or mixed, where of
 * ten queries three have no EDNS, two DO, five a client cookie.
 */
static int queries_read(const char *path, const char *mode)
{
	static const enum edns mix[10] = {EDNS_COOKIE, EDNS_NONE, EDNS_COOKIE, EDNS_DO, EDNS_COOKIE,
		EDNS_NONE, EDNS_COOKIE, EDNS_DO, EDNS_COOKIE, EDNS_NONE};
	char line[700], name[512], type[32];
	int count = 0;
	FILE *f = fopen(path, "r");

	if (f == NULL) {
		perror(path);
		return 0;
	}
	while (count < QUERIES_MOST && fgets(line, sizeof(line), f) != NULL) {
		uint8_t b[QUERY_LEN_MOST];
		if (sscanf(line, "%511s %31s", name, type) != 2) {
			continue;
		}
		enum edns edns = *mode == 'd'   ? EDNS_DO
				 : *mode == 'm' ? mix[count % 10]
						: EDNS_NONE;
		int n = encode(b, name, type, edns);
		if (n == 0) {
			continue;
		}
		query[count] = malloc((size_t)n);
		if (query[count] == NULL) {
			break;
		}
		memcpy(query[count], b, (size_t)n);
		query_len[count++] = (uint16_t)n;
	}
	fclose(f);
	return count;
}

#endif

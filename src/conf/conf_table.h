/* conf_table.h - every key of the configuration: its path, type, range, default, and what it is for.
 *
 * One table serves the reader, the command line's options and the JSON schema, so they cannot differ.
 *
 * thread  the table is constant
 */
#ifndef SAKER_CONF_CONF_TABLE_H
#define SAKER_CONF_CONF_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"

enum conf_table_type {
	CONF_TABLE_ADDRESSES, /* a list of ADDRESS:PORT, into server_config.listen */
	CONF_TABLE_COUNT,     /* min..max, into a uint32_t */
	CONF_TABLE_WORKERS,   /* `auto` or min..max, into a uint32_t */
	CONF_TABLE_CHOICE,    /* one of choices, its index into a uint32_t */
	CONF_TABLE_NAME,      /* a domain name, into a struct name */
	CONF_TABLE_FILE       /* a path, into a char *, by conf.c */
};

/* A path is words with dots between; `word[]` is a list of mappings. Rows of one mapping stand together. */
struct conf_table_row {
	const char *path;
	const char *unset;   /* the default as the schema says it; empty: none; NULL: required */
	const char *choices; /* words with one space between */
	const char *about;   /* one sentence without quotation marks */
	size_t offset;       /* in struct server_config, or in struct conf_zone below zones[] */
	uint32_t min, max;
	enum conf_table_type type;
};

#define CONF_TABLE_ROWS 9u
extern const struct conf_table_row conf_table_rows[CONF_TABLE_ROWS];

/* conf_table_find - the first row whose path is prefix + key, followed by `follow` (or by the end where that is
 * empty); NULL where there is none.
 */
const struct conf_table_row *conf_table_find(
	const char *prefix, const char *key, const char *follow);

/* conf_table_store - checks a value and stores it; what: the struct that row->offset counts in.
 *
 * errors  false: why[CONF_WHY_MAX] says what is wrong and what was expected
 */
MUST_USE bool conf_table_store(
	const struct conf_table_row *row, const char *value, void *what, char *why);

/* conf_table_suggest - what may stand below prefix, where key may not: `did you mean ...` or the whole list.
 *
 * shape   out: cap octets, cut where that is too little
 */
void conf_table_suggest(const char *prefix, const char *key, char *out, size_t cap);

/* conf_table_print_schema - the table as a JSON schema. source: JSON Schema 2020-12 */
void conf_table_print_schema(FILE *out);

#endif

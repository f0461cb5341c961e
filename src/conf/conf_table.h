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
	CONF_TABLE_FILE,      /* a path, into a char *, by conf.c */
	CONF_TABLE_BOOL,      /* true or false, 1 or 0 into a uint32_t */
	CONF_TABLE_SIZE, /* `auto`, or MiB with M or G behind, into a uint32_t as MiB; auto is 0 */
	CONF_TABLE_PREFIXES, /* a list of ADDRESS/LENGTH, into a struct acl */
	CONF_TABLE_NAMES,    /* a list of domain names, into a struct conf_names */
	CONF_TABLE_SERVERS,  /* a list of ADDRESS[:PORT], into a struct conf_addrs */
	CONF_TABLE_DNS64,    /* an IPv6 prefix, into a struct dns64 */
	CONF_TABLE_SOURCES   /* a list of ADDRESS, ditto, with port 0 */
};

/* A path is words with dots between; `word[]` is a list of mappings. Rows of one mapping stand together. */
struct conf_table_row {
	const char *path;
	const char *unset;   /* the default as the schema says it; empty: none; NULL: required */
	const char *choices; /* words with one space between */
	const char *about;   /* one sentence without quotation marks */
	size_t offset; /* in struct server_config, or in the struct of an element below `[]` */
	uint32_t min, max;
	enum conf_table_type type;
	bool fixed; /* a running server cannot change it */
};

#define CONF_TABLE_ROWS 39u
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

/* conf_table_is_list - is the row's value a list of single values? */
bool conf_table_is_list(enum conf_table_type type);

/* conf_table_clear - empties a list before a file's values take the place of the defaults. */
void conf_table_clear(const struct conf_table_row *row, void *what);

/* conf_table_same - does a row's value say the same in both? a, b: structs that row->offset counts in; row: fixed */
bool conf_table_same(const struct conf_table_row *row, const void *a, const void *b);

/* conf_table_suggest - what may stand below prefix, where key may not: `did you mean ...` or the whole list.
 *
 * shape   out: cap octets, cut where that is too little
 */
void conf_table_suggest(const char *prefix, const char *key, char *out, size_t cap);

/* conf_table_print_schema - the table as a JSON schema. source: JSON Schema 2020-12 */
void conf_table_print_schema(FILE *out);

#endif

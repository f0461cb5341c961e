/* conf.c - from YAML to struct server_config. */
#include "conf/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "conf/conf_table.h"
#include "os/textfile.h"

#define ZONES_MIN    16u /* room for the first zones, doubled from there on */
#define PREFIX_MAX   64u /* octets of the longest path in the table with its zero, and then some */
#define KEY_SHOW_MAX 64  /* octets of a key or value that an error shows */

/* One reading of one file. */
struct walk {
	yaml_document_t document;
	const struct diag_sink *sink;
	const char *file;
	size_t folder_len; /* octets of file up to the last slash */
	struct server_config *config;
	uint32_t error_count;
	enum status failure; /* of the environment, STATUS_OK mostly */
};

void conf_init(struct server_config *config)
{
	static const char *const listen[] = {"127.0.0.1:53", "[::1]:53"};
	static const char *const allow[] = {"127.0.0.0/8", "::1/128"};
	char why[CONF_WHY_MAX];

	memset(config, 0, sizeof(*config));
	for (uint32_t i = 0; i < sizeof(listen) / sizeof(listen[0]); i++) {
		enum status status = conf_set(config, "server.listen", listen[i], why);
		ASSERT(status == STATUS_OK);
	}
	for (uint32_t i = 0; i < sizeof(allow) / sizeof(allow[0]); i++) {
		enum status status = conf_set(config, "resolver.allow", allow[i], why);
		ASSERT(status == STATUS_OK);
	}
	/* The table says the other defaults as JSON: numbers as they are, words in quotes. */
	for (uint32_t i = 0; i < CONF_TABLE_ROWS; i++) {
		const struct conf_table_row *row = &conf_table_rows[i];
		char value[PREFIX_MAX];
		if (row->unset == NULL || row->unset[0] == '\0' || conf_table_is_list(row->type) ||
			row->type == CONF_TABLE_FILE || strchr(row->path, '[') != NULL) {
			continue;
		}
		const char *from = row->unset + (row->unset[0] == '"' ? 1 : 0);
		snprintf(value, sizeof(value), "%.*s", (int)strcspn(from, "\""), from);
		bool stored = conf_table_store(row, value, config, why);
		ASSERT(stored);
	}
}

static void fini_resolver(struct conf_resolver *resolver)
{
	free(resolver->root_hints);
	free(resolver->trust_anchors);
	free(resolver->local_records);
	free(resolver->negative_trust_anchors.items);
	free(resolver->local_zones.items);
	free(resolver->resolve_special.items);
	free(resolver->private_names.items);
	free(resolver->forward.items);
	free(resolver->stub.items);
}

void conf_fini(struct server_config *config)
{
	for (uint32_t i = 0; i < config->zone_count; i++) {
		free(config->zones[i].file);
	}
	free(config->zones);
	free(config->state);
	fini_resolver(&config->resolver);
	memset(config, 0, sizeof(*config));
}

static const yaml_node_t *node_at(struct walk *walk, int idx)
{
	return yaml_document_get_node(&walk->document, idx);
}

PRINTF(3, 4)
static void complain(struct walk *walk, const yaml_node_t *node, const char *format, ...)
{
	char text[DIAG_TEXT_MAX];
	va_list args;

	if (++walk->error_count > DIAG_ERRORS_MAX) {
		return;
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_report(walk->sink, DIAG_ERROR, walk->file, (uint32_t)node->start_mark.line + 1,
		(uint32_t)node->start_mark.column + 1, "%s", text);
}

static const char *node_kind(const yaml_node_t *node)
{
	switch (node->type) {
	case YAML_SCALAR_NODE:
		return "a single value";
	case YAML_SEQUENCE_NODE:
		return "a list";
	case YAML_MAPPING_NODE:
		return "a mapping";
	case YAML_NO_NODE:
		break;
	}
	return "nothing";
}

/* `key:` with nothing behind it. */
static bool is_absent(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE && node->data.scalar.length == 0 &&
	       node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* The text of a scalar; NULL with a complaint where it is none, or holds a zero octet. */
static const char *scalar_of(struct walk *walk, const yaml_node_t *node, const char *key)
{
	if (node->type != YAML_SCALAR_NODE || is_absent(node)) {
		complain(walk, node, "'%.*s' is %s (expected a single value)", KEY_SHOW_MAX, key,
			is_absent(node) ? "empty" : node_kind(node));
		return NULL;
	}
	const char *text = (const char *)node->data.scalar.value;
	if (strlen(text) != node->data.scalar.length) {
		complain(
			walk, node, "'%.*s' holds a zero octet (expected text)", KEY_SHOW_MAX, key);
		return NULL;
	}
	return text;
}

/* True where node is of a kind; an empty value is an empty list or mapping. */
static bool expect(struct walk *walk, const yaml_node_t *node, yaml_node_type_t type,
	const char *key, const char *what)
{
	if (node->type == type) {
		return true;
	}
	if (!is_absent(node)) {
		complain(walk, node, "'%.*s' is %s (expected %s)", KEY_SHOW_MAX, key,
			node_kind(node), what);
	}
	return false;
}

static char *join_folder(const char *folder, size_t folder_len, const char *file)
{
	size_t len = strlen(file);
	size_t keep = file[0] == '/' ? 0 : folder_len;
	char *path = malloc(keep + len + 1);

	if (path != NULL) {
		memcpy(path, folder, keep);
		memcpy(path + keep, file, len + 1);
	}
	return path;
}

/* One more zone, with nothing in it; NULL where there is no memory. */
static struct conf_zone *add_zone(struct server_config *config)
{
	if (config->zone_count == config->zone_cap) {
		uint32_t cap = config->zone_cap == 0 ? ZONES_MIN : 2 * config->zone_cap;
		struct conf_zone *zones = realloc(config->zones, cap * sizeof(zones[0]));
		if (zones == NULL) {
			return NULL;
		}
		config->zones = zones;
		config->zone_cap = cap;
	}
	struct conf_zone *zone = &config->zones[config->zone_count++];
	*zone = (struct conf_zone){.name = {.len = 1}};
	return zone;
}

static const char *list_of(enum conf_table_type type)
{
	return type == CONF_TABLE_NAMES      ? "a list of names"
	       : type == CONF_TABLE_PREFIXES ? "a list of address prefixes"
					     : "a list of addresses";
}

static void store_list(struct walk *walk, const struct conf_table_row *row, const yaml_node_t *node,
	const char *key, void *what)
{
	char why[CONF_WHY_MAX];

	if (!expect(walk, node, YAML_SEQUENCE_NODE, key, list_of(row->type))) {
		return;
	}
	conf_table_clear(row, what); /* the defaults */
	for (const int *item = node->data.sequence.items.start;
		item < node->data.sequence.items.top; item++) {
		const yaml_node_t *value = node_at(walk, *item);
		const char *text = scalar_of(walk, value, key);
		if (text != NULL && !conf_table_store(row, text, what, why)) {
			complain(walk, value, "%s", why);
		}
	}
	bool needs_one = row->type == CONF_TABLE_ADDRESSES || row->type == CONF_TABLE_SERVERS;
	if (needs_one && node->data.sequence.items.start == node->data.sequence.items.top) {
		complain(walk, node, "'%s' is empty (expected at least one address)", key);
	}
}

static void store_leaf(struct walk *walk, const struct conf_table_row *row, const yaml_node_t *node,
	const char *key, void *what)
{
	char why[CONF_WHY_MAX];

	if (conf_table_is_list(row->type)) {
		store_list(walk, row, node, key, what);
		return;
	}
	const char *text = scalar_of(walk, node, key);
	if (text == NULL) {
		return;
	}
	if (row->type == CONF_TABLE_FILE) {
		char **path = (char **)(void *)((char *)what + row->offset);
		if (text[0] == '\0') {
			complain(walk, node, "'%s' is empty (expected a path)", key);
			return;
		}
		*path = join_folder(walk->file, walk->folder_len, text);
		if (*path == NULL) {
			walk->failure = STATUS_MEMORY;
		}
	} else if (!conf_table_store(row, text, what, why)) {
		complain(walk, node, "%s", why);
	}
}

static void walk_mapping(
	struct walk *walk, const yaml_node_t *node, const char *prefix, void *what);

static struct conf_upstream *add_upstream(struct conf_upstreams *upstreams, const yaml_node_t *node)
{
	struct conf_upstream *grown =
		realloc(upstreams->items, (upstreams->count + 1) * sizeof(grown[0]));

	if (grown == NULL) {
		return NULL;
	}
	upstreams->items = grown;
	grown[upstreams->count] = (struct conf_upstream){.zone = {.len = 1},
		.line = (uint32_t)node->start_mark.line + 1,
		.column = (uint32_t)node->start_mark.column + 1};
	return &grown[upstreams->count++];
}

static void *add_element(struct walk *walk, const yaml_node_t *node, const char *prefix)
{
	struct conf_resolver *resolver = &walk->config->resolver;

	if (strcmp(prefix, "resolver.forward[].") == 0) {
		return add_upstream(&resolver->forward, node);
	}
	if (strcmp(prefix, "resolver.stub[].") == 0) {
		return add_upstream(&resolver->stub, node);
	}
	struct conf_zone *zone = add_zone(walk->config);
	if (zone != NULL) {
		zone->line = (uint32_t)node->start_mark.line + 1;
		zone->column = (uint32_t)node->start_mark.column + 1;
	}
	return zone;
}

static void walk_elements(
	struct walk *walk, const yaml_node_t *node, const char *key, const char *prefix)
{
	if (!expect(walk, node, YAML_SEQUENCE_NODE, key, "a list of mappings")) {
		return;
	}
	for (const int *item = node->data.sequence.items.start;
		item < node->data.sequence.items.top && walk->failure == STATUS_OK; item++) {
		const yaml_node_t *value = node_at(walk, *item);
		if (value->type != YAML_MAPPING_NODE) {
			bool zone = strcmp(prefix, "zones[].") == 0;
			complain(walk, value, "%s is %s (expected %s)",
				zone ? "a zone" : "an element",
				is_absent(value) ? "empty" : node_kind(value),
				zone ? "{name: NAME, file: FILE}" : "{zone: NAME, to: [ADDRESS]}");
			continue;
		}
		void *element = add_element(walk, value, prefix);
		if (element == NULL) {
			walk->failure = STATUS_MEMORY;
			return;
		}
		walk_mapping(walk, value, prefix, element);
	}
}

/* What stands below prefix + key. */
static void walk_value(struct walk *walk, const struct conf_table_row *row, const yaml_node_t *node,
	const char *prefix, const char *key, void *what)
{
	char below[PREFIX_MAX];
	char follow = row->path[strlen(prefix) + strlen(key)];

	if (follow == '\0') {
		store_leaf(walk, row, node, key, what);
		return;
	}
	snprintf(below, sizeof(below), "%s%s%s", prefix, key, follow == '[' ? "[]." : ".");
	if (follow == '[') {
		walk_elements(walk, node, key, below);
	} else if (expect(walk, node, YAML_MAPPING_NODE, key, "a mapping")) {
		walk_mapping(walk, node, below, what);
	}
}

/* A mapping below prefix; what: the struct that its rows' offsets count in. Recursion ends with the table. */
static void walk_mapping(struct walk *walk, const yaml_node_t *node, const char *prefix, void *what)
{
	uint32_t seen_line[CONF_TABLE_ROWS] = {0}; /* by the first row with that key */

	for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
		pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key_node = node_at(walk, pair->key);
		const char *key = scalar_of(walk, key_node, "key");
		if (key == NULL) {
			continue;
		}
		const struct conf_table_row *row = conf_table_find(prefix, key, "");
		row = row != NULL ? row : conf_table_find(prefix, key, ".");
		row = row != NULL ? row : conf_table_find(prefix, key, "[].");
		if (row == NULL) {
			char hint[CONF_WHY_MAX];
			conf_table_suggest(prefix, key, hint, sizeof(hint));
			complain(
				walk, key_node, "unknown key '%.*s' (%s)", KEY_SHOW_MAX, key, hint);
			continue;
		}
		uint32_t *line = &seen_line[row - conf_table_rows];
		if (*line != 0) {
			complain(walk, key_node,
				"'%s' stands in line %u already (expected each key once)", key,
				*line);
			continue;
		}
		*line = (uint32_t)key_node->start_mark.line + 1;
		walk_value(walk, row, node_at(walk, pair->value), prefix, key, what);
	}
	for (uint32_t i = 0; i < CONF_TABLE_ROWS; i++) {
		const struct conf_table_row *row = &conf_table_rows[i];
		size_t prefix_len = strlen(prefix);
		if (row->unset == NULL && seen_line[i] == 0 && prefix_len != 0 &&
			strncmp(row->path, prefix, prefix_len) == 0 &&
			strpbrk(row->path + prefix_len, ".[") == NULL) {
			complain(walk, node, "no '%s' here (expected one)", row->path + prefix_len);
		}
	}
}

static int compare_zones(const void *a, const void *b)
{
	const struct conf_zone *const *left = a;
	const struct conf_zone *const *right = b;
	int order = name_compare(&(*left)->name, &(*right)->name);

	if (order != 0) {
		return order;
	}
	return (*left)->line != (*right)->line ? ((*left)->line < (*right)->line ? -1 : 1)
					       : ((*left)->column < (*right)->column ? -1 : 1);
}

/* Names must differ: sorted, equal ones are neighbours. Zones whose name was refused have no file or are
 * the root by accident, so this runs only where nothing else is wrong.
 */
static void check_zones(struct walk *walk)
{
	struct server_config *config = walk->config;
	const struct conf_zone **sorted = malloc((config->zone_count + 1) * sizeof(sorted[0]));

	if (sorted == NULL) {
		walk->failure = STATUS_MEMORY;
		return;
	}
	for (uint32_t i = 0; i < config->zone_count; i++) {
		sorted[i] = &config->zones[i];
	}
	qsort(sorted, config->zone_count, sizeof(sorted[0]), compare_zones);
	for (uint32_t i = 1; i < config->zone_count; i++) {
		if (!name_equal(&sorted[i - 1]->name, &sorted[i]->name)) {
			continue;
		}
		char text[NAME_TEXT_MAX];
		if (++walk->error_count <= DIAG_ERRORS_MAX) {
			diag_report(walk->sink, DIAG_ERROR, walk->file, sorted[i]->line,
				sorted[i]->column,
				"zone '%s' stands in line %u already (expected each zone once)",
				name_to_text(&sorted[i]->name, text), sorted[i - 1]->line);
		}
	}
	free(sorted);
}

/* Which of two would count? */
static void check_upstreams(
	struct walk *walk, const struct conf_upstreams *upstreams, const char *what)
{
	for (uint32_t i = 1; i < upstreams->count; i++) {
		const struct conf_upstream *at = &upstreams->items[i];
		const struct conf_upstream *before = upstreams->items;
		while (before != at && !name_equal(&before->zone, &at->zone)) {
			before++;
		}
		char text[NAME_TEXT_MAX];
		if (before != at && ++walk->error_count <= DIAG_ERRORS_MAX) {
			diag_report(walk->sink, DIAG_ERROR, walk->file, at->line, at->column,
				"%s zone '%s' stands in line %u already (expected each zone once)",
				what, name_to_text(&at->zone, text), before->line);
		}
	}
}

static void walk_document(struct walk *walk)
{
	const yaml_node_t *root = yaml_document_get_root_node(&walk->document);

	if (root == NULL) {
		return; /* nothing but comments: the defaults */
	}
	if (expect(walk, root, YAML_MAPPING_NODE, "configuration", "a mapping")) {
		walk_mapping(walk, root, "", walk->config);
	}
	if (walk->error_count == 0 && walk->failure == STATUS_OK) {
		check_zones(walk);
		check_upstreams(walk, &walk->config->resolver.forward, "forward");
		check_upstreams(walk, &walk->config->resolver.stub, "stub");
	}
}

static void complain_yaml(struct walk *walk, const yaml_parser_t *parser)
{
	walk->error_count++;
	/* Where its first allocations fail, libyaml does not say so; whatever else is wrong has words. */
	if (parser->error == YAML_MEMORY_ERROR || parser->problem == NULL) {
		walk->failure = STATUS_MEMORY;
		return;
	}
	if (parser->error == YAML_READER_ERROR) { /* has an offset, but no line */
		diag_report(walk->sink, DIAG_ERROR, walk->file, 0, 0,
			"octet %zu: %s (expected UTF-8 text)", parser->problem_offset,
			parser->problem);
		return;
	}
	diag_report(walk->sink, DIAG_ERROR, walk->file, (uint32_t)parser->problem_mark.line + 1,
		(uint32_t)parser->problem_mark.column + 1, "%s (expected YAML)", parser->problem);
}

/* The one document of the file, and nothing behind it. */
static void walk_file(struct walk *walk, yaml_parser_t *parser)
{
	if (yaml_parser_load(parser, &walk->document) == 0) {
		complain_yaml(walk, parser);
		return;
	}
	bool was_last = yaml_document_get_root_node(&walk->document) == NULL;
	walk_document(walk);
	yaml_document_delete(&walk->document);
	if (was_last || walk->error_count != 0) {
		return;
	}
	if (yaml_parser_load(parser, &walk->document) == 0) {
		complain_yaml(walk, parser);
		return;
	}
	const yaml_node_t *root = yaml_document_get_root_node(&walk->document);
	if (root != NULL) {
		complain(walk, root, "a second document (expected one in a file)");
	}
	yaml_document_delete(&walk->document);
}

enum status conf_load(const char *path, const struct diag_sink *sink, struct server_config *config)
{
	struct walk walk = {.sink = sink, .file = path, .config = config};
	const char *slash = strrchr(path, '/');
	yaml_parser_t parser;
	struct textfile text;

	enum status status = textfile_read(path, false, CONF_FILE_LEN_MAX, &text);
	if (status == STATUS_MEMORY) {
		return status;
	}
	if (status != STATUS_OK) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be read: %s",
			status == STATUS_IO ? strerror(errno) : status_text(status));
		return STATUS_REFUSED;
	}
	walk.folder_len = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	if (yaml_parser_initialize(&parser) == 0) {
		textfile_free(&text);
		return STATUS_MEMORY;
	}
	yaml_parser_set_input_string(&parser, text.octets, text.len);
	walk_file(&walk, &parser);
	yaml_parser_delete(&parser);
	textfile_free(&text);
	if (walk.failure != STATUS_OK) {
		return walk.failure;
	}
	if (walk.error_count > DIAG_ERRORS_MAX) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "%u more errors",
			walk.error_count - DIAG_ERRORS_MAX);
	}
	return walk.error_count == 0 ? STATUS_OK : STATUS_REFUSED;
}

enum status conf_set(struct server_config *config, const char *path, const char *value, char *why)
{
	const struct conf_table_row *row = NULL;

	for (uint32_t i = 0; i < CONF_TABLE_ROWS && row == NULL; i++) {
		row = strcmp(conf_table_rows[i].path, path) == 0 ? &conf_table_rows[i] : NULL;
	}
	ASSERT(row != NULL);
	return conf_table_store(row, value, config, why) ? STATUS_OK : STATUS_REFUSED;
}

enum status conf_put_state(struct server_config *config, const char *folder, char *why)
{
	if (folder[0] == '\0') {
		snprintf(why, CONF_WHY_MAX, "no folder for the state (expected a path)");
		return STATUS_REFUSED;
	}
	char *path = join_folder("", 0, folder);
	if (path == NULL) {
		return STATUS_MEMORY;
	}
	free(config->state);
	config->state = path;
	return STATUS_OK;
}

enum status conf_put_zone(
	struct server_config *config, const char *name, const char *file, char *why)
{
	const struct conf_table_row *row = conf_table_find("zones[].", "name", "");
	struct conf_zone given;

	if (file[0] == '\0') {
		snprintf(why, CONF_WHY_MAX, "no file (expected NAME=FILE)");
		return STATUS_REFUSED;
	}
	if (!conf_table_store(row, name, &given, why)) {
		return STATUS_REFUSED;
	}
	char *path = join_folder("", 0, file);
	if (path == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < config->zone_count; i++) {
		if (name_equal(&config->zones[i].name, &given.name)) {
			free(config->zones[i].file);
			config->zones[i].file = path;
			config->zones[i].line = 0;
			return STATUS_OK;
		}
	}
	struct conf_zone *zone = add_zone(config);
	if (zone == NULL) {
		free(path);
		return STATUS_MEMORY;
	}
	zone->name = given.name;
	zone->file = path;
	return STATUS_OK;
}

const char *conf_next_fixed(
	const struct server_config *a, const struct server_config *b, uint32_t *idx)
{
	while (*idx < CONF_TABLE_ROWS) {
		const struct conf_table_row *row = &conf_table_rows[(*idx)++];
		if (row->fixed && !conf_table_same(row, a, b)) {
			return row->path;
		}
	}
	return NULL;
}

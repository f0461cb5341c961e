/* zonelist.c - loads, publishes, and tells the operator. */
#include "server/zonelist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/publish.h"
#include "conf/conf.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/pool.h"
#include "os/textfile.h"
#include "zone/load.h"
#include "zone/zone.h"

#define OCTETS_A_MIB (1024.0 * 1024.0)

/* One zone. While its job is on the pool the job's fields are the pool thread's. */
struct item {
	struct pool_job job;   /* first: a job is its item */
	struct zonelist *list; /* borrows */
	struct zone *zone;     /* owns */
	char *file;            /* owns */
	bool wanted;           /* the latest configuration names it */
	bool serving;          /* it has a version */
	bool failed;           /* its last load failed */
	/* of the job */
	enum status status;
	bool unchanged;      /* the file is the one that is served: nothing was loaded */
	struct image *image; /* owns, until it is published */
	uint64_t took_ns;
	bool is_known;                 /* identity is that of the version served */
	struct file_identity identity; /* as it was before the load */
};

struct zonelist {
	struct hash_key key; /* [ro] */
	struct published set;
	struct item **items; /* owns: in the order of names */
	uint32_t item_count;
	uint32_t pending; /* jobs on the pool */
	/* own: each is its pool thread's while jobs are pending, and given back when none is */
	struct load *loads[POOL_THREADS_MAX];
	bool loading;
	bool stopping;
	void (*finished)(void *context);
	void *context; /* borrows */
};

struct zonelist *zonelist_new(
	const struct hash_key *key, void (*finished)(void *context), void *context)
{
	struct zonelist *list = calloc(1, sizeof(*list));

	if (list != NULL) {
		list->key = *key;
		list->finished = finished;
		list->context = context;
	}
	return list;
}

static void item_free(struct item *item)
{
	if (item != NULL) {
		if (item->zone != NULL) {
			zone_free(item->zone);
		}
		free(item->file);
		free(item);
	}
}

void zonelist_free(struct zonelist *list)
{
	if (list == NULL) {
		return;
	}
	ASSERT(list->pending == 0);
	struct zone_set *set = publish_set(&list->set, NULL);
	if (set != NULL) {
		zone_set_free(set);
	}
	for (uint32_t i = 0; i < list->item_count; i++) {
		item_free(list->items[i]);
	}
	free(list->items);
	free(list);
}

/* True where the file may include others, whose changes its own identity does not show. */
static bool may_include(const char *path)
{
	static const char directive[] = "$INCLUDE"; /* RFC 1035 sec 5.1, in any case */
	size_t directive_len = sizeof(directive) - 1;
	struct textfile text;

	if (textfile_read(path, true, SIZE_MAX, &text) != STATUS_OK) {
		return true;
	}
	const uint8_t *end = text.octets + text.len;
	const uint8_t *at = memchr(text.octets, directive[0], text.len);
	while (at != NULL &&
		((size_t)(end - at) < directive_len ||
			strncasecmp((const char *)at, directive, directive_len) != 0)) {
		at++;
		at = memchr(at, directive[0], (size_t)(end - at));
	}
	textfile_free(&text);
	return at != NULL;
}

/* On a pool thread. */
static void load_run(struct pool_job *job, uint32_t thread)
{
	struct item *item = (struct item *)job;
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	struct file_identity identity = {0};
	uint64_t start_ns = clock_mono_ns();

	/* Before the file is read: what changes from here on makes the next load. */
	bool is_known = file_identify(item->file, &identity) == STATUS_OK &&
			file_identity_is_old(&identity, clock_now().wall_s);
	item->image = NULL;
	item->unchanged = is_known && item->is_known &&
			  file_identity_equal(&identity, &item->identity) &&
			  !may_include(item->file);
	if (item->unchanged) {
		item->status = STATUS_OK;
		return;
	}
	struct load **load = &item->list->loads[thread];
	*load = *load != NULL ? *load : load_new();
	item->status = *load == NULL ? STATUS_MEMORY
				     : load_file(*load, item->file, &item->zone->name,
					       &item->list->key, &sink, &item->image);
	item->took_ns = clock_mono_ns() - start_ns;
	/* A bad file is told at every load, whatever is served. */
	item->is_known = is_known && item->status == STATUS_OK;
	item->identity = identity;
}

static void serve(struct item *item)
{
	struct image_stats stats;
	char name[NAME_TEXT_MAX];

	image_stats(item->image, &stats);
	zone_publish(item->zone, item->image);
	item->image = NULL;
	item->serving = true;
	item->failed = false;
	log_info("event=zone-served zone=%s records=%" PRIu64 " serial=%u ms=%.1f memory-mib=%.2f "
		 "file=\"%s\"",
		name_to_text(&item->zone->name, name), stats.record_count, stats.serial,
		(double)item->took_ns / (double)NOW_NS_A_MILLISECOND,
		(double)stats.memory_len / OCTETS_A_MIB, item->file);
}

static void keep(struct item *item)
{
	char name[NAME_TEXT_MAX];

	item->failed = true;
	log_error("event=zone-failed zone=%s reason=\"%s\" answered=%s file=\"%s\"",
		name_to_text(&item->zone->name, name), status_text(item->status),
		item->serving ? "\"from the version before\"" : "SERVFAIL", item->file);
}

/* The set that has exactly the wanted zones; NULL where there is no memory. */
static struct zone_set *make_set(const struct zonelist *list)
{
	struct zone **zones = malloc((list->item_count + 1) * sizeof(zones[0]));
	uint32_t count = 0;

	if (zones == NULL) {
		return NULL;
	}
	for (uint32_t i = 0; i < list->item_count; i++) {
		if (list->items[i]->wanted) {
			zones[count++] = list->items[i]->zone;
		}
	}
	struct zone_set *set = zone_set_new(&list->key, zones, count);
	free(zones);
	return set;
}

/* True where the published set has other zones than the ones wanted. */
static bool set_differs(const struct zonelist *list)
{
	const struct zone_set *set = publish_get(&list->set);

	for (uint32_t i = 0; i < list->item_count; i++) {
		if (!list->items[i]->wanted) {
			return true;
		}
	}
	/* All that there are are wanted: new ones make the set longer. */
	return set == NULL || zone_set_count(set) != list->item_count;
}

static void drop_unwanted(struct zonelist *list)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < list->item_count; i++) {
		struct item *item = list->items[i];
		if (item->wanted) {
			list->items[kept++] = item;
			continue;
		}
		char name[NAME_TEXT_MAX];
		log_info("event=zone-removed zone=%s", name_to_text(&item->zone->name, name));
		item_free(item);
	}
	list->item_count = kept;
}

static bool publish_wanted(struct zonelist *list)
{
	struct zone_set *next = make_set(list);

	if (next == NULL) {
		return false;
	}
	struct zone_set *before = publish_set(&list->set, next);
	publish_wait();
	if (before != NULL) {
		zone_set_free(before);
	}
	return true;
}

static void finish(struct zonelist *list)
{
	list->loading = false;
	if (set_differs(list)) {
		if (publish_wanted(list)) {
			drop_unwanted(list);
		} else {
			log_error(
				"event=zone-set-failed reason=\"%s\"", status_text(STATUS_MEMORY));
		}
	}
	list->finished(list->context);
}

static void free_loads(struct zonelist *list)
{
	for (uint32_t i = 0; i < POOL_THREADS_MAX; i++) {
		load_free(list->loads[i]);
		list->loads[i] = NULL;
	}
}

static void load_done(struct pool_job *job, bool ran)
{
	struct item *item = (struct item *)job;
	struct zonelist *list = item->list;

	list->pending--;
	if (list->pending == 0) {
		free_loads(list); /* no thread of the pool uses one any more */
	}
	if (list->stopping) {
		if (ran) {
			image_free(item->image); /* NULL where none was made */
		}
		return;
	}
	ASSERT(ran);
	if (item->unchanged) {
		item->failed = false;
	} else if (item->status == STATUS_OK) {
		serve(item);
	} else {
		keep(item);
	}
	if (list->pending == 0) {
		finish(list);
	}
}

static int compare_items(const void *a, const void *b)
{
	const struct item *const *left = a;
	const struct item *const *right = b;

	return name_compare(&(*left)->zone->name, &(*right)->zone->name);
}

static int compare_name_item(const void *name, const void *item)
{
	const struct item *const *right = item;

	return name_compare(name, &(*right)->zone->name);
}

static struct item *find(const struct zonelist *list, const struct name *name)
{
	if (list->item_count == 0) {
		return NULL;
	}
	struct item **found = bsearch(
		name, list->items, list->item_count, sizeof(list->items[0]), compare_name_item);
	return found != NULL ? *found : NULL;
}

static struct item *item_new(struct zonelist *list, const struct conf_zone *from)
{
	struct item *item = calloc(1, sizeof(*item));

	if (item == NULL) {
		return NULL;
	}
	item->job = (struct pool_job){.run = load_run, .done = load_done};
	item->list = list;
	item->zone = zone_new(&from->name);
	item->file = strdup(from->file);
	if (item->zone == NULL || item->file == NULL) {
		item_free(item);
		return NULL;
	}
	return item;
}

/* What a load is going to change, made before anything is changed. */
struct plan {
	struct item **items; /* of each zone of the configuration: the one there is, or a new one */
	char **files;        /* of each that is there: the path from now on */
	bool *is_new;
	uint32_t count;
};

static void plan_free(struct plan *plan, bool with_new)
{
	for (uint32_t i = 0; i < plan->count; i++) {
		if (with_new && plan->is_new[i]) {
			item_free(plan->items[i]);
		}
		free(plan->files[i]);
	}
	free(plan->items);
	free(plan->files);
	free(plan->is_new);
}

static bool plan_make(struct zonelist *list, const struct server_config *config, struct plan *plan)
{
	uint32_t room = config->zone_count + 1;

	*plan = (struct plan){.items = calloc(room, sizeof(plan->items[0])),
		.files = calloc(room, sizeof(plan->files[0])),
		.is_new = calloc(room, sizeof(plan->is_new[0]))};
	if (plan->items == NULL || plan->files == NULL || plan->is_new == NULL) {
		return false;
	}
	for (uint32_t i = 0; i < config->zone_count; i++) {
		struct item *item = find(list, &config->zones[i].name);
		plan->count++;
		plan->is_new[i] = item == NULL;
		plan->items[i] = item != NULL ? item : item_new(list, &config->zones[i]);
		plan->files[i] = item != NULL ? strdup(config->zones[i].file) : NULL;
		if (plan->items[i] == NULL || (item != NULL && plan->files[i] == NULL)) {
			return false;
		}
	}
	return true;
}

enum status zonelist_load(
	struct zonelist *list, const struct server_config *config, struct pool *pool)
{
	struct plan plan;

	ASSERT(!list->loading);
	size_t room = (size_t)list->item_count + config->zone_count + 1;
	struct item **items = realloc(list->items, room * sizeof(items[0]));
	if (items == NULL) {
		return STATUS_MEMORY;
	}
	list->items = items;
	if (!plan_make(list, config, &plan)) {
		plan_free(&plan, true);
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < list->item_count; i++) {
		list->items[i]->wanted = false;
	}
	for (uint32_t i = 0; i < plan.count; i++) {
		struct item *item = plan.items[i];
		item->wanted = true;
		if (plan.is_new[i]) {
			list->items[list->item_count++] = item;
		} else {
			char *before = item->file;
			item->file = plan.files[i];
			plan.files[i] = before;
		}
	}
	qsort(list->items, list->item_count, sizeof(list->items[0]), compare_items);
	/* At the start a zone that is still loading is SERVFAIL, not REFUSED: it is ours. */
	if (publish_get(&list->set) == NULL && !publish_wanted(list)) {
		plan_free(&plan, false);
		return STATUS_MEMORY;
	}
	list->loading = true;
	list->pending = plan.count;
	for (uint32_t i = 0; i < plan.count; i++) {
		pool_submit(pool, &plan.items[i]->job);
	}
	plan_free(&plan, false);
	if (list->pending == 0) {
		finish(list);
	}
	return STATUS_OK;
}

bool zonelist_is_loading(const struct zonelist *list)
{
	return list->loading;
}

void zonelist_stop(struct zonelist *list)
{
	list->stopping = true;
}

struct zonelist_counts zonelist_counts(const struct zonelist *list)
{
	struct zonelist_counts counts = {0};

	for (uint32_t i = 0; i < list->item_count; i++) {
		if (list->items[i]->wanted) {
			counts.zones++;
			counts.serving += list->items[i]->serving ? 1 : 0;
			counts.failed += list->items[i]->failed ? 1 : 0;
			counts.unchanged += list->items[i]->unchanged ? 1 : 0;
		}
	}
	return counts;
}

const struct published *zonelist_published(const struct zonelist *list)
{
	return &list->set;
}

/* zonelist.c - loads, publishes, and tells the operator. */
#include "server/zonelist.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/publish.h"
#include "conf/conf.h"
#include "os/clock.h"
#include "os/pool.h"
#include "os/thread.h"
#include "server/state.h"
#include "zone/load.h"
#include "zone/sources.h"
#include "zone/zone.h"

#define OCTETS_A_MIB (1024.0 * 1024.0)
/* The pack is written again when so much of it is out of date; a start reads as many small zones from text at most. */
#define PACK_STALE_SHARE 16u

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
	bool unchanged;      /* its sources are those of what is served: nothing was loaded */
	struct image *image; /* owns, until it is published */
	uint64_t took_ns;
	struct sources sources; /* of the version served; empty where a change might not show */
	bool from_image;        /* the version served came from the state */
	bool is_kept;           /* the state has it, or could not take it */
	bool is_small;          /* it belongs into the pack */
	enum status save_status;
	struct pool_job saving; /* of the image of a large zone, after it was served */
};

/* A grace period may take as long as a worker's batch, so many small zones share one; a large one waits for none. */
#define RETIRED_MAX     64u
#define RETIRED_LEN_MAX (16u << 20) /* octets */

struct zonelist {
	struct hash_key key; /* [ro] */
	struct published set;
	struct item **items; /* owns: in the order of names */
	uint32_t item_count;
	struct image
		*retired[RETIRED_MAX]; /* owns: superseded versions, before their grace period */
	uint32_t retired_count;
	uint64_t retired_len; /* octets of them */
	uint32_t pending;     /* jobs on the pool */
	struct pool *pool;    /* borrows, from the first load on */
	struct state *state;  /* borrows; NULL: nothing is kept */
	uint32_t saves;       /* jobs on the pool that keep images; meanwhile no version changes */
	uint32_t pack_gone;   /* small zones that the pack has and nobody wants */
	struct pool_job pack_saving;
	struct state_small *pack; /* owns, while pack_saving is on the pool */
	uint32_t pack_count;
	enum status pack_status;
	/* own: each is its pool thread's while jobs are pending, and given back when none is */
	struct load *loads[POOL_THREADS_MAX];
	uint32_t processors;       /* [ro] once loads begin */
	_Atomic uint32_t readings; /* [atomic: relaxed, a hint] zone files that are being read */
	bool loading;
	bool stopping;
	void (*finished)(void *context);
	void *context; /* borrows */
};

struct zonelist *zonelist_new(const struct hash_key *key, struct state *state,
	void (*finished)(void *context), void *context)
{
	struct zonelist *list = calloc(1, sizeof(*list));

	if (list != NULL) {
		list->key = *key;
		list->processors = thread_processors();
		list->state = state;
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
		sources_fini(&item->sources);
		free(item->file);
		free(item);
	}
}

/* One grace period for all versions that were superseded since the last. */
static void free_retired(struct zonelist *list)
{
	if (list->retired_count == 0) {
		return;
	}
	publish_wait();
	for (uint32_t i = 0; i < list->retired_count; i++) {
		image_free(list->retired[i]);
	}
	list->retired_count = 0;
	list->retired_len = 0;
}

void zonelist_free(struct zonelist *list)
{
	if (list == NULL) {
		return;
	}
	ASSERT(list->pending == 0 && list->saves == 0);
	free_retired(list);
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

/* On a pool thread: the image that an earlier run kept. */
static bool load_kept(struct item *item)
{
	struct sources sources = {.items = NULL};
	bool rehashed = false;

	if (item->list->state == NULL || item->serving ||
		state_load(item->list->state, &item->zone->name, item->file, &sources, &item->image,
			&rehashed) != STATUS_OK) {
		return false;
	}
	sources_move(&item->sources, &sources);
	item->is_kept = !rehashed;
	return true;
}

/* On a pool thread: the text, by as many threads as the other readings leave processors for. */
static enum status load_text(struct item *item, struct load *load, struct sources *sources)
{
	struct zonelist *list = item->list;
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	uint32_t others = atomic_fetch_add_explicit(&list->readings, 1, memory_order_relaxed);

	load_set_threads(load, list->processors > others ? list->processors - others : 1);
	enum status status = load_file(
		load, item->file, &item->zone->name, &list->key, &sink, sources, &item->image);
	atomic_fetch_sub_explicit(&list->readings, 1, memory_order_relaxed);
	return status;
}

/* On a pool thread. */
static void load_run(struct pool_job *job, uint32_t thread)
{
	struct item *item = (struct item *)job;
	uint64_t start_ns = clock_mono_ns();
	int64_t start_wall_s = clock_now().wall_s;

	item->image = NULL;
	item->unchanged = sources_unchanged(&item->sources, item->file);
	if (item->unchanged) {
		item->status = STATUS_OK;
		return;
	}
	item->is_kept = false;
	item->from_image = load_kept(item);
	if (item->from_image) {
		item->status = STATUS_OK;
		item->took_ns = clock_mono_ns() - start_ns;
		return;
	}
	struct load **load = &item->list->loads[thread];
	struct sources sources = {.items = NULL};
	*load = *load != NULL ? *load : load_new();
	item->status = *load == NULL ? STATUS_MEMORY : load_text(item, *load, &sources);
	item->took_ns = clock_mono_ns() - start_ns;
	/* A bad file is told at every load, whatever is served; so is one that may have changed behind our back. */
	if (item->status != STATUS_OK || !sources_are_old(&sources, start_wall_s)) {
		sources_fini(&sources);
	}
	sources_move(&item->sources, &sources);
}

/* image: no longer served, and perhaps still in some worker's hands; NULL is accepted. */
static void retire(struct zonelist *list, struct image *image)
{
	struct image_stats stats;

	if (image == NULL) {
		return;
	}
	image_stats(image, &stats);
	list->retired[list->retired_count++] = image;
	list->retired_len += stats.memory_len;
	if (list->retired_count == RETIRED_MAX || list->retired_len > RETIRED_LEN_MAX) {
		free_retired(list);
	}
}

static void serve(struct item *item)
{
	struct image_stats stats;
	char name[NAME_TEXT_MAX];

	image_stats(item->image, &stats);
	retire(item->list, zone_exchange(item->zone, item->image));
	item->image = NULL;
	item->is_small = stats.memory_len <= STATE_SMALL;
	item->serving = true;
	item->failed = false;
	log_info("event=zone-served zone=%s records=%" PRIu64 " serial=%u ms=%.1f memory-mib=%.2f "
		 "octets-a-record=%.1f source=%s file=\"%s\"",
		name_to_text(&item->zone->name, name), stats.record_count, stats.serial,
		(double)item->took_ns / (double)NOW_NS_A_MILLISECOND,
		(double)stats.memory_len / OCTETS_A_MIB,
		(double)stats.memory_len / (double)stats.record_count,
		item->from_image ? "image" : "text", item->file);
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
		if (list->state != NULL) {
			state_forget(list->state, &item->zone->name);
			list->pack_gone += item->is_small;
		}
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

/* On a pool thread; the image stays served meanwhile, since no load begins before this is over. */
static void save_run(struct pool_job *job, uint32_t thread)
{
	struct item *item = (struct item *)(void *)((char *)job - offsetof(struct item, saving));

	(void)thread;
	item->save_status = state_save(item->list->state, &item->zone->name,
		publish_get(&item->zone->image), &item->sources);
}

static void save_done(struct pool_job *job, bool ran)
{
	struct item *item = (struct item *)(void *)((char *)job - offsetof(struct item, saving));

	item->list->saves--;
	if (ran && item->save_status == STATUS_OK) {
		char name[NAME_TEXT_MAX];
		log_info("event=image-kept zone=%s", name_to_text(&item->zone->name, name));
	}
}

static struct zonelist *list_of_pack(struct pool_job *job)
{
	return (struct zonelist *)(void *)((char *)job - offsetof(struct zonelist, pack_saving));
}

/* On a pool thread. */
static void pack_run(struct pool_job *job, uint32_t thread)
{
	struct zonelist *list = list_of_pack(job);

	(void)thread;
	list->pack_status = state_save_pack(list->state, list->pack, list->pack_count);
}

static void pack_done(struct pool_job *job, bool ran)
{
	struct zonelist *list = list_of_pack(job);

	if (ran && list->pack_status == STATUS_OK) {
		log_info("event=image-pack-kept zones=%u", list->pack_count);
	}
	free(list->pack);
	list->pack = NULL;
	list->saves--;
}

/* A zone that can be kept: it is served, and a change of its files would show. */
static bool is_keepable(const struct item *item)
{
	return item->serving && item->sources.count != 0;
}

static void save_pack(struct zonelist *list)
{
	uint32_t count = 0, stale = list->pack_gone;

	for (uint32_t i = 0; i < list->item_count; i++) {
		const struct item *item = list->items[i];
		if (item->is_small && is_keepable(item)) {
			count++;
			stale += item->is_kept ? 0 : 1;
		}
	}
	if (stale == 0 || (uint64_t)stale * PACK_STALE_SHARE < count) {
		return;
	}
	list->pack = malloc((count + 1) * sizeof(list->pack[0]));
	if (list->pack == NULL) {
		return; /* the next load tries again */
	}
	list->pack_count = 0;
	for (uint32_t i = 0; i < list->item_count; i++) {
		struct item *item = list->items[i];
		if (item->is_small && is_keepable(item)) {
			item->is_kept = true;
			list->pack[list->pack_count++] =
				(struct state_small){.zone = &item->zone->name,
					.image = publish_get(&item->zone->image),
					.sources = &item->sources};
		}
	}
	list->pack_gone = 0;
	list->saves++;
	list->pack_saving = (struct pool_job){.run = pack_run, .done = pack_done};
	pool_submit(list->pool, &list->pack_saving);
}

/* Keeps what the state has not yet, after all of it is served. */
static void save_all(struct zonelist *list)
{
	for (uint32_t i = 0; i < list->item_count; i++) {
		struct item *item = list->items[i];
		if (!item->is_small && !item->is_kept && is_keepable(item)) {
			item->is_kept = true;
			list->saves++;
			item->saving = (struct pool_job){.run = save_run, .done = save_done};
			pool_submit(list->pool, &item->saving);
		}
	}
	save_pack(list);
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
	if (list->state != NULL && !list->stopping) {
		state_loaded(list->state);
		if (state_can_save(list->state)) {
			save_all(list);
		}
	}
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
		free_retired(list);
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

	ASSERT(!zonelist_is_loading(list));
	list->pool = pool;
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
	return list->loading || list->saves != 0;
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

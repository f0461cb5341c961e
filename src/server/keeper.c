/* keeper.c - a list of what was seen, a state, a file. */
#include "server/keeper.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/log.h"
#include "base/publish.h"
#include "dnssec/keyset.h"
#include "os/diskfile.h"
#include "os/poll.h"
#include "os/textfile.h"
#include "resolve/anchors.h"
#include "resolve/rollover.h"

#define FILE_NAME "trust-anchors"

/* One set that was seen. */
struct seen {
	struct seen *next;
	struct rollover_sight sight; /* its keys are in the arena */
	struct arena arena;
};

struct keeper {
	struct keeper_config config;
	char path[DISKFILE_PATH_MAX];
	struct rollover *rollover; /* owns */
	struct published anchors;  /* owns what it holds */
	pthread_mutex_t lock;
	struct seen *first; /* [mu lock] owns: the newest */
};

static void free_seen(struct seen *seen)
{
	arena_fini(&seen->arena);
	free(seen);
}

/* On the worker's thread, a few times a day. */
static void take_sight(void *context, const struct rollover_sight *sight)
{
	struct keeper *keeper = context;
	struct seen *seen = calloc(1, sizeof(*seen));

	if (seen == NULL) {
		return; /* the next time */
	}
	arena_init(&seen->arena, 0);
	seen->sight = *sight;
	seen->sight.keys = rrset_copy(&seen->arena, sight->keys);
	if (seen->sight.keys == NULL) {
		free_seen(seen);
		return;
	}
	pthread_mutex_lock(&keeper->lock);
	seen->next = keeper->first;
	keeper->first = seen;
	pthread_mutex_unlock(&keeper->lock);
	poll_wake(keeper->config.poll);
}

struct resolve_follower keeper_follower(struct keeper *keeper)
{
	return (struct resolve_follower){.seen = take_sight, .context = keeper};
}

const struct published *keeper_anchors(const struct keeper *keeper)
{
	return &keeper->anchors;
}

static void log_refused(void *context, const struct diag *diag)
{
	(void)context;
	log_warning("event=trust-anchors-refused file=\"%s\" line=%u reason=\"%s\" "
		    "serving=\"the configured ones\"",
		diag->file, diag->line, diag->text);
}

static enum status read_state(struct keeper *keeper)
{
	const struct diag_sink sink = {.report = log_refused};
	struct textfile text;
	enum status status = textfile_read(keeper->path, true, ROLLOVER_TEXT_LEN_MAX, &text);

	if (status == STATUS_IO && errno == ENOENT) {
		return STATUS_OK;
	}
	if (status == STATUS_MEMORY) {
		return status;
	}
	if (status != STATUS_OK) {
		diag_report(&sink, DIAG_ERROR, keeper->path, 0, 0, "cannot be read: %s",
			status == STATUS_IO ? strerror(errno) : status_text(status));
		return STATUS_OK;
	}
	status = rollover_from_text(
		keeper->rollover, keeper->path, (const char *)text.octets, text.len, &sink);
	textfile_free(&text);
	return status == STATUS_REFUSED ? STATUS_OK : status;
}

static void log_key(void *context, const struct name *zone, const struct rrset_rdata *key,
	enum rollover_state state)
{
	char text[NAME_TEXT_MAX];

	(void)context;
	log_info("event=trust-anchor zone=%s tag=%u state=%s", name_to_text(zone, text),
		keyset_tag(key), rollover_state_text(state));
}

/* A zone that has lost its last anchor is not checked any more: somebody has to know. */
static void check_zones(const struct keeper *keeper, const struct anchors *anchors)
{
	const struct name *zone;

	for (uint32_t i = 0; (zone = anchors_zone(keeper->config.configured, i)) != NULL; i++) {
		char text[NAME_TEXT_MAX];
		if (anchors_of(anchors, zone) == NULL) {
			log_error(
				"event=trust-anchors-gone zone=%s reason=\"all keys are revoked\" "
				"effect=\"nothing below is validated\"",
				name_to_text(zone, text));
		}
	}
}

/* The anchors as configured and as the state has it, to all workers. */
static enum status publish_anchors(struct keeper *keeper)
{
	struct anchors *anchors = anchors_copy(keeper->config.configured);

	if (anchors == NULL || rollover_apply(keeper->rollover, anchors) != STATUS_OK) {
		anchors_free(anchors);
		return STATUS_MEMORY;
	}
	check_zones(keeper, anchors);
	struct anchors *before = publish_set(&keeper->anchors, anchors);
	if (before != NULL) {
		publish_wait();
		anchors_free(before);
	}
	return STATUS_OK;
}

static enum status write_state(const struct keeper *keeper)
{
	struct diskfile file;
	size_t len;
	char *text = rollover_to_text(keeper->rollover, &len);
	enum status status = text == NULL ? STATUS_MEMORY : diskfile_create(keeper->path, &file);

	if (status == STATUS_OK) {
		status = diskfile_write(&file, text, len);
		if (status == STATUS_OK) {
			status = diskfile_commit(&file);
		} else {
			diskfile_abort(&file);
		}
	}
	free(text);
	return status;
}

static void save(const struct keeper *keeper)
{
	if (!keeper->config.can_save) {
		log_warning("event=trust-anchors-not-kept file=\"%s\" reason=\"another process has "
			    "the folder\"",
			keeper->path);
		return;
	}
	enum status status = write_state(keeper);
	if (status != STATUS_OK) {
		log_warning("event=trust-anchors-not-kept file=\"%s\" reason=\"%s\"", keeper->path,
			status == STATUS_IO ? strerror(errno) : status_text(status));
	}
}

struct keeper *keeper_new(const struct keeper_config *config)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));

	if (keeper == NULL) {
		return NULL;
	}
	pthread_mutex_init(&keeper->lock, NULL);
	keeper->config = *config;
	snprintf(keeper->path, sizeof(keeper->path), "%s/" FILE_NAME, config->folder);
	keeper->rollover = rollover_new();
	if (keeper->rollover == NULL || read_state(keeper) != STATUS_OK ||
		publish_anchors(keeper) != STATUS_OK) {
		keeper_free(keeper);
		return NULL;
	}
	return keeper;
}

void keeper_free(struct keeper *keeper)
{
	if (keeper == NULL) {
		return;
	}
	while (keeper->first != NULL) {
		struct seen *seen = keeper->first;
		keeper->first = seen->next;
		free_seen(seen);
	}
	anchors_free(publish_get(&keeper->anchors));
	rollover_free(keeper->rollover);
	pthread_mutex_destroy(&keeper->lock);
	free(keeper);
}

enum status keeper_configure(struct keeper *keeper, const struct anchors *configured)
{
	const struct anchors *before = keeper->config.configured;

	keeper->config.configured = configured;
	enum status status = publish_anchors(keeper);
	if (status != STATUS_OK) {
		keeper->config.configured = before;
	}
	return status;
}

void keeper_collect(struct keeper *keeper)
{
	struct seen *oldest = NULL;
	bool changed = false;

	pthread_mutex_lock(&keeper->lock);
	struct seen *newest = keeper->first;
	keeper->first = NULL;
	pthread_mutex_unlock(&keeper->lock);
	while (newest != NULL) { /* in the order in which they were seen */
		struct seen *next = newest->next;
		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	while (oldest != NULL) {
		struct seen *seen = oldest;
		oldest = seen->next;
		changed |= rollover_see(keeper->rollover, &seen->sight, keeper->config.configured);
		free_seen(seen);
	}
	if (!changed) {
		return;
	}
	rollover_each(keeper->rollover, log_key, NULL);
	save(keeper);
	if (publish_anchors(keeper) != STATUS_OK) {
		log_error("event=trust-anchors-kept reason=\"out of memory\"");
	}
}

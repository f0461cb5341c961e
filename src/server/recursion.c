/* recursion.c - from configuration to the resolver's parts. */
#include "server/recursion.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/publish.h"
#include "cache/cache.h"
#include "conf/conf_resolver.h"
#include "os/seed.h"
#include "os/usage.h"
#include "resolve/sizes.h"
#include "server/keeper.h"
#include "server/resolver.h"
#include "server/ruleset.h"

#define MIB        ((uint64_t)1 << 20)
#define SIZE_LEAST (2 * CACHE_SIZE_MIN) /* of it three quarters are the cache's */
#define AUTO_SHARE 4u                   /* of the machine's memory goes to the cache */

struct recursion {
	struct sizes sizes;
	struct resolver_config config;
	struct cache *cache;        /* owns */
	struct published published; /* owns what it holds: a struct ruleset */
	struct ruleset *ruleset;    /* that one */
	struct keeper *keeper;      /* owns; NULL: the anchors stay as configured */
	struct resolve_follower follower;
};

static enum status make_cache(
	struct recursion *recursion, const struct conf_resolver *conf, uint32_t workers)
{
	uint64_t size = conf->cache_size * MIB;
	uint8_t key[16];

	if (size == 0) {
		size = usage_memory() / AUTO_SHARE;
	}
	const uint64_t memory = usage_memory();
	if (memory != 0 && size > memory) {
		fprintf(stderr,
			"saker: resolver.cache.size is %" PRIu64
			"M (expected at most the machine's "
			"memory, %" PRIu64 "M)\n",
			size / MIB, memory / MIB);
		return STATUS_REFUSED;
	}
	seed_octets(key, sizeof(key));
	recursion->sizes = sizes_divide(size < SIZE_LEAST ? SIZE_LEAST : size, workers);
	recursion->cache = cache_new(recursion->sizes.cache, key);
	if (recursion->cache == NULL) {
		fprintf(stderr,
			"saker: resolver.cache.size is %" PRIu64 "M, which cannot be had: %s "
			"(expected less)\n",
			size / MIB, status_text(STATUS_MEMORY));
		return STATUS_REFUSED;
	}
	return STATUS_OK;
}

static enum status make_keeper(struct recursion *recursion, const struct recursion_setup *setup)
{
	const struct keeper_config config = {.configured = recursion->ruleset->anchors,
		.folder = setup->state,
		.can_save = setup->can_save,
		.poll = setup->poll};

	if (setup->state == NULL || setup->conf->validate == 0 ||
		setup->conf->anchor_rollover == 0) {
		return STATUS_OK;
	}
	recursion->keeper = keeper_new(&config);
	if (recursion->keeper == NULL) {
		return STATUS_MEMORY;
	}
	recursion->follower = keeper_follower(recursion->keeper);
	recursion->config.shared.changing_anchors = keeper_anchors(recursion->keeper);
	return STATUS_OK;
}

static void fill_config(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct resolver_config *config = &recursion->config;
	const struct rules *rules = &recursion->ruleset->rules;

	for (uint32_t i = 0; i < conf->source.count; i++) {
		config->upstream.source[i] = conf->source.items[i];
	}
	config->core = rules->config;
	config->shared = (struct resolve_shared){.cache = recursion->cache,
		.anchors = rules->anchors,
		.hints = rules->hints,
		.local = rules->local,
		.rebinding = rules->rebinding,
		.rules = &recursion->published};
	publish_set(&recursion->published, recursion->ruleset);
}

enum status recursion_new(const struct recursion_setup *setup, struct recursion **out)
{
	const struct conf_resolver *conf = setup->conf;
	struct recursion *recursion = calloc(1, sizeof(*recursion));
	enum status status =
		recursion == NULL ? STATUS_MEMORY : make_cache(recursion, conf, setup->workers);

	if (status == STATUS_OK) {
		status = ruleset_new(conf, RULES_NONE + 1, &recursion->sizes, &recursion->ruleset);
	}
	if (status == STATUS_OK) {
		fill_config(recursion, conf);
		status = make_keeper(recursion, setup);
	}
	if (status != STATUS_OK) {
		recursion_free(recursion);
		return status;
	}
	struct cache_stats stats;
	cache_stats(recursion->cache, &stats);
	log_info("event=resolver-cache mib=%" PRIu64 " of-machine-mib=%" PRIu64
		 " spans-mib=%" PRIu64 " queries-a-worker=%u",
		stats.size / MIB, usage_memory() / MIB,
		recursion->sizes.spans * setup->workers / MIB, recursion->sizes.queries);
	ruleset_log(recursion->ruleset);
	*out = recursion;
	return STATUS_OK;
}

void recursion_free(struct recursion *recursion)
{
	if (recursion != NULL) {
		cache_free(recursion->cache);
		keeper_free(recursion->keeper);
		ruleset_free(recursion->ruleset);
		free(recursion);
	}
}

/* What cannot change while workers run is as before, whatever the configuration says now. */
static void keep_fixed(const struct rules *old, struct rules *now)
{
	now->config.sha1 = old->config.sha1;
	now->config.ipv4 = old->config.ipv4;
	now->config.ipv6 = old->config.ipv6;
}

enum status recursion_reload(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct ruleset *old = recursion->ruleset, *now;
	enum status status = ruleset_new(conf, old->rules.number + 1, &recursion->sizes, &now);

	if (status != STATUS_OK) {
		return status;
	}
	keep_fixed(&old->rules, &now->rules);
	if (recursion->keeper != NULL) {
		status = keeper_configure(recursion->keeper, now->anchors);
		if (status != STATUS_OK) {
			ruleset_free(now);
			return status;
		}
	}
	publish_set(&recursion->published, now);
	recursion->ruleset = now;
	publish_wait();
	uint64_t count = rules_forget(recursion->cache, &old->rules, &now->rules);
	ruleset_free(old);
	ruleset_log(now);
	log_info("event=resolver-reloaded forgotten=%" PRIu64, count);
	return STATUS_OK;
}

const struct resolve_follower *recursion_follower(const struct recursion *recursion)
{
	return recursion->keeper != NULL ? &recursion->follower : NULL;
}

void recursion_collect(struct recursion *recursion)
{
	if (recursion != NULL && recursion->keeper != NULL) {
		keeper_collect(recursion->keeper);
	}
}

const struct resolver_config *recursion_config(const struct recursion *recursion)
{
	return &recursion->config;
}

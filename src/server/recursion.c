/* recursion.c - from configuration to the resolver's parts. */
#include "server/recursion.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cache/cache.h"
#include "conf/conf_resolver.h"
#include "os/seed.h"
#include "os/textfile.h"
#include "os/usage.h"
#include "resolve/anchors.h"
#include "resolve/hints.h"
#include "resolve/local.h"
#include "resolve/rebinding.h"
#include "resolve/sizes.h"
#include "server/keeper.h"
#include "server/resolver.h"

#define MIB           (1ull << 20)
#define SIZE_LEAST    (2 * CACHE_SIZE_MIN) /* of it three quarters are the cache's */
#define AUTO_SHARE    4u                   /* of the machine's memory goes to the cache */
#define FILE_LEN_MAX  (1u << 20)           /* octets of hints and anchors: both are a page or two */
#define LOCAL_LEN_MAX (256u << 20)

struct recursion {
	struct sizes sizes;
	struct resolver_config config;
	struct cache *cache;     /* owns */
	struct anchors *anchors; /* owns */
	struct hints *hints;     /* owns */
	struct localdata *local; /* owns; NULL: none */
	struct rebinding rebinding;
	struct keeper *keeper; /* owns; NULL: the anchors stay as configured */
	struct resolve_follower follower;
};

static struct diag_sink sink_of_stderr(void)
{
	return (struct diag_sink){.report = diag_print, .context = stderr};
}

/* What takes the text of a file. */
typedef enum status (*add_text)(
	void *to, const char *path, const char *text, size_t len, const struct diag_sink *sink);

static enum status read_file(const char *path, uint64_t len_max, void *to, add_text add)
{
	const struct diag_sink sink = sink_of_stderr();
	struct textfile text;
	enum status status = textfile_read(path, false, len_max, &text);

	if (status == STATUS_MEMORY) {
		return status;
	}
	if (status != STATUS_OK) {
		diag_report(&sink, DIAG_ERROR, path, 0, 0, "cannot be read: %s",
			status == STATUS_IO ? strerror(errno) : status_text(status));
		return STATUS_REFUSED;
	}
	status = add(to, path, (const char *)text.octets, text.len, &sink);
	textfile_free(&text);
	return status;
}

static enum status add_hints(
	void *to, const char *path, const char *text, size_t len, const struct diag_sink *sink)
{
	return hints_add_root(to, path, text, len, sink);
}

static enum status add_anchors(
	void *to, const char *path, const char *text, size_t len, const struct diag_sink *sink)
{
	return anchors_add_text(to, path, text, len, sink);
}

static enum status add_local(
	void *to, const char *path, const char *text, size_t len, const struct diag_sink *sink)
{
	return local_add_text(to, path, text, len, sink);
}

static enum status make_hints(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct hints *hints = recursion->hints = hints_new();

	if (hints == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = conf->root_hints == NULL
				     ? hints_add_builtin(hints)
				     : read_file(conf->root_hints, FILE_LEN_MAX, hints, add_hints);
	for (uint32_t i = 0; i < conf->stub.count && status == STATUS_OK; i++) {
		const struct conf_upstream *stub = &conf->stub.items[i];
		status = hints_add(
			hints, HINT_STUB, &stub->zone, stub->to.items, stub->to.count, false);
	}
	for (uint32_t i = 0; i < conf->forward.count && status == STATUS_OK; i++) {
		const struct conf_upstream *forward = &conf->forward.items[i];
		status = hints_add(hints, HINT_FORWARD, &forward->zone, forward->to.items,
			forward->to.count, forward->fall_back != 0);
	}
	return status;
}

static enum status make_anchors(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct anchors *anchors = recursion->anchors = anchors_new();

	if (anchors == NULL) {
		return STATUS_MEMORY;
	}
	enum status status =
		conf->trust_anchors == NULL
			? anchors_add_builtin(anchors)
			: read_file(conf->trust_anchors, FILE_LEN_MAX, anchors, add_anchors);
	for (uint32_t i = 0; i < conf->negative_trust_anchors.count && status == STATUS_OK; i++) {
		status = anchors_add_negative(anchors, &conf->negative_trust_anchors.items[i]);
	}
	return status;
}

static enum status make_local(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct localdata *local = recursion->local = local_new();

	if (local == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = conf->special_names != 0 ? local_add_builtin(local) : STATUS_OK;
	for (uint32_t i = 0; i < conf->resolve_special.count && status == STATUS_OK; i++) {
		status = local_add_pass(local, &conf->resolve_special.items[i]);
	}
	for (uint32_t i = 0; i < conf->local_zones.count && status == STATUS_OK; i++) {
		status = local_add_zone(local, &conf->local_zones.items[i]);
	}
	if (status == STATUS_OK && conf->local_records != NULL) {
		status = read_file(conf->local_records, LOCAL_LEN_MAX, local, add_local);
	}
	return status;
}

static enum status make_cache(
	struct recursion *recursion, const struct conf_resolver *conf, uint32_t workers)
{
	uint64_t size = conf->cache_size * MIB;
	uint8_t key[16];

	if (size == 0) {
		size = usage_memory() / AUTO_SHARE;
	}
	recursion->sizes = sizes_divide(size < SIZE_LEAST ? SIZE_LEAST : size, workers);
	seed_octets(key, sizeof(key));
	recursion->cache = cache_new(recursion->sizes.cache, key);
	return recursion->cache != NULL ? STATUS_OK : STATUS_MEMORY;
}

static void fill_config(struct recursion *recursion, const struct conf_resolver *conf)
{
	struct resolver_config *config = &recursion->config;

	config->core = RESOLVE_CONFIG_DEFAULT;
	config->core.spans_size = recursion->sizes.spans;
	config->core.queries_max = recursion->sizes.queries;
	config->core.udp_len = (uint16_t)conf->udp_payload;
	config->core.validate = conf->validate != 0;
	config->core.sha1 = conf->sha1 != 0;
	config->core.minimise = conf->qname_minimisation != 0;
	config->core.aggressive = conf->aggressive_nsec != 0;
	config->core.minimal_any = conf->minimal_any != 0;
	config->core.dns64 = conf->dns64;
	config->core.query_localhost = conf->query_localhost != 0;
	config->core.ttl_max_s = conf->ttl_max;
	config->core.negative_ttl_max_s = conf->negative_ttl_max;
	config->core.stale_s = conf->serve_stale;
	config->allow = conf->allow;
	config->core.ipv4 = config->core.ipv6 = conf->source.count == 0;
	for (uint32_t i = 0; i < conf->source.count && i < 2; i++) {
		config->upstream.source[i] = conf->source.items[i];
		config->core.ipv4 |= conf->source.items[i].family == ADDR_V4;
		config->core.ipv6 |= conf->source.items[i].family == ADDR_V6;
	}
	config->shared = (struct resolve_shared){.cache = recursion->cache,
		.anchors = recursion->anchors,
		.hints = recursion->hints,
		.local = recursion->local};
	if (conf->private_addresses.count > 0) {
		recursion->rebinding = (struct rebinding){.prefixes = &conf->private_addresses,
			.exempt = conf->private_names.items,
			.exempt_count = conf->private_names.count};
		config->shared.rebinding = &recursion->rebinding;
	}
}

static enum status make_keeper(struct recursion *recursion, const struct recursion_setup *setup)
{
	const struct keeper_config config = {.configured = recursion->anchors,
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

enum status recursion_new(const struct recursion_setup *setup, struct recursion **out)
{
	const struct conf_resolver *conf = setup->conf;
	struct recursion *recursion = calloc(1, sizeof(*recursion));
	enum status status = recursion == NULL ? STATUS_MEMORY : make_hints(recursion, conf);

	if (status == STATUS_OK) {
		status = make_anchors(recursion, conf);
	}
	if (status == STATUS_OK) {
		status = make_local(recursion, conf);
	}
	if (status == STATUS_OK) {
		status = make_cache(recursion, conf, setup->workers);
	}
	if (status == STATUS_OK) {
		fill_config(recursion, conf);
		status = make_keeper(recursion, setup);
	}
	if (status != STATUS_OK) {
		recursion_free(recursion);
		return status;
	}
	*out = recursion;
	return STATUS_OK;
}

void recursion_free(struct recursion *recursion)
{
	if (recursion != NULL) {
		cache_free(recursion->cache);
		keeper_free(recursion->keeper);
		anchors_free(recursion->anchors);
		hints_free(recursion->hints);
		local_free(recursion->local);
		free(recursion);
	}
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

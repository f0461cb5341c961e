/* ruleset.c - from configuration to the resolver's rules. */
#include "server/ruleset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/log.h"
#include "base/octets.h"
#include "conf/conf_resolver.h"
#include "os/textfile.h"
#include "resolve/anchors.h"
#include "resolve/hints.h"
#include "resolve/local.h"
#include "resolve/sizes.h"

#define FILE_LEN_MAX     (1u << 20) /* octets of hints and anchors: both are a page or two */
#define LOCAL_LEN_MAX    (256u << 20)
#define ANCHORS_TEXT_MAX 512u /* octets of the list in a log line; cut behind that */

/* What cores and the resolver read are two views of one pointer. */
_Static_assert(offsetof(struct ruleset, rules) == 0, "a published ruleset is published rules");

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

static enum status make_hints(struct ruleset *ruleset, const struct conf_resolver *conf)
{
	struct hints *hints = ruleset->hints = hints_new();

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

/* A file without any would turn validation off in silence. */
static enum status check_anchors(const struct anchors *anchors, const char *path)
{
	const struct diag_sink sink = sink_of_stderr();

	if (anchors_zone(anchors, 0) != NULL) {
		return STATUS_OK;
	}
	diag_report(&sink, DIAG_ERROR, path, 0, 0,
		"no trust anchor (expected a DS or DNSKEY record, or validate: false)");
	return STATUS_REFUSED;
}

static enum status make_anchors(struct ruleset *ruleset, const struct conf_resolver *conf)
{
	struct anchors *anchors = ruleset->anchors = anchors_new();

	if (anchors == NULL) {
		return STATUS_MEMORY;
	}
	enum status status =
		conf->trust_anchors == NULL
			? anchors_add_builtin(anchors)
			: read_file(conf->trust_anchors, FILE_LEN_MAX, anchors, add_anchors);
	if (status == STATUS_OK) {
		status = check_anchors(anchors, conf->trust_anchors);
	}
	for (uint32_t i = 0; i < conf->negative_trust_anchors.count && status == STATUS_OK; i++) {
		status = anchors_add_negative(anchors, &conf->negative_trust_anchors.items[i]);
	}
	return status;
}

static enum status make_local(struct ruleset *ruleset, const struct conf_resolver *conf)
{
	struct localdata *local = ruleset->local = local_new();

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

static struct resolve_config make_config(
	const struct conf_resolver *conf, const struct sizes *sizes)
{
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;

	config.spans_size = sizes->spans;
	config.queries_max = sizes->queries;
	config.udp_len = (uint16_t)conf->udp_payload;
	config.validate = conf->validate != 0;
	config.sha1 = conf->sha1 != 0;
	config.minimise = conf->qname_minimisation != 0;
	config.aggressive = conf->aggressive_nsec != 0;
	config.minimal_any = conf->minimal_any != 0;
	config.dns64 = conf->dns64;
	config.query_localhost = conf->query_localhost != 0;
	config.ttl_max_s = conf->ttl_max;
	config.negative_ttl_max_s = conf->negative_ttl_max;
	config.stale_s = conf->serve_stale;
	config.ipv4 = config.ipv6 = conf->source.count == 0;
	for (uint32_t i = 0; i < conf->source.count; i++) {
		config.ipv4 |= conf->source.items[i].family == ADDR_V4;
		config.ipv6 |= conf->source.items[i].family == ADDR_V6;
	}
	return config;
}

static enum status make_rebinding(struct ruleset *ruleset, const struct conf_resolver *conf)
{
	const struct conf_names *names = &conf->private_names;

	if (conf->private_addresses.count == 0) {
		return STATUS_OK;
	}
	ruleset->private_addresses = conf->private_addresses;
	ruleset->rebinding = (struct rebinding){.prefixes = &ruleset->private_addresses};
	ruleset->rules.rebinding = &ruleset->rebinding;
	if (names->count > 0) {
		ruleset->private_names = calloc(names->count, sizeof(names->items[0]));
		if (ruleset->private_names == NULL) {
			return STATUS_MEMORY;
		}
		memcpy(ruleset->private_names, names->items,
			names->count * sizeof(names->items[0]));
		ruleset->rebinding.exempt = ruleset->private_names;
		ruleset->rebinding.exempt_count = names->count;
	}
	return STATUS_OK;
}

enum status ruleset_new(const struct conf_resolver *conf, uint64_t number,
	const struct sizes *sizes, struct ruleset **out)
{
	struct ruleset *ruleset = calloc(1, sizeof(*ruleset));
	enum status status = ruleset == NULL ? STATUS_MEMORY : make_hints(ruleset, conf);

	if (status == STATUS_OK) {
		status = make_anchors(ruleset, conf);
	}
	if (status == STATUS_OK) {
		status = make_local(ruleset, conf);
	}
	if (status == STATUS_OK) {
		status = make_rebinding(ruleset, conf);
	}
	if (status != STATUS_OK) {
		ruleset_free(ruleset);
		return status;
	}
	ruleset->allow = conf->allow;
	ruleset->forward_count = conf->forward.count;
	ruleset->stub_count = conf->stub.count;
	ruleset->rules.number = number;
	ruleset->rules.config = make_config(conf, sizes);
	ruleset->rules.anchors = ruleset->anchors;
	ruleset->rules.hints = ruleset->hints;
	ruleset->rules.local = ruleset->local;
	*out = ruleset;
	return STATUS_OK;
}

/* `.:20326,.:38696`: zone and key tag of each. */
static void list_anchors(const struct anchors *anchors, char *out, size_t cap)
{
	const struct name *zone;
	size_t len = 0;

	out[0] = '\0';
	for (uint32_t i = 0; (zone = anchors_zone(anchors, i)) != NULL; i++) {
		const struct rrset *set = anchors_of(anchors, zone);
		struct rrset_walk walk = {.left = 0};
		struct rrset_rdata ds;
		char text[NAME_TEXT_MAX];
		if (set != NULL) {
			walk = rrset_records(set);
		}
		while (rrset_next(&walk, &ds) && len < cap) {
			len += (size_t)snprintf(out + len, cap - len, "%s%s:%u",
				len == 0 ? "" : ",", name_to_text(zone, text),
				octets_get_u16(ds.octets));
		}
	}
}

static bool is_open(const struct acl *acl)
{
	for (uint32_t i = 0; i < acl->count; i++) {
		if (acl->prefixes[i].len == 0) {
			return true;
		}
	}
	return false;
}

void ruleset_log(const struct ruleset *ruleset)
{
	const struct resolve_config *config = &ruleset->rules.config;
	const struct hint *root = hints_find_root(ruleset->hints);
	char anchors[ANCHORS_TEXT_MAX];

	list_anchors(ruleset->anchors, anchors, sizeof(anchors));
	log_info("event=resolver-rules validate=%s anchors=%s root-servers=%u forward-zones=%u "
		 "stub-zones=%u allow-prefixes=%u queries-a-worker=%u stale-s=%u ipv4=%s ipv6=%s",
		config->validate ? "yes" : "no", config->validate ? anchors : "-",
		root != NULL ? root->server_count : 0, ruleset->forward_count, ruleset->stub_count,
		ruleset->allow.count, RESOLVE_QUERIES_MAX, config->stale_s,
		config->ipv4 ? "yes" : "no", config->ipv6 ? "yes" : "no");
	if (is_open(&ruleset->allow)) {
		log_warning(
			"event=open-resolver reason=\"resolver.allow holds all addresses\" "
			"hint=\"list your own prefixes: this one amplifies attacks on others\"");
	}
}

void ruleset_free(struct ruleset *ruleset)
{
	if (ruleset != NULL) {
		anchors_free(ruleset->anchors);
		hints_free(ruleset->hints);
		local_free(ruleset->local);
		free(ruleset->private_names);
		free(ruleset);
	}
}

/* standin.c - the least that can stand for zones and answers: what the server costs without them.
 *
 * A file loads where it can be read and does not begin with `bad`. Every query is answered with its header:
 * NOERROR where some zone has a version, SERVFAIL where none has, REFUSED where there are no zones.
 */
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "base/octets.h"
#include "os/textfile.h"
#include "server/state.h"
#include "wire/wire.h"
#include "zone/load.h"
#include "zone/sources.h"
#include "zone/zone.h"

struct image {
	struct textfile text;
};

struct zone_set {
	struct hash_key key;
	uint32_t count;
	struct zone *zones[];
};

struct answerer {
	const struct published *zones;
	struct answer_counters counters;
};

struct zone *zone_new(const struct name *name)
{
	struct zone *zone = calloc(1, sizeof(*zone));

	if (zone != NULL) {
		zone->name = *name;
		name_lower(&zone->name);
	}
	return zone;
}

void zone_free(struct zone *zone)
{
	image_free(publish_get(&zone->image));
	free(zone);
}

struct image *zone_exchange(struct zone *zone, struct image *image)
{
	return publish_set(&zone->image, image);
}

void zone_publish(struct zone *zone, struct image *image)
{
	struct image *before = publish_set(&zone->image, image);

	publish_wait();
	image_free(before);
}

struct zone_set *zone_set_new(const struct hash_key *key, struct zone *const *zones, uint32_t count)
{
	struct zone_set *set = calloc(1, sizeof(*set) + count * sizeof(zones[0]));

	if (set != NULL) {
		set->key = *key;
		set->count = count;
		for (uint32_t i = 0; i < count; i++) {
			set->zones[i] = zones[i];
		}
	}
	return set;
}

void zone_set_free(struct zone_set *set)
{
	free(set);
}

const struct hash_key *zone_set_key(const struct zone_set *set)
{
	return &set->key;
}

uint32_t zone_set_count(const struct zone_set *set)
{
	return set->count;
}

struct zone *zone_set_get(const struct zone_set *set, uint32_t idx)
{
	return set->zones[idx];
}

struct load *load_new(void)
{
	return malloc(1);
}

void load_set_threads(struct load *load, uint32_t count)
{
	(void)load;
	ASSERT(count >= 1);
}

void load_free(struct load *load)
{
	free(load);
}

enum status load_file(struct load *load, const char *path, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct sources *sources,
	struct image **image_out)
{
	(void)load;
	struct image *image = calloc(1, sizeof(*image));

	(void)origin;
	(void)key;
	if (image == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = textfile_read(path, false, 1u << 30, &image->text);
	if (status != STATUS_OK) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be read");
	} else if (image->text.len >= 3 && memcmp(image->text.octets, "bad", 3) == 0) {
		diag_report(sink, DIAG_ERROR, path, 1, 1, "'bad' is no zone (expected another)");
		status = STATUS_REFUSED;
	}
	if (status != STATUS_OK) {
		image_free(image);
		return status == STATUS_MEMORY ? status : STATUS_REFUSED;
	}
	struct file_identity identity;
	status = file_identify(path, &identity);
	if (status == STATUS_OK) {
		status = sources_add(sources, path, &identity);
	}
	if (status != STATUS_OK) {
		image_free(image);
		return status;
	}
	*image_out = image;
	return STATUS_OK;
}

void image_stats(const struct image *image, struct image_stats *out)
{
	*out = (struct image_stats){.memory_len = image->text.len};
}

void image_free(struct image *image)
{
	if (image != NULL) {
		textfile_free(&image->text);
		free(image);
	}
}

/* The stand-in keeps no images. */
struct state *state_open(const char *folder, struct hash_key *key_out)
{
	(void)folder;
	(void)key_out;
	return NULL;
}

void state_close(struct state *state)
{
	(void)state;
}

enum status state_load(const struct state *state, const struct name *zone, const char *path,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out)
{
	(void)state;
	(void)zone;
	(void)path;
	(void)sources_out;
	(void)image_out;
	(void)rehashed_out;
	return STATUS_REFUSED;
}

bool state_can_save(const struct state *state)
{
	(void)state;
	return false;
}

enum status state_save(const struct state *state, const struct name *zone,
	const struct image *image, const struct sources *sources)
{
	(void)state;
	(void)zone;
	(void)image;
	(void)sources;
	return STATUS_IO;
}

enum status state_save_pack(
	const struct state *state, const struct state_small *zones, uint32_t count)
{
	(void)state;
	(void)zones;
	(void)count;
	return STATUS_IO;
}

void state_loaded(struct state *state)
{
	(void)state;
}

void state_forget(const struct state *state, const struct name *zone)
{
	(void)state;
	(void)zone;
}

struct answerer *answerer_new(const struct published *zones, const struct answer_config *config)
{
	struct answerer *answerer = calloc(1, sizeof(*answerer));

	(void)config;
	if (answerer != NULL) {
		answerer->zones = zones;
	}
	return answerer;
}

void answer_refuse(struct answerer *answerer, struct request *request)
{
	(void)answerer;
	request->octets[3] = (uint8_t)((request->octets[3] & 0xf0) | RCODE_REFUSED);
	request->answer_len = WIRE_HEADER_LEN;
}

void answerer_free(struct answerer *answerer)
{
	free(answerer);
}

const struct answer_counters *answerer_counters(const struct answerer *answerer)
{
	return &answerer->counters;
}

static unsigned rcode(const struct zone_set *set)
{
	unsigned code = RCODE_SERVFAIL;

	if (set == NULL || set->count == 0) {
		return RCODE_REFUSED;
	}
	for (uint32_t i = 0; i < set->count && code != RCODE_NOERROR; i++) {
		const struct image *image = publish_get(&set->zones[i]->image);
		code = image != NULL && image->text.octets != NULL ? RCODE_NOERROR : RCODE_SERVFAIL;
	}
	return code;
}

void answer_batch(
	struct answerer *answerer, struct request *requests, uint32_t count, struct now now)
{
	unsigned code = rcode(publish_get(answerer->zones));

	(void)now;
	answerer->counters.queries += count;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t *octets = requests[i].octets;
		requests[i].answer_len = 0;
		if (requests[i].len < WIRE_HEADER_LEN || (octets[2] & 0x80) != 0) {
			answerer->counters.dropped++;
			continue;
		}
		octets[2] |= 0x80;
		octets[3] = (uint8_t)((octets[3] & 0xf0) | code);
		requests[i].answer_len = requests[i].len;
	}
}

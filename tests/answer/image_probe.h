/* image_probe.h - reads octets as an image file, as if its checksum were right, and uses the image in every way there is:
 * what was not refused may not lead out of its sections. For test_image_file.c and fuzz/fuzz_image.c.
 */
#ifndef SAKER_TESTS_IMAGE_PROBE_H
#define SAKER_TESTS_IMAGE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "base/checksum.h"
#include "base/octets.h"
#include "base/publish.h"
#include "wire/name.h"
#include "wire/request.h"
#include "wire/rrtype.h"
#include "zone/image.h"
#include "zone/image_file.h"
#include "zone/image_memory.h"
#include "zone/load.h"
#include "zone/sources.h"
#include "zone/zone.h"

#define IMAGE_PROBE_UDP   2048u
#define IMAGE_PROBE_TCP   65535u
#define IMAGE_PROBE_NODES 64u /* names that are asked for; more of them say nothing new */

struct image_probe {
	struct published published;
	struct answerer *answerer;
	FILE *sink;
	uint64_t accepted; /* images that were not refused */
	char why[IMAGE_FILE_WHY_MAX];
};

static const struct hash_key image_probe_key = {{1, 2}};

static inline void image_probe_init(struct image_probe *probe)
{
	const struct answer_config config = ANSWER_CONFIG_DEFAULT;

	memset(probe, 0, sizeof(*probe));
	probe->answerer = answerer_new(&probe->published, &config);
	probe->sink = fopen("/dev/null", "w");
	if (probe->answerer == NULL || probe->sink == NULL) {
		abort();
	}
}

static inline void image_probe_fini(struct image_probe *probe)
{
	answerer_free(probe->answerer);
	fclose(probe->sink);
}

/* The sections of an image in memory of their own each, so that a step outside of one is seen. */
static inline struct image *image_probe_copy(
	const struct image *image, void *copies[IMAGE_SECTIONS])
{
	uint64_t len[IMAGE_SECTIONS];
	const uint8_t *sections[IMAGE_SECTIONS];
	struct image *copy = malloc(sizeof(*copy));

	if (copy == NULL) {
		abort();
	}
	*copy = *image;
	copy->memory = NULL;
	image_memory_lens(image, len);
	image_memory_sections(image, sections);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		copies[i] = malloc(len[i] == 0 ? 1 : len[i]);
		if (copies[i] == NULL) {
			abort();
		}
		memcpy(copies[i], sections[i], len[i]);
	}
	copy->buckets = copies[IMAGE_SECTION_BUCKETS];
	copy->nodes = copies[IMAGE_SECTION_NODES];
	copy->blocks = copies[IMAGE_SECTION_BLOCKS];
	copy->nsec_keys = copies[IMAGE_SECTION_NSEC_KEYS];
	copy->nsec_nodes = copies[IMAGE_SECTION_NSEC_NODES];
	copy->nsec3_blocks = copies[IMAGE_SECTION_NSEC3_BLOCKS];
	copy->nsec3_hashes = copies[IMAGE_SECTION_NSEC3_HASHES];
	copy->loose_blocks = copies[IMAGE_SECTION_LOOSE_BLOCKS];
	copy->apex = copies[IMAGE_SECTION_APEX];
	return copy;
}

/* One query with DO, answered in memory that ends where it ends. */
static inline void image_probe_ask(
	struct image_probe *probe, const struct name *name, uint16_t type, bool udp)
{
	static const uint8_t header[12] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
	static const uint8_t opt[11] = {0, 0, 41, 4, 208, 0, 0, 0x80, 0, 0, 0};
	struct request request = {.cap = udp ? IMAGE_PROBE_UDP : IMAGE_PROBE_TCP,
		.transport = udp ? REQUEST_UDP : REQUEST_TCP};

	request.octets = malloc(request.cap);
	if (request.octets == NULL) {
		abort();
	}
	uint8_t *at = request.octets;
	memcpy(at, header, sizeof(header));
	at += sizeof(header);
	memcpy(at, name->octets, name->len);
	at += name->len;
	octets_put_u16(at, type);
	octets_put_u16(at + 2, 1);
	memcpy(at + 4, opt, sizeof(opt));
	at += 4 + sizeof(opt);
	request.len = (uint32_t)(at - request.octets);
	answer_batch(probe->answerer, &request, 1, (struct now){0});
	free(request.octets);
}

static inline void image_probe_ask_all(struct image_probe *probe, const struct name *name)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_SOA, RRTYPE_CNAME, RRTYPE_DS,
		RRTYPE_TXT, RRTYPE_MX, RRTYPE_ANY, RRTYPE_RRSIG, RRTYPE_NSEC};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		image_probe_ask(probe, name, types[i], true);
		image_probe_ask(probe, name, types[i], false);
	}
}

/* Each name, one below it, and one below that. */
static inline void image_probe_names(struct image_probe *probe, const struct image *image)
{
	static const uint8_t below[] = {2, 'z', 'z', 1, 'a'};
	uint32_t left = IMAGE_PROBE_NODES;

	for (uint32_t ref = IMAGE_FIRST; ref != image->header.nodes_end && left > 0;
		ref = image_node_next(image, ref), left--) {
		struct name name, child;
		image_node_full_name(image, image_node(image, ref), true, &name);
		image_probe_ask_all(probe, &name);
		for (uint32_t skip = 0; skip <= 3; skip += 3) {
			if (name_join(below + skip, (uint32_t)sizeof(below) - skip,
				    skip == 0 ? 2 : 1, &name, &child) == WIRE_OK) {
				image_probe_ask(probe, &child, RRTYPE_A, true);
				image_probe_ask(probe, &child, RRTYPE_TXT, false);
			}
		}
	}
}

static inline void image_probe_use(
	struct image_probe *probe, const struct image *image, const struct name *origin)
{
	void *copies[IMAGE_SECTIONS];
	struct image *copy = image_probe_copy(image, copies);
	struct zone *zone = zone_new(origin);
	struct zone_set *set = zone == NULL ? NULL : zone_set_new(&image_probe_key, &zone, 1);

	if (set == NULL || image_print(copy, probe->sink) != STATUS_OK) {
		abort();
	}
	publish_set(&zone->image, copy);
	publish_set(&probe->published, set);
	image_probe_names(probe, copy);
	publish_set(&probe->published, NULL);
	publish_set(&zone->image, NULL);
	zone_set_free(set);
	zone_free(zone);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		free(copies[i]);
	}
	free(copy);
}

/* image_probe_take - reads octets, whose checksum, length and key check are made right, and uses what comes of it.
 *
 * effect  true where they were not refused
 */
static inline bool image_probe_take(struct image_probe *probe, uint8_t *octets, size_t len)
{
	struct image_file_want want = {.key = &image_probe_key};
	struct sources sources = {.items = NULL};
	struct image_file_head head;
	struct image *image;
	struct name origin = {.len = 1};

	if (len >= sizeof(head) + sizeof(uint64_t)) {
		memcpy(&head, octets, sizeof(head));
		head.len = len;
		image_file_read_key_check(&image_probe_key, head.key_check);
		memcpy(octets, &head, sizeof(head));
		uint64_t checksum = checksum_once(octets, len - sizeof(checksum));
		memcpy(octets + len - sizeof(checksum), &checksum, sizeof(checksum));
		/* Any zone is welcome whose name is one: it is the last section. */
		uint32_t name_len;
		for (size_t at = len - sizeof(checksum); at-- > sizeof(head);) {
			if (name_measure(octets + at, (uint32_t)(len - at), &name_len) == WIRE_OK &&
				name_len == head.header.apex_len) {
				memcpy(origin.octets, octets + at, name_len);
				origin.len = (uint8_t)name_len;
				break;
			}
		}
		origin.label_count = 0;
		for (uint32_t at = 0; origin.octets[at] != 0; at += origin.octets[at] + 1u) {
			origin.label_count++;
		}
	}
	want.zone = &origin;
	bool rehashed;
	if (image_file_read_octets(octets, len, &want, &sources, &image, &rehashed, probe->why) !=
		STATUS_OK) {
		return false;
	}
	sources_fini(&sources);
	probe->accepted++;
	image_probe_use(probe, image, &origin);
	image_free(image);
	return true;
}

#endif

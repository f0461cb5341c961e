/* image_file_read.c - images from disk, or from octets that pretend to be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "crypto/sha1.h"
#include "os/diskfile.h"
#include "zone/image_check.h"
#include "zone/image_file.h"
#include "zone/image_tables.h"
#include "zone/load.h"
#include "zone/sources.h"

/* Where the octets come from, and how far they were taken. */
struct input {
	const struct diskfile *file; /* NULL: octets */
	const uint8_t *octets;
	uint64_t off; /* of the next */
	uint64_t left;
	struct checksum *checksum; /* owns */
	char *why;
};

static enum status refuse(const struct input *input, const char *why)
{
	snprintf(input->why, IMAGE_FILE_WHY_MAX, "%s", why);
	return STATUS_REFUSED;
}

static enum status take_plain(struct input *input, uint8_t *out, uint64_t len)
{
	if (len > input->left) {
		return refuse(input, "it is cut short");
	}
	if (input->file == NULL) {
		if (len != 0) {
			memcpy(out, input->octets + input->off, len);
		}
	} else if (diskfile_read(input->file, input->off, out, len) != STATUS_OK) {
		return STATUS_IO;
	}
	input->off += len;
	input->left -= len;
	return STATUS_OK;
}

static enum status take(struct input *input, void *out, uint64_t len)
{
	uint8_t *at = out;

	while (len > 0) {
		uint64_t chunk = len < IMAGE_FILE_CHUNK ? len : IMAGE_FILE_CHUNK;
		enum status status = take_plain(input, at, chunk);
		if (status != STATUS_OK) {
			return status;
		}
		checksum_add(input->checksum, at, chunk);
		at += chunk;
		len -= chunk;
	}
	return STATUS_OK;
}

void image_file_read_key_check(const struct hash_key *key, uint8_t out[IMAGE_FILE_KEY_CHECK])
{
	static const uint8_t purpose[] = "saker image key check";
	uint8_t digest[SHA1_LEN];

	_Static_assert(IMAGE_FILE_KEY_CHECK <= SHA1_LEN, "a part of the digest");
	/* SHA-1(key | purpose): nobody gets from there to the key, and two keys by chance to the same value. */
	sha1_nsec3((const uint8_t *)key, sizeof(*key), purpose, sizeof(purpose) - 1, 0, digest);
	memcpy(out, digest, IMAGE_FILE_KEY_CHECK);
}

static uint64_t padded(uint64_t len)
{
	return (len + IMAGE_FILE_ALIGNMENT - 1) & ~(uint64_t)(IMAGE_FILE_ALIGNMENT - 1);
}

/* The head is what its first octets say, and its lengths add up to those that are there. */
static enum status check_head(
	const struct input *input, const struct image_file_head *head, uint64_t len)
{
	uint64_t sum = sizeof(*head) + sizeof(uint64_t);

	if (memcmp(head->magic, IMAGE_FILE_MAGIC, sizeof(head->magic)) != 0) {
		return refuse(input, "it is no image");
	}
	if (head->version != IMAGE_FILE_VERSION) {
		return refuse(input, "another version of saker made it");
	}
	if (head->len != len) {
		return refuse(input, "it is cut short, or too long");
	}
	if (head->sources_len > len || head->sources_len % IMAGE_FILE_ALIGNMENT != 0) {
		return refuse(input, "the list of its sources has no such length");
	}
	sum += head->sources_len;
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		if (head->section_len[i] > len) {
			return refuse(input, "a section is longer than the whole");
		}
		sum += padded(head->section_len[i]);
	}
	return sum == len ? STATUS_OK : refuse(input, "its sections do not add up to its length");
}

static enum status parse_sources(const struct input *input, const uint8_t *octets, uint64_t len,
	uint32_t count, struct sources *out)
{
	for (; count > 0; count--) {
		struct image_file_source read;
		if (len < sizeof(read)) {
			return refuse(input, "the list of its sources is cut short");
		}
		memcpy(&read, octets, sizeof(read));
		octets += sizeof(read);
		len -= sizeof(read);
		char path[DISKFILE_PATH_MAX];
		if (read.path_len >= sizeof(path) || padded(read.path_len) > len ||
			memchr(octets, 0, read.path_len) != NULL) {
			return refuse(input, "the path of a source is none");
		}
		memcpy(path, octets, read.path_len);
		path[read.path_len] = '\0';
		octets += padded(read.path_len);
		len -= padded(read.path_len);
		const struct file_identity identity = {.inode = read.inode,
			.len = read.len,
			.mtime_ns = read.mtime_ns,
			.ctime_ns = read.ctime_ns};
		enum status status = sources_add(out, path, read.is_absent != 0 ? NULL : &identity);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return len == 0 ? STATUS_OK : refuse(input, "the list of its sources is too long");
}

static enum status take_sources(struct input *input, const struct image_file_head *head,
	const struct image_file_want *want, struct sources *out)
{
	uint8_t *octets = malloc(head->sources_len + 1);

	if (octets == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = take(input, octets, head->sources_len);
	if (status == STATUS_OK) {
		status = parse_sources(input, octets, head->sources_len, head->source_count, out);
	}
	free(octets);
	if (status == STATUS_OK && want->path != NULL && !sources_unchanged(out, want->path)) {
		return refuse(input, "the zone file, or what it includes, has changed");
	}
	return status;
}

static enum status take_body(struct input *input, uint8_t *body, uint64_t len)
{
	uint64_t expected;
	enum status status = take(input, body, len);

	if (status == STATUS_OK) {
		status = take_plain(input, (uint8_t *)&expected, sizeof(expected));
	}
	if (status == STATUS_OK && expected != checksum_get(input->checksum)) {
		return refuse(input, "it is damaged: the checksum differs");
	}
	return status;
}

static enum status check_image(const struct input *input, const struct image *image,
	const uint64_t section_len[IMAGE_SECTIONS], const struct name *zone)
{
	const char *why;
	enum status status = image_check(image, section_len, &why);
	struct name apex;

	if (status == STATUS_REFUSED) {
		return refuse(input, why);
	}
	if (status == STATUS_OK) {
		image_apex_name(image, &apex);
		if (apex.len != zone->len || memcmp(apex.octets, zone->octets, apex.len) != 0) {
			return refuse(input, "it is of another zone");
		}
	}
	return status;
}

/* Was it made with the key, or else, can it be made to be so? */
static enum status check_key(const struct input *input, const struct image_file_head *head,
	struct image *image, bool *rehashed_out)
{
	uint8_t key_check[IMAGE_FILE_KEY_CHECK];

	image_file_read_key_check(&image->header.key, key_check);
	*rehashed_out = memcmp(head->key_check, key_check, sizeof(key_check)) != 0;
	if (*rehashed_out && !image_tables_rehash(image)) {
		return refuse(input, "it was made with another key, and its table has no room");
	}
	return STATUS_OK;
}

static enum status read_all(struct input *input, const struct image_file_want *want,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out)
{
	struct image_file_head head;
	uint64_t len = input->left;
	uint8_t *body;
	enum status status = take(input, &head, sizeof(head));

	if (status == STATUS_OK) {
		status = check_head(input, &head, len);
	}
	if (status == STATUS_OK) {
		status = take_sources(input, &head, want, sources_out);
	}
	if (status != STATUS_OK) {
		return status;
	}
	head.header.key = *want->key;
	struct image *image = image_memory_room(&head.header, head.section_len, &body);
	if (image == NULL) {
		return STATUS_MEMORY;
	}
	status = take_body(input, body, input->left - sizeof(uint64_t));
	if (status == STATUS_OK) {
		status = check_image(input, image, head.section_len, want->zone);
	}
	if (status == STATUS_OK) {
		status = check_key(input, &head, image, rehashed_out);
	}
	if (status != STATUS_OK) {
		image_free(image);
		return status;
	}
	image_memory_protect(image);
	*image_out = image;
	return STATUS_OK;
}

static enum status read_input(struct input *input, const struct image_file_want *want,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out)
{
	input->checksum = checksum_new();
	if (input->checksum == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = read_all(input, want, sources_out, image_out, rehashed_out);
	checksum_free(input->checksum);
	if (status != STATUS_OK) {
		sources_fini(sources_out);
	}
	return status;
}

enum status image_file_read(const struct diskfile *file, uint64_t off, uint64_t len,
	const struct image_file_want *want, struct sources *sources_out, struct image **image_out,
	bool *rehashed_out, char *why)
{
	struct input input = {.file = file, .off = off, .left = len, .why = why};

	return read_input(&input, want, sources_out, image_out, rehashed_out);
}

enum status image_file_read_octets(const uint8_t *octets, size_t len,
	const struct image_file_want *want, struct sources *sources_out, struct image **image_out,
	bool *rehashed_out, char *why)
{
	struct input input = {.octets = octets, .left = len, .why = why};

	return read_input(&input, want, sources_out, image_out, rehashed_out);
}

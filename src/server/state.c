/* state.c - the key, and images by the name of their zone. */
#include "server/state.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/hash.h"
#include "base/log.h"
#include "os/diskfile.h"
#include "os/seed.h"
#include "wire/name.h"
#include "zone/image_file.h"
#include "zone/sources.h"

#define PACK_MAGIC   "sakerpak"
#define PACK_VERSION 1u
#define NAME_SHOWN                                                                                 \
	100 /* octets of a zone's name in that of its file; the hash behind tells longer ones apart */

struct pack_head {
	char magic[8];
	uint32_t version;
	uint32_t count;
	uint64_t checksum; /* of the index */
};

/* Rising by hash. */
struct pack_entry {
	uint64_t hash; /* of the zone's name: checksum_once() of its octets */
	uint64_t off;
	uint64_t len;
};

struct state {
	char *folder; /* owns */
	int lock;     /* -1: another process writes there, or nobody can */
	struct hash_key key;
	/* of the first load */
	bool is_loading;
	struct diskfile pack;
	struct pack_entry *index; /* owns */
	uint32_t index_count;
};

static bool path_of(const struct state *state, const char *name, char out[DISKFILE_PATH_MAX])
{
	return (size_t)snprintf(out, DISKFILE_PATH_MAX, "%s/%s", state->folder, name) <
	       DISKFILE_PATH_MAX;
}

/* A name that people recognise and that no file system trips over. */
static bool image_path(
	const struct state *state, const struct name *zone, char out[DISKFILE_PATH_MAX])
{
	char text[NAME_TEXT_MAX];
	char file[NAME_SHOWN + 64];

	name_to_text(zone, text);
	for (char *at = text; *at != '\0'; at++) {
		bool plain = isascii((unsigned char)*at) &&
			     (isalnum((unsigned char)*at) || (*at == '-' && at != text) ||
				     (*at == '.' && at != text));
		*at = plain ? *at : '_';
	}
	snprintf(file, sizeof(file), "%.*s-%016" PRIx64 ".image", NAME_SHOWN, text,
		checksum_once(zone->octets, zone->len));
	return path_of(state, file, out);
}

static void warn(const struct state *state, const char *event, enum status status)
{
	log_warning("event=%s folder=\"%s\" reason=\"%s\"", event, state->folder,
		status == STATUS_IO ? strerror(errno) : status_text(status));
}

static enum status read_key(const char *path, struct hash_key *out)
{
	struct diskfile file;
	enum status status = diskfile_open(path, &file);

	if (status != STATUS_OK) {
		return status;
	}
	errno = EINVAL;
	status = file.len == sizeof(*out) ? diskfile_read(&file, 0, out, sizeof(*out)) : STATUS_IO;
	diskfile_close(&file);
	return status;
}

static enum status write_key(const char *path, const struct hash_key *key)
{
	struct diskfile file;
	enum status status = diskfile_create(path, &file);

	if (status != STATUS_OK) {
		return status;
	}
	status = diskfile_write(&file, key, sizeof(*key));
	if (status != STATUS_OK) {
		diskfile_abort(&file);
		return status;
	}
	return diskfile_commit(&file);
}

/* The key that is there, or a new one. */
static void find_key(struct state *state)
{
	char path[DISKFILE_PATH_MAX];

	seed_octets(&state->key, sizeof(state->key));
	if (!path_of(state, "key", path)) {
		warn(state, "state-key-failed", STATUS_LIMIT);
		return;
	}
	struct hash_key key;
	enum status status = read_key(path, &key);
	if (status == STATUS_OK) {
		state->key = key;
		return;
	}
	if (errno != ENOENT) {
		warn(state, "state-key-unreadable", status);
	}
	if (state->lock < 0) {
		return; /* told already; the key is for this run */
	}
	status = write_key(path, &state->key);
	if (status != STATUS_OK) {
		warn(state, "state-key-failed", status);
	}
}

static enum status read_index(struct state *state)
{
	struct pack_head head;
	enum status status = diskfile_read(&state->pack, 0, &head, sizeof(head));

	if (status != STATUS_OK) {
		return status;
	}
	if (memcmp(head.magic, PACK_MAGIC, sizeof(head.magic)) != 0 ||
		head.version != PACK_VERSION ||
		head.count > (state->pack.len - sizeof(head)) / sizeof(struct pack_entry)) {
		return STATUS_REFUSED;
	}
	size_t len = head.count * sizeof(struct pack_entry);
	state->index = malloc(len + 1);
	if (state->index == NULL) {
		return STATUS_MEMORY;
	}
	status = diskfile_read(&state->pack, sizeof(head), state->index, len);
	if (status == STATUS_OK && checksum_once(state->index, len) != head.checksum) {
		status = STATUS_REFUSED;
	}
	state->index_count = status == STATUS_OK ? head.count : 0;
	return status;
}

static void open_pack(struct state *state)
{
	char path[DISKFILE_PATH_MAX];

	if (!path_of(state, "pack", path)) {
		return;
	}
	enum status status = diskfile_open(path, &state->pack);
	if (status == STATUS_IO && errno == ENOENT) {
		return;
	}
	if (status == STATUS_OK) {
		status = read_index(state);
	}
	if (status != STATUS_OK) {
		warn(state, "image-pack-refused", status);
	}
}

struct state *state_open(const char *folder, struct hash_key *key_out)
{
	struct state *state = calloc(1, sizeof(*state));

	if (state == NULL) {
		return NULL;
	}
	state->pack.fd = -1;
	state->is_loading = true;
	state->folder = strdup(folder);
	if (state->folder == NULL) {
		free(state);
		return NULL;
	}
	state->lock = -1;
	if (diskfile_make_folder(folder) == STATUS_OK) {
		state->lock = diskfile_lock_folder(folder);
	}
	if (state->lock < 0) {
		log_warning("event=state-not-kept folder=\"%s\" reason=\"%s\"", folder,
			errno == EWOULDBLOCK ? "another process has it" : strerror(errno));
	}
	find_key(state);
	open_pack(state);
	*key_out = state->key;
	return state;
}

void state_loaded(struct state *state)
{
	state->is_loading = false;
	diskfile_close(&state->pack);
	free(state->index);
	state->index = NULL;
	state->index_count = 0;
}

void state_close(struct state *state)
{
	if (state != NULL) {
		state_loaded(state);
		diskfile_unlock_folder(state->lock);
		free(state->folder);
		free(state);
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct pack_entry *left = a, *right = b;

	return left->hash < right->hash ? -1 : left->hash > right->hash;
}

/* Out of the pack; STATUS_LIMIT: it is not there. */
static enum status load_small(const struct state *state, const struct image_file_want *want,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out, char *why)
{
	const struct pack_entry wanted = {
		.hash = checksum_once(want->zone->octets, want->zone->len)};

	if (state->index_count == 0) {
		return STATUS_LIMIT;
	}
	const struct pack_entry *entry = bsearch(&wanted, state->index, state->index_count,
		sizeof(state->index[0]), compare_entries);
	if (entry == NULL) {
		return STATUS_LIMIT;
	}
	if (entry->off > state->pack.len || entry->len > state->pack.len - entry->off) {
		snprintf(why, IMAGE_FILE_WHY_MAX, "the pack is cut short");
		return STATUS_REFUSED;
	}
	return image_file_read(&state->pack, entry->off, entry->len, want, sources_out, image_out,
		rehashed_out, why);
}

static enum status load_large(const struct state *state, const struct image_file_want *want,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out, char *why)
{
	char path[DISKFILE_PATH_MAX];
	struct diskfile file;

	if (!image_path(state, want->zone, path)) {
		return STATUS_LIMIT;
	}
	enum status status = diskfile_open(path, &file);
	if (status != STATUS_OK) {
		return errno == ENOENT ? STATUS_LIMIT : status;
	}
	status = image_file_read(
		&file, 0, file.len, want, sources_out, image_out, rehashed_out, why);
	diskfile_close(&file);
	return status;
}

enum status state_load(const struct state *state, const struct name *zone, const char *path,
	struct sources *sources_out, struct image **image_out, bool *rehashed_out)
{
	const struct image_file_want want = {.key = &state->key, .zone = zone, .path = path};
	char why[IMAGE_FILE_WHY_MAX];
	char text[NAME_TEXT_MAX];

	if (!state->is_loading) {
		return STATUS_REFUSED;
	}
	enum status status = load_small(state, &want, sources_out, image_out, rehashed_out, why);
	if (status == STATUS_LIMIT) {
		status = load_large(state, &want, sources_out, image_out, rehashed_out, why);
	}
	if (status == STATUS_OK && *rehashed_out) {
		log_info("event=image-rehashed zone=%s reason=\"it was made with another key\"",
			name_to_text(zone, text));
	}
	if (status == STATUS_OK || status == STATUS_MEMORY) {
		return status;
	}
	if (status != STATUS_LIMIT) {
		log_info("event=image-refused zone=%s reason=\"%s\" instead=\"the zone file\"",
			name_to_text(zone, text), status == STATUS_IO ? strerror(errno) : why);
	}
	return STATUS_REFUSED;
}

bool state_can_save(const struct state *state)
{
	return state->lock >= 0;
}

enum status state_save(const struct state *state, const struct name *zone,
	const struct image *image, const struct sources *sources)
{
	char path[DISKFILE_PATH_MAX];
	enum status status = STATUS_LIMIT;

	if (image_path(state, zone, path)) {
		status = image_file_write(path, image, sources);
	}
	if (status != STATUS_OK) {
		warn(state, "image-not-kept", status);
	}
	return status;
}

static int compare_zones(const void *a, const void *b)
{
	const struct state_small *left = a, *right = b;
	uint64_t left_hash = checksum_once(left->zone->octets, left->zone->len);
	uint64_t right_hash = checksum_once(right->zone->octets, right->zone->len);

	return left_hash < right_hash ? -1 : left_hash > right_hash;
}

static enum status write_pack(struct diskfile *file, const struct state_small *zones,
	struct pack_entry *index, uint32_t count)
{
	struct pack_head head = {.magic = PACK_MAGIC, .version = PACK_VERSION, .count = count};
	size_t index_len = count * sizeof(index[0]);
	uint64_t off = sizeof(head) + index_len;

	for (uint32_t i = 0; i < count; i++) {
		const struct state_small *zone = &zones[i];
		index[i] = (struct pack_entry){
			.hash = checksum_once(zone->zone->octets, zone->zone->len),
			.off = off,
			.len = image_file_write_len(zone->image, zone->sources)};
		off += index[i].len;
	}
	head.checksum = checksum_once(index, index_len);
	enum status status = diskfile_write(file, &head, sizeof(head));
	if (status == STATUS_OK) {
		status = diskfile_write(file, index, index_len);
	}
	for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
		status = image_file_write_to(file, zones[i].image, zones[i].sources);
	}
	return status;
}

static enum status save_pack(
	const struct state *state, const struct state_small *zones, uint32_t count)
{
	char path[DISKFILE_PATH_MAX];
	struct diskfile file;
	struct state_small *sorted = malloc((count + 1) * sizeof(sorted[0]));
	struct pack_entry *index = malloc((count + 1) * sizeof(index[0]));
	enum status status = STATUS_MEMORY;

	if (sorted == NULL || index == NULL) {
		goto undo_memory;
	}
	memcpy(sorted, zones, count * sizeof(sorted[0]));
	qsort(sorted, count, sizeof(sorted[0]), compare_zones);
	status = path_of(state, "pack", path) ? diskfile_create(path, &file) : STATUS_LIMIT;
	if (status != STATUS_OK) {
		goto undo_memory;
	}
	status = write_pack(&file, sorted, index, count);
	if (status == STATUS_OK) {
		status = diskfile_commit(&file);
	} else {
		diskfile_abort(&file);
	}

undo_memory:
	free(sorted);
	free(index);
	return status;
}

enum status state_save_pack(
	const struct state *state, const struct state_small *zones, uint32_t count)
{
	enum status status = save_pack(state, zones, count);

	if (status != STATUS_OK) {
		warn(state, "image-not-kept", status);
	}
	return status;
}

void state_forget(const struct state *state, const struct name *zone)
{
	char path[DISKFILE_PATH_MAX];

	if (state->lock >= 0 && image_path(state, zone, path)) {
		diskfile_remove(path);
	}
}

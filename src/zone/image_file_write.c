/* image_file_write.c - images to disk. */
#include <string.h>

#include "base/checksum.h"
#include "os/diskfile.h"
#include "zone/image_file.h"
#include "zone/sources.h"

/* A file under way, and the checksum of what it holds of the image. */
struct output {
	struct diskfile *file;
	struct checksum *checksum; /* owns */
	uint64_t len;
};

static uint64_t padded(uint64_t len)
{
	return (len + IMAGE_FILE_ALIGNMENT - 1) & ~(uint64_t)(IMAGE_FILE_ALIGNMENT - 1);
}

static enum status put(struct output *output, const void *octets, uint64_t len)
{
	static const uint8_t zeros[IMAGE_FILE_ALIGNMENT];
	enum status status = diskfile_write(output->file, octets, len);

	checksum_add(output->checksum, octets, len);
	output->len += len;
	uint64_t rest = padded(output->len) - output->len;
	if (status == STATUS_OK && rest != 0) {
		status = diskfile_write(output->file, zeros, rest);
		checksum_add(output->checksum, zeros, rest);
		output->len += rest;
	}
	return status;
}

static uint64_t sources_len(const struct sources *sources)
{
	uint64_t len = 0;

	for (uint32_t i = 0; i < sources->count; i++) {
		len += sizeof(struct image_file_source) + padded(strlen(sources->items[i].path));
	}
	return len;
}

static enum status put_sources(struct output *output, const struct sources *sources)
{
	enum status status = STATUS_OK;

	for (uint32_t i = 0; i < sources->count && status == STATUS_OK; i++) {
		const struct source *source = &sources->items[i];
		const struct image_file_source written = {.inode = source->identity.inode,
			.len = source->identity.len,
			.mtime_ns = source->identity.mtime_ns,
			.ctime_ns = source->identity.ctime_ns,
			.path_len = (uint32_t)strlen(source->path),
			.is_absent = source->is_absent};
		status = put(output, &written, sizeof(written));
		if (status == STATUS_OK) {
			status = put(output, source->path, written.path_len);
		}
	}
	return status;
}

uint64_t image_file_write_len(const struct image *image, const struct sources *sources)
{
	uint64_t section_len[IMAGE_SECTIONS];
	uint64_t len = sizeof(struct image_file_head) + sources_len(sources) + sizeof(uint64_t);

	image_memory_lens(image, section_len);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		len += padded(section_len[i]);
	}
	return len;
}

static enum status put_all(
	struct output *output, const struct image *image, const struct sources *sources)
{
	struct image_file_head head;
	const uint8_t *sections[IMAGE_SECTIONS];

	memset(&head, 0, sizeof(head)); /* the padding is written, too */
	memcpy(head.magic, IMAGE_FILE_MAGIC, sizeof(head.magic));
	head.version = IMAGE_FILE_VERSION;
	head.source_count = sources->count;
	head.len = image_file_write_len(image, sources);
	head.sources_len = sources_len(sources);
	image_memory_lens(image, head.section_len);
	image_file_read_key_check(&image->header.key, head.key_check);
	memcpy(&head.header, &image->header, sizeof(head.header));
	head.header.key = (struct hash_key){{0}};
	enum status status = put(output, &head, sizeof(head));
	if (status == STATUS_OK) {
		status = put_sources(output, sources);
	}
	image_memory_sections(image, sections);
	for (uint32_t i = 0; i < IMAGE_SECTIONS && status == STATUS_OK; i++) {
		status = put(output, sections[i], head.section_len[i]);
	}
	if (status == STATUS_OK) {
		uint64_t checksum = checksum_get(output->checksum);
		status = put(output, &checksum, sizeof(checksum));
	}
	ASSERT(status != STATUS_OK || output->len == head.len);
	return status;
}

enum status image_file_write_to(
	struct diskfile *file, const struct image *image, const struct sources *sources)
{
	struct output output = {.file = file, .checksum = checksum_new()};

	if (output.checksum == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = put_all(&output, image, sources);
	checksum_free(output.checksum);
	return status;
}

enum status image_file_write(
	const char *path, const struct image *image, const struct sources *sources)
{
	struct diskfile file;
	enum status status = diskfile_create(path, &file);

	if (status != STATUS_OK) {
		return status;
	}
	status = image_file_write_to(&file, image, sources);
	if (status != STATUS_OK) {
		diskfile_abort(&file);
		return status;
	}
	return diskfile_commit(&file);
}

/* image_file.h - an image on disk: the same octets as in memory, with what tells whether it may be used.
 *
 *     head      struct image_file_head: magic, version, lengths of the sections, key check, image header
 *     sources   the files that the zone was read from, each with its identity
 *     sections  in the order of enum image_section, each beginning at a multiple of 8 octets
 *     checksum  XXH3 of all before
 *
 * Integers are the processor's own (little endian); a file of another kind is refused, not converted. An image is taken
 * only with the version and the sources that it was made with, and rehashed where it was made with another key; the
 * checksum finds damage; image_check.h finds what could lead a look-up astray, whoever wrote it.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_IMAGE_FILE_H
#define SAKER_ZONE_IMAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/status.h"
#include "wire/name.h"
#include "zone/image.h"
#include "zone/image_memory.h"

struct diskfile;
struct sources;

/* One more whenever the meaning of any octet of an image changes, in image.h or here. */
#define IMAGE_FILE_VERSION   2u
#define IMAGE_FILE_MAGIC     "sakerimg"
#define IMAGE_FILE_KEY_CHECK 16u  /* octets: nobody finds another key with the same by chance */
#define IMAGE_FILE_WHY_MAX   128u /* octets of a reason with its zero */
#define IMAGE_FILE_ALIGNMENT 8u
#define IMAGE_FILE_CHUNK                                                                           \
	(256u << 10) /* octets read at a time: the checksum finds them in the second-level cache */

struct image_file_head {
	char magic[8];
	uint32_t version;
	uint32_t source_count;
	uint64_t len;         /* octets of the whole, with the checksum */
	uint64_t sources_len; /* octets of the sources */
	uint64_t section_len[IMAGE_SECTIONS];
	uint8_t key_check[IMAGE_FILE_KEY_CHECK];
	struct image_header header; /* its key is zero */
};
_Static_assert(sizeof(struct image_header) == 96 && sizeof(struct image_file_head) == 216,
	"IMAGE_FILE_VERSION counts every change");
_Static_assert(sizeof(struct image_file_head) % IMAGE_FILE_ALIGNMENT == 0, "sources follow");

/* Followed by the path without a zero, and by zeros up to a multiple of 8 octets. */
struct image_file_source {
	uint64_t inode;
	uint64_t len;
	int64_t mtime_ns;
	int64_t ctime_ns;
	uint32_t path_len;
	uint32_t is_absent;
};

/* For whom an image is wanted. */
struct image_file_want {
	const struct hash_key *key;
	const struct name *zone; /* lower case */
	const char
		*path; /* the zone file now; NULL: take the image whatever became of its sources */
};

/* image_file_write_len - octets that image_file_write_to() will write; a multiple of 8. */
uint64_t image_file_write_len(const struct image *image, const struct sources *sources);

/* image_file_write_to - appends an image to a file that is being written. errors: STATUS_IO, STATUS_MEMORY */
MUST_USE enum status image_file_write_to(
	struct diskfile *file, const struct image *image, const struct sources *sources);

/* image_file_write - a file of its own, whole or not at all. errors: STATUS_IO, STATUS_MEMORY, STATUS_LIMIT */
MUST_USE enum status image_file_write(
	const char *path, const struct image *image, const struct sources *sources);

/* image_file_read - an image out of octets [off, off + len) of a file.
 *
 * shape   sources_out: empty; takes the sources of the image
 *         rehashed_out: it was made with another key, so that who keeps it had better write it again
 * errors  STATUS_REFUSED: not to be used, why[IMAGE_FILE_WHY_MAX] says why; STATUS_IO, STATUS_MEMORY
 * cost    one pass over the file, and one over the image (image_check.h)
 */
MUST_USE enum status image_file_read(const struct diskfile *file, uint64_t off, uint64_t len,
	const struct image_file_want *want, struct sources *sources_out, struct image **image_out,
	bool *rehashed_out, char *why);

/* image_file_read_octets - the same of octets in memory. */
MUST_USE enum status image_file_read_octets(const uint8_t *octets, size_t len,
	const struct image_file_want *want, struct sources *sources_out, struct image **image_out,
	bool *rehashed_out, char *why);

/* image_file_read_key_check - what stands for a key in a file, and does not tell it. */
void image_file_read_key_check(const struct hash_key *key, uint8_t out[IMAGE_FILE_KEY_CHECK]);

#endif

/* pcapfile.c - records to frames. */
#include "capture/pcapfile.h"

#include <string.h>

#include "base/now.h"

#define HEAD_LEN   24u
#define RECORD_LEN 16u
#define MAGIC_US   0xa1b2c3d4u
#define MAGIC_NS   0xa1b23c4du
#define LINK_MASK  0x0fffffffu /* the top bits tell of frame check sequences */
#define NS_A_US    1000u

static uint32_t get_u32(const uint8_t *at, bool is_swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return is_swapped ? __builtin_bswap32(value) : value;
}

static bool read_magic(const uint8_t *octets, bool *is_swapped_out, bool *has_ns_out)
{
	for (int swapped = 0; swapped <= 1; swapped++) {
		uint32_t magic = get_u32(octets, swapped != 0);
		if (magic == MAGIC_US || magic == MAGIC_NS) {
			*is_swapped_out = swapped != 0;
			*has_ns_out = magic == MAGIC_NS;
			return true;
		}
	}
	return false;
}

bool pcapfile_is(const uint8_t *octets)
{
	bool is_swapped, has_ns;

	return read_magic(octets, &is_swapped, &has_ns);
}

enum frame_status pcapfile_open(struct pcapfile *file, struct intake *intake)
{
	*file = (struct pcapfile){.intake = intake};
	if (!intake_want(intake, HEAD_LEN) ||
		!read_magic(intake_look(intake), &file->is_swapped, &file->has_ns)) {
		file->why = "the file ends inside its head";
		return FRAME_BROKEN;
	}
	file->link = get_u32(intake_look(intake) + 20, file->is_swapped) & LINK_MASK;
	return intake_pass(intake, HEAD_LEN) ? FRAME_OK : FRAME_BROKEN;
}

enum frame_status pcapfile_next(struct pcapfile *file, struct frame *out)
{
	struct intake *intake = file->intake;

	if (!intake_want(intake, RECORD_LEN)) {
		file->why = "the file ends inside the head of a packet";
		return intake_left(intake) == 0 ? FRAME_END : FRAME_BROKEN;
	}
	const uint8_t *head = intake_look(intake);
	uint64_t seconds = get_u32(head, file->is_swapped);
	uint64_t fraction = get_u32(head + 4, file->is_swapped);
	uint32_t len = get_u32(head + 8, file->is_swapped);

	if (len > FRAME_LEN_MAX) {
		file->why = "a packet of more than 262144 octets";
		return FRAME_BROKEN;
	}
	if (!intake_want(intake, RECORD_LEN + len)) {
		file->why = "the file ends inside a packet";
		return FRAME_BROKEN;
	}
	*out = (struct frame){
		.time_ns = seconds * NOW_NS_A_SECOND + fraction * (file->has_ns ? 1 : NS_A_US),
		.link = file->link,
		.len = len,
		.octets = intake_look(intake) + RECORD_LEN};
	intake->at += RECORD_LEN + len;
	return FRAME_OK;
}

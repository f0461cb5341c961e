/* pcapng.c - blocks to frames. */
#include "capture/pcapng.h"

#include <string.h>

#include "base/now.h"

#define BLOCK_SECTION   0x0a0d0d0au /* reads the same in both byte orders */
#define BLOCK_INTERFACE 1u
#define BLOCK_PACKET    2u /* obsolete, written by old tools */
#define BLOCK_SIMPLE    3u
#define BLOCK_ENHANCED  6u
#define BYTE_ORDER      0x1a2b3c4du

#define BLOCK_HEAD_LEN 8u  /* type and length */
#define BLOCK_LEN_MIN  12u /* and the length again */
#define BLOCK_LEN_MAX                                                                              \
	(FRAME_LEN_MAX + 65536u) /* of a block that is looked at: a packet and options */

#define INTERFACE_FIXED 8u  /* octets of the body before options */
#define PACKET_FIXED    20u /* enhanced and obsolete */
#define SIMPLE_FIXED    4u

#define OPTION_END      0u
#define OPTION_TSRESOL  9u
#define OPTION_TSOFFSET 14u
#define TICKS_DEFAULT   1000000u
#define POWER_10_MAX    19u /* 10^19 fits 64 bits */
#define POWER_2_MAX     63u

struct block {
	uint32_t type;
	uint32_t body_len;
	const uint8_t *body;
};

static uint16_t get_u16(const struct pcapng *file, const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return file->is_swapped ? __builtin_bswap16(value) : value;
}

static uint32_t get_u32(const struct pcapng *file, const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return file->is_swapped ? __builtin_bswap32(value) : value;
}

static enum frame_status broken(struct pcapng *file, const char *why)
{
	file->why = why;
	return FRAME_BROKEN;
}

static bool read_byte_order(const uint8_t *at, bool *is_swapped_out)
{
	uint32_t order;

	memcpy(&order, at, sizeof(order));
	*is_swapped_out = order != BYTE_ORDER;
	return order == BYTE_ORDER || __builtin_bswap32(order) == BYTE_ORDER;
}

bool pcapng_is(const uint8_t *octets)
{
	uint32_t type;
	bool is_swapped;

	memcpy(&type, octets, sizeof(type));
	return type == BLOCK_SECTION && read_byte_order(octets + BLOCK_HEAD_LEN, &is_swapped);
}

void pcapng_open(struct pcapng *file, struct intake *intake)
{
	memset(file, 0, sizeof(*file));
	file->intake = intake;
}

/* if_tsresol: a negative power of ten, or of two where the top bit is set; 0: it fits no clock. */
static uint64_t ticks_a_second(uint8_t resolution)
{
	uint32_t power = resolution & 0x7fu;
	uint64_t ticks = 1;

	if ((resolution & 0x80u) != 0) {
		return power > POWER_2_MAX ? 0 : (uint64_t)1 << power;
	}
	if (power > POWER_10_MAX) {
		return 0;
	}
	while (power-- > 0) {
		ticks *= 10;
	}
	return ticks;
}

static enum frame_status read_options(
	struct pcapng *file, const uint8_t *at, uint32_t left, struct pcapng_interface *out)
{
	while (left >= 4) {
		uint32_t code = get_u16(file, at);
		uint32_t len = get_u16(file, at + 2);
		uint32_t padded = 4 + (len + 3) / 4 * 4;
		if (code == OPTION_END) {
			return FRAME_OK;
		}
		if (padded > left) {
			return broken(file, "an option that is longer than its block");
		}
		if (code == OPTION_TSRESOL && len == 1) {
			out->unit_divisor = ticks_a_second(at[4]);
			if (out->unit_divisor == 0) {
				return broken(file, "an interface whose clock is too fine");
			}
		} else if (code == OPTION_TSOFFSET && len == 8) {
			uint64_t low = get_u32(file, at + (file->is_swapped ? 8 : 4));
			uint64_t high = get_u32(file, at + (file->is_swapped ? 4 : 8));
			out->offset_s = (int64_t)(high << 32 | low);
		}
		at += padded;
		left -= padded;
	}
	return FRAME_OK;
}

static enum frame_status read_interface(struct pcapng *file, const struct block *block)
{
	if (block->body_len < INTERFACE_FIXED) {
		return broken(file, "an interface without a description");
	}
	if (file->interface_count == PCAPNG_INTERFACES_MAX) {
		return broken(file, "more than 256 interfaces");
	}
	struct pcapng_interface *interface = &file->interfaces[file->interface_count];
	*interface = (struct pcapng_interface){
		.unit_divisor = TICKS_DEFAULT, .link = get_u16(file, block->body)};
	enum frame_status status = read_options(
		file, block->body + INTERFACE_FIXED, block->body_len - INTERFACE_FIXED, interface);
	if (status == FRAME_OK) {
		file->interface_count++;
	}
	return status;
}

static uint64_t to_ns(const struct pcapng_interface *interface, uint64_t ticks)
{
	uint64_t seconds = ticks / interface->unit_divisor + (uint64_t)interface->offset_s;
	uint64_t rest = ticks % interface->unit_divisor;
	__extension__ unsigned __int128 product = (unsigned __int128)rest * NOW_NS_A_SECOND;

	return seconds * NOW_NS_A_SECOND + (uint64_t)(product / interface->unit_divisor);
}

static enum frame_status read_packet(
	struct pcapng *file, const struct block *block, struct frame *out)
{
	if (block->body_len < PACKET_FIXED) {
		return broken(file, "a packet block that is too short");
	}
	uint32_t number = block->type == BLOCK_PACKET ? get_u16(file, block->body)
						      : get_u32(file, block->body);
	uint64_t high = get_u32(file, block->body + 4);
	uint32_t len = get_u32(file, block->body + 12);

	if (number >= file->interface_count) {
		return broken(file, "a packet from an interface that was not described");
	}
	if (len > block->body_len - PACKET_FIXED) {
		return broken(file, "a packet that is longer than its block");
	}
	const struct pcapng_interface *interface = &file->interfaces[number];
	*out = (struct frame){
		.time_ns = to_ns(interface, high << 32 | get_u32(file, block->body + 8)),
		.link = interface->link,
		.len = len,
		.octets = block->body + PACKET_FIXED};
	file->last_ns = out->time_ns;
	return FRAME_OK;
}

/* The original length stands there; what was kept is whatever fits the block. */
static enum frame_status read_simple(
	struct pcapng *file, const struct block *block, struct frame *out)
{
	if (block->body_len < SIMPLE_FIXED || file->interface_count == 0) {
		return broken(file, "a simple packet block without an interface");
	}
	uint32_t len = get_u32(file, block->body);
	uint32_t room = block->body_len - SIMPLE_FIXED;

	*out = (struct frame){.time_ns = file->last_ns,
		.link = file->interfaces[0].link,
		.len = len < room ? len : room,
		.octets = block->body + SIMPLE_FIXED};
	return FRAME_OK;
}

/* Sees the next block and passes it; one of another kind is passed unseen, with body NULL. */
static enum frame_status next_block(struct pcapng *file, struct block *out)
{
	struct intake *intake = file->intake;

	if (!intake_want(intake, BLOCK_LEN_MIN)) {
		return intake_left(intake) == 0 ? FRAME_END
						: broken(file, "the file ends inside a block");
	}
	memcpy(&out->type, intake_look(intake), sizeof(out->type));
	if (out->type == BLOCK_SECTION &&
		!read_byte_order(intake_look(intake) + BLOCK_HEAD_LEN, &file->is_swapped)) {
		return broken(file, "a section of no known byte order");
	}
	out->type = get_u32(file, intake_look(intake));
	uint32_t len = get_u32(file, intake_look(intake) + 4);
	if (len < BLOCK_LEN_MIN || len % 4 != 0) {
		return broken(file, "a block of an impossible length");
	}
	bool is_ours = out->type == BLOCK_INTERFACE || out->type == BLOCK_PACKET ||
		       out->type == BLOCK_SIMPLE || out->type == BLOCK_ENHANCED;
	out->body = NULL;
	out->body_len = len - BLOCK_LEN_MIN;
	if (!is_ours) {
		return intake_pass(intake, len) ? FRAME_OK
						: broken(file, "the file ends inside a block");
	}
	if (len > BLOCK_LEN_MAX) {
		return broken(file, "a packet of more than 262144 octets");
	}
	if (!intake_want(intake, len)) {
		return broken(file, "the file ends inside a block");
	}
	out->body = intake_look(intake) + BLOCK_HEAD_LEN;
	intake->at += len;
	return FRAME_OK;
}

enum frame_status pcapng_next(struct pcapng *file, struct frame *out)
{
	struct block block;
	enum frame_status status;

	while ((status = next_block(file, &block)) == FRAME_OK) {
		switch (block.type) {
		case BLOCK_SECTION:
			file->interface_count = 0;
			break;
		case BLOCK_INTERFACE:
			status = read_interface(file, &block);
			break;
		case BLOCK_PACKET:
		case BLOCK_ENHANCED:
			return read_packet(file, &block, out);
		case BLOCK_SIMPLE:
			return read_simple(file, &block, out);
		default:
			break;
		}
		if (status != FRAME_OK) {
			return status;
		}
	}
	return status;
}

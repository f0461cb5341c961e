/* textwindow.c - reading behind what is there, up to a line feed. */
#include "os/textwindow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Room for `len` more octets, and the padding. Only a region grows; the allocator's is as large as its text was. */
static enum status make_room(struct textwindow *window, size_t len)
{
	if (len <= window->room - window->filled) {
		return STATUS_OK;
	}
	if (window->memory.start == NULL ||
		region_add(&window->memory, len - (window->room - window->filled)) == NULL) {
		return STATUS_MEMORY;
	}
	window->room = window->memory.len - TEXTWINDOW_PADDING;
	return STATUS_OK;
}

/* Puts the zero where the window ends from now on. */
static void cut(struct textwindow *window, size_t len)
{
	uint8_t *end = window->octets + len;

	window->was_cut = len != window->filled;
	window->at_end = *end;
	window->end = end;
	if (window->was_cut) {
		*end = 0;
	} else {
		memset(end, 0, TEXTWINDOW_PADDING);
	}
}

static void uncut(struct textwindow *window)
{
	if (window->was_cut) {
		window->octets[window->end - window->octets] = window->at_end;
	}
	window->was_cut = false;
}

/* Reads until a line feed stands behind `from`, or the text ends; is there anything behind it then? */
static bool fill(struct textwindow *window, size_t from)
{
	const uint8_t *line_end = NULL;

	uncut(window);
	while (line_end == NULL && !window->is_last) {
		size_t got = 0;
		enum status status = make_room(window, window->len);
		if (status == STATUS_OK) {
			status = textsource_read(window->source, window->off,
				window->octets + window->filled, window->len, &got);
		}
		if (status != STATUS_OK) {
			window->status = status;
			window->error = errno;
			window->is_last = true;
			cut(window, from);
			return false;
		}
		line_end = memrchr(window->octets + window->filled, '\n', got);
		window->filled += got;
		window->off += got;
		window->is_last = got == 0;
	}
	cut(window, window->is_last ? window->filled : (size_t)(line_end - window->octets) + 1);
	return window->end != window->octets + from;
}

/* A text that is smaller than the window is read in one go: a hundred thousand small zones would pay for addresses of their
 * own. One octet more than it has lets us meet its end; false: it has grown meanwhile, or there is no memory.
 */
static bool read_small(struct textwindow *window)
{
	size_t room = (size_t)window->source->len + 1;
	size_t got = 1;

	window->octets = malloc(room + TEXTWINDOW_PADDING);
	if (window->octets == NULL) {
		return false;
	}
	while (got != 0 && window->filled < room) {
		if (textsource_read(window->source, window->off, window->octets + window->filled,
			    room - window->filled, &got) != STATUS_OK) {
			break;
		}
		window->filled += got;
		window->off += got;
	}
	if (got != 0) {
		free(window->octets);
		window->octets = NULL;
		window->filled = 0;
		window->off = 0;
		return false;
	}
	window->room = room;
	window->is_last = true;
	cut(window, window->filled);
	return true;
}

enum status textwindow_open(const struct textsource *source, size_t len, struct textwindow *out)
{
	struct textwindow window = {.source = source, .len = len};

	ASSERT(len > 0);
	if (!source->can_seek || source->len >= len || !read_small(&window)) {
		if (region_init(&window.memory) != STATUS_OK) {
			return STATUS_MEMORY;
		}
		if (region_add(&window.memory, TEXTWINDOW_PADDING) == NULL) {
			region_fini(&window.memory);
			return STATUS_MEMORY;
		}
		window.octets = window.memory.start;
		(void)fill(&window, 0);
		if (window.status != STATUS_OK) {
			enum status status = window.status;
			int error = window.error;
			textwindow_close(&window);
			errno = error;
			return status;
		}
	}
	*out = window;
	return STATUS_OK;
}

bool textwindow_grow(struct textwindow *window)
{
	return !window->is_last && fill(window, (size_t)(window->end - window->octets));
}

bool textwindow_slide(struct textwindow *window)
{
	size_t gone = (size_t)(window->end - window->octets);

	if (window->is_last) {
		return false;
	}
	uncut(window);
	memmove(window->octets, window->octets + gone, window->filled - gone);
	window->filled -= gone;
	window->end = window->octets;
	return fill(window, 0);
}

const uint8_t *textwindow_seek(struct textwindow *window, uint64_t off)
{
	ASSERT(window->source->can_seek);
	if (window->memory.start == NULL) { /* all of the text is there */
		ASSERT(off <= window->filled);
		return window->octets + off;
	}
	window->filled = 0;
	window->was_cut = false;
	window->is_last = false;
	window->end = window->octets;
	window->off = off;
	(void)fill(window, 0); /* whoever slides is told where it failed */
	return window->octets;
}

uint64_t textwindow_off(const struct textwindow *window, const uint8_t *at)
{
	return window->off - window->filled + (uint64_t)(at - window->octets);
}

void textwindow_close(struct textwindow *window)
{
	if (window->memory.start != NULL) {
		region_fini(&window->memory);
	} else {
		free(window->octets);
	}
	*window = (struct textwindow){.octets = NULL};
}

/* stream.c - framing, batches, held octets and time-outs of TCP connections. */
#include "transport/stream.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/octets.h"
#include "base/trap.h"
#include "os/poll.h"
#include "os/socket.h"
#include "wire/wire.h"

#define PREFIX_LEN    2u /* octets of the length before a message */
#define MESSAGE_LEN   (PREFIX_LEN + WIRE_MESSAGE_LEN_MAX)
#define INPUT_LEN     (MESSAGE_LEN + STREAM_READ_LEN) /* what was held and one read behind it */
#define HELD_LEN_MIN  512u   /* octets of the smallest buffer, kept until the connection closes */
#define PAUSE_MS      100u   /* guess: how long accepting rests when there are no descriptors */
#define WAIT_MS_MAX   60000u /* longest wait asked for, far from where an int ends */
#define LISTENERS_MAX 256u   /* addresses of one worker */

/* Each slot is one query that becomes its answer. The message starts on a cache line, the length stands
 * before it, and the stride is an odd number of lines (os/udp.c says why).
 */
#define SLOT_MESSAGE_OFF CACHE_LINE
#define SLOT_STRIDE      (SLOT_MESSAGE_OFF + WIRE_MESSAGE_LEN_MAX + 1u)

_Static_assert(SLOT_STRIDE % CACHE_LINE == 0 && SLOT_STRIDE / CACHE_LINE % 2 == 1, "slot stride");
_Static_assert(STREAM_BATCH_MAX <= TRANSPORT_BATCH_MAX, "a batch goes to the handler whole");

enum list_kind { LIST_IDLE, LIST_READING, LIST_WRITING, LIST_COUNT };

struct buffer {
	uint8_t *octets; /* owns */
	uint32_t cap;
	uint32_t off; /* octets before it are done with */
	uint32_t len; /* octets [off..len) are held */
};

/* Invariants: in the list of its kind; out holds octets exactly in LIST_WRITING; fd < 0 only in the graveyard. */
struct stream {
	struct transport_source source; /* TRANSPORT_STREAM */
	int fd;                         /* owns */
	struct stream *prev, *next;     /* neighbours in the list, next also in the graveyard */
	uint64_t since_ns;              /* when its time in the list began */
	struct buffer in;  /* the front of a query; in LIST_WRITING also whole queries */
	struct buffer out; /* answers that the peer did not take */
	uint32_t pending;  /* answers that come later: the struct stays as long */
	struct addr peer;
	uint8_t list; /* enum list_kind */
	bool ended;   /* the peer sends no more: close when nothing is owed */
};

struct list {
	struct stream *first; /* its time-out comes first */
	struct stream *last;
	uint64_t timeout_ns;
};

struct listener {
	struct transport_source source; /* TRANSPORT_LISTENER */
	int fd;                         /* owns */
};

struct stream_set {
	struct list lists[LIST_COUNT];
	struct stream *graveyard;                /* closed since the last stream_expire() */
	struct poll *poll;                       /* borrows */
	const struct transport_handler *handler; /* borrows */
	struct stream_counters *counters;        /* borrows */
	uint32_t connections_max;
	uint32_t connection_count;
	uint64_t held_cap;       /* octets of all buffers, counted_cap() */
	uint64_t pause_until_ns; /* 0: the listeners are in the poll */
	uint32_t listener_count;
	struct listener listeners[LISTENERS_MAX];
	uint8_t *
		slots; /* owns: STREAM_BATCH_MAX of SLOT_STRIDE octets; pages come into being when used */
	uint8_t input[INPUT_LEN];
};

static void list_remove(struct stream_set *set, struct stream *stream)
{
	struct list *list = &set->lists[stream->list];

	*(stream->prev != NULL ? &stream->prev->next : &list->first) = stream->next;
	*(stream->next != NULL ? &stream->next->prev : &list->last) = stream->prev;
}

static void list_add(
	struct stream_set *set, struct stream *stream, enum list_kind kind, uint64_t since_ns)
{
	struct list *list = &set->lists[kind];

	stream->list = (uint8_t)kind;
	stream->since_ns = since_ns;
	stream->prev = list->last;
	stream->next = NULL;
	*(list->last != NULL ? &list->last->next : &list->first) = stream;
	list->last = stream;
}

/* Moves to the end of a list: its time there begins now. */
static void list_move(
	struct stream_set *set, struct stream *stream, enum list_kind kind, struct now now)
{
	list_remove(set, stream);
	list_add(set, stream, kind, now.mono_ns);
}

/* Small buffers do not count: like the struct, they are bounded by the number of connections. */
static uint32_t counted_cap(const struct buffer *buffer)
{
	return buffer->cap > HELD_LEN_MIN ? buffer->cap : 0;
}

static void buffer_drop(struct stream_set *set, struct buffer *buffer)
{
	set->held_cap -= counted_cap(buffer);
	free(buffer->octets);
	*buffer = (struct buffer){0};
}

/* Nothing is held any more. A small buffer stays, so that a peer that sends its queries in halves does not
 * cost an allocation each.
 */
static void buffer_clear(struct stream_set *set, struct buffer *buffer)
{
	if (buffer->cap > HELD_LEN_MIN) {
		buffer_drop(set, buffer);
	}
	buffer->off = buffer->len = 0;
}

/* Room for len octets from the buffer's start; what it held is void. */
static bool buffer_reserve(struct stream_set *set, struct buffer *buffer, uint32_t len)
{
	if (len > buffer->cap) {
		uint32_t cap = HELD_LEN_MIN;
		while (cap < len) {
			cap *= 2;
		}
		buffer_drop(set, buffer);
		buffer->octets = malloc(cap);
		if (buffer->octets == NULL) {
			return false;
		}
		buffer->cap = cap;
		set->held_cap += counted_cap(buffer);
	}
	buffer->off = buffer->len = 0;
	return true;
}

/* The struct lives on until stream_expire(): an event for it may be among those that the poll told already. */
static void close_stream(struct stream_set *set, struct stream *stream)
{
	list_remove(set, stream);
	socket_close(stream->fd); /* this takes it out of the poll, too */
	stream->fd = -1;
	buffer_drop(set, &stream->in);
	buffer_drop(set, &stream->out);
	stream->next = set->graveyard;
	set->graveyard = stream;
	set->connection_count--;
}

static bool close_longest(struct stream_set *set, enum list_kind first, enum list_kind second)
{
	struct stream *stream = set->lists[first].first;

	if (stream == NULL) {
		stream = set->lists[second].first;
	}
	if (stream == NULL) {
		return false;
	}
	close_stream(set, stream);
	counter_add(&set->counters->evicted, 1);
	return true;
}

/* The one that is missed least: idle, else one whose peer is slow. */
static bool close_longest_idle(struct stream_set *set)
{
	return close_longest(set, LIST_IDLE, LIST_WRITING) ||
	       close_longest(set, LIST_READING, LIST_READING);
}

/* Keeps the worker under STREAM_HELD_MAX; false where this took the stream itself. */
static bool limit_held(struct stream_set *set, const struct stream *stream)
{
	while (set->held_cap > STREAM_HELD_MAX && close_longest(set, LIST_WRITING, LIST_READING)) {
	}
	return stream->fd >= 0;
}

struct stream_set *stream_set_new(const struct stream_config *config, struct poll *poll,
	const struct transport_handler *handler, struct stream_counters *counters)
{
	struct stream_set *set = lines_new(sizeof(*set));

	ASSERT(config->connections_max >= 1);
	if (set == NULL) {
		return NULL;
	}
	set->slots = aligned_alloc(CACHE_LINE, STREAM_BATCH_MAX * SLOT_STRIDE);
	if (set->slots == NULL) {
		free(set);
		return NULL;
	}
	set->lists[LIST_IDLE].timeout_ns = config->idle_timeout_ms * NOW_NS_A_MILLISECOND;
	set->lists[LIST_READING].timeout_ns = config->read_timeout_ms * NOW_NS_A_MILLISECOND;
	set->lists[LIST_WRITING].timeout_ns = config->write_timeout_ms * NOW_NS_A_MILLISECOND;
	set->poll = poll;
	set->handler = handler;
	set->counters = counters;
	set->connections_max = config->connections_max;
	return set;
}

static void bury(struct stream_set *set)
{
	struct stream *waiting = NULL;

	while (set->graveyard != NULL) {
		struct stream *stream = set->graveyard;
		set->graveyard = stream->next;
		if (stream->pending == 0) {
			free(stream);
		} else {
			stream->next = waiting;
			waiting = stream;
		}
	}
	set->graveyard = waiting;
}

/* At the end nobody answers any more. */
static void bury_all(struct stream_set *set)
{
	for (struct stream *stream = set->graveyard; stream != NULL; stream = stream->next) {
		stream->pending = 0;
	}
	bury(set);
}

void stream_set_free(struct stream_set *set)
{
	if (set == NULL) {
		return;
	}
	for (uint32_t i = 0; i < LIST_COUNT; i++) {
		while (set->lists[i].first != NULL) {
			close_stream(set, set->lists[i].first);
		}
	}
	bury_all(set);
	for (uint32_t i = 0; i < set->listener_count; i++) {
		socket_close(set->listeners[i].fd);
	}
	free(set->slots);
	free(set);
}

uint32_t stream_set_count(const struct stream_set *set)
{
	return set->connection_count;
}

enum status stream_listen(struct stream_set *set, int fd)
{
	if (set->listener_count == LISTENERS_MAX) {
		return STATUS_LIMIT;
	}
	struct listener *listener = &set->listeners[set->listener_count];
	*listener = (struct listener){.source = {TRANSPORT_LISTENER}, .fd = fd};
	enum status status = poll_add(set->poll, fd, POLL_READ, &listener->source);
	if (status == STATUS_OK) {
		set->listener_count++;
	}
	return status;
}

/* Takes whole queries off in->octets[in->off..) into the slots, STREAM_BATCH_MAX at most.
 *
 * effect  *garbage: a length was met that no message has, RFC 1035 sec 4.1.1; in->off stands before it
 */
static uint32_t gather(struct stream_set *set, const struct stream *stream, struct buffer *in,
	struct request requests[STREAM_BATCH_MAX], bool *garbage)
{
	uint32_t count = 0;

	while (count < STREAM_BATCH_MAX && in->len - in->off >= PREFIX_LEN) {
		uint32_t len = octets_get_u16(in->octets + in->off);
		if (len < WIRE_HEADER_LEN) {
			*garbage = true;
			break;
		}
		if (in->len - in->off - PREFIX_LEN < len) {
			break;
		}
		uint8_t *message = set->slots + (size_t)count * SLOT_STRIDE + SLOT_MESSAGE_OFF;
		memcpy(message, in->octets + in->off + PREFIX_LEN, len);
		in->off += PREFIX_LEN + len;
		requests[count++] = (struct request){.octets = message,
			.len = len,
			.cap = WIRE_MESSAGE_LEN_MAX,
			.transport = REQUEST_TCP,
			.origin = stream};
	}
	return count;
}

/* Keeps what the socket did not take of parts, of which the first taken octets are gone.
 *
 * effect  true: out holds the rest. false: the stream was closed, for memory or a limit
 */
static bool hold_rest(struct stream_set *set, struct stream *stream, const struct iovec *parts,
	uint32_t count, size_t taken, size_t total, struct now now)
{
	struct buffer *out = &stream->out;

	if (!buffer_reserve(set, out, (uint32_t)(total - taken))) {
		close_stream(set, stream);
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		size_t skip = taken < parts[i].iov_len ? taken : parts[i].iov_len;
		taken -= skip;
		memcpy(out->octets + out->len, (const uint8_t *)parts[i].iov_base + skip,
			parts[i].iov_len - skip);
		out->len += (uint32_t)(parts[i].iov_len - skip);
	}
	counter_add(&set->counters->held_len, out->len);
	list_move(set, stream, LIST_WRITING, now);
	return limit_held(set, stream);
}

/* Sends the answers of one batch with one call; false where the stream was closed. */
static bool send_answers(struct stream_set *set, struct stream *stream,
	const struct request *requests, uint32_t count, struct now now)
{
	struct iovec parts[STREAM_BATCH_MAX];
	uint32_t part_count = 0;
	size_t total = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (requests[i].answer_len == 0) {
			continue;
		}
		uint8_t *at = requests[i].octets - PREFIX_LEN;
		octets_put_u16(at, (uint16_t)requests[i].answer_len);
		parts[part_count++] = (struct iovec){
			.iov_base = at, .iov_len = PREFIX_LEN + requests[i].answer_len};
		total += PREFIX_LEN + requests[i].answer_len;
	}
	if (part_count == 0) {
		return true;
	}
	counter_add(&set->counters->answers, part_count);
	ssize_t sent = part_count == 1 ? socket_write(stream->fd, parts[0].iov_base, total)
				       : socket_write_parts(stream->fd, parts, part_count);
	if (sent < 0 && errno != EAGAIN) {
		close_stream(set, stream);
		return false;
	}
	size_t taken = sent > 0 ? (size_t)sent : 0;
	return taken == total || hold_rest(set, stream, parts, part_count, taken, total, now);
}

/* Answers the whole queries in in->octets[in->off..in->len), until the peer does not take the answers.
 *
 * effect  the stream is in LIST_WRITING, or what is left is less than a query; false: it was closed
 */
static bool answer_input(struct stream_set *set, struct stream *stream, struct buffer *in,
	struct now now, uint32_t *answered)
{
	struct request requests[STREAM_BATCH_MAX];
	bool garbage = false;

	while (stream->list != LIST_WRITING) {
		uint32_t count = gather(set, stream, in, requests, &garbage);
		if (count == 0) {
			break;
		}
		trap_enter();
		set->handler->answer(set->handler->context, requests, count, now);
		trap_leave();
		for (uint32_t i = 0; i < count; i++) {
			if (UNLIKELY(requests[i].later)) {
				set->handler->later(
					set->handler->context, &stream->source, &requests[i], now);
			}
		}
		counter_add(&set->counters->queries, count);
		*answered += count;
		if (!send_answers(set, stream, requests, count, now)) {
			return false;
		}
	}
	if (garbage) {
		/* The framing is lost, nothing after this can be trusted to be a query. */
		counter_add(&set->counters->garbage, 1);
		close_stream(set, stream);
	}
	return !garbage;
}

/* Keeps what is left of the shared input and finds the list in which the stream now belongs.
 *
 * shape   in: the shared input, never stream->in
 */
static void settle(
	struct stream_set *set, struct stream *stream, const struct buffer *in, struct now now)
{
	uint32_t left = in->len - in->off;
	bool progress = in->off != 0;

	if (left == 0) {
		buffer_clear(set, &stream->in);
	} else {
		if (!buffer_reserve(set, &stream->in, left)) {
			close_stream(set, stream);
			return;
		}
		memcpy(stream->in.octets, in->octets + in->off, left);
		stream->in.len = left;
	}
	if (stream->list == LIST_WRITING) {
		return;
	}
	if (left == 0) {
		list_move(set, stream, LIST_IDLE, now);
	} else {
		/* The time for half a query runs from its first octet, or a trickle would renew it. */
		if (stream->list != LIST_READING || progress) {
			list_move(set, stream, LIST_READING, now);
		}
		limit_held(set, stream);
	}
}

/* What the stream holds moves to the front of the shared input. */
static struct buffer take_held(struct stream_set *set, const struct stream *stream)
{
	struct buffer in = {.octets = set->input, .cap = INPUT_LEN, .len = stream->in.len};

	ASSERT(in.len <= MESSAGE_LEN + STREAM_READ_LEN);
	if (in.len != 0) {
		memcpy(in.octets, stream->in.octets, in.len);
	}
	return in;
}

/* Answers, then waits for the poll in the right way. */
static uint32_t advance(
	struct stream_set *set, struct stream *stream, struct buffer *in, struct now now)
{
	bool was_writing = stream->list == LIST_WRITING;
	uint32_t answered = 0;

	if (was_writing) { /* all was taken: reading goes on */
		buffer_clear(set, &stream->out);
		list_move(set, stream, LIST_IDLE, now);
	}
	if (answer_input(set, stream, in, now, &answered)) {
		settle(set, stream, in, now);
	}
	bool is_writing = stream->list == LIST_WRITING;
	if (stream->fd >= 0 && was_writing != is_writing &&
		poll_change(set->poll, stream->fd,
			is_writing ? (unsigned)POLL_WRITE : (unsigned)POLL_READ,
			&stream->source) != STATUS_OK) {
		close_stream(set, stream);
	}
	return answered;
}

static uint32_t turn_reading(struct stream_set *set, struct stream *stream, struct now now)
{
	struct buffer in = take_held(set, stream);
	ssize_t got = socket_read(stream->fd, in.octets + in.len, STREAM_READ_LEN);

	if (got < 0 && errno == EAGAIN) {
		return 0;
	}
	if (got == 0 && stream->pending > 0) {
		/* Its answers come later; until then there is nothing to read. */
		stream->ended = true;
		poll_remove(set->poll, stream->fd);
		return 0;
	}
	if (got <= 0) {
		/* Everything whole was answered and taken, else we would not read: nothing is owed. */
		close_stream(set, stream);
		return 0;
	}
	in.len += (uint32_t)got;
	return advance(set, stream, &in, now);
}

static uint32_t turn_writing(struct stream_set *set, struct stream *stream, struct now now)
{
	struct buffer *out = &stream->out;
	ssize_t sent = socket_write(stream->fd, out->octets + out->off, out->len - out->off);

	if (sent < 0) {
		if (errno != EAGAIN) {
			close_stream(set, stream);
		}
		return 0;
	}
	out->off += (uint32_t)sent;
	if (out->off < out->len) {
		return 0;
	}
	if (stream->ended) {
		buffer_clear(set, out);
		if (stream->pending == 0) {
			close_stream(set, stream);
		} else {
			poll_remove(set->poll, stream->fd);
			list_move(set, stream, LIST_IDLE, now);
		}
		return 0;
	}
	struct buffer in = take_held(set, stream);
	return advance(set, stream, &in, now);
}

static struct stream *adopt(struct stream_set *set, int fd, const struct addr *peer, struct now now)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (stream == NULL) {
		return NULL;
	}
	stream->source.kind = TRANSPORT_STREAM;
	stream->fd = fd;
	stream->peer = *peer;
	if (poll_add(set->poll, fd, POLL_READ, &stream->source) != STATUS_OK) {
		free(stream);
		return NULL;
	}
	if (set->connection_count >= set->connections_max) {
		close_longest_idle(set);
	}
	set->connection_count++;
	list_add(set, stream, LIST_IDLE, now.mono_ns);
	counter_add(&set->counters->accepted, 1);
	return stream;
}

enum status stream_adopt(struct stream_set *set, int fd, struct now now)
{
	const struct addr unknown = {.family = ADDR_NONE};

	return adopt(set, fd, &unknown, now) != NULL ? STATUS_OK : STATUS_MEMORY;
}

/* A listener whose queue cannot be emptied would be readable for ever: it leaves the poll for a while. */
static void pause_accepting(struct stream_set *set, struct now now)
{
	for (uint32_t i = 0; i < set->listener_count; i++) {
		poll_remove(set->poll, set->listeners[i].fd);
	}
	set->pause_until_ns = now.mono_ns + PAUSE_MS * NOW_NS_A_MILLISECOND;
	counter_add(&set->counters->paused, 1);
}

static void resume_accepting(struct stream_set *set, struct now now)
{
	set->pause_until_ns = 0;
	for (uint32_t i = 0; i < set->listener_count; i++) {
		if (poll_add(set->poll, set->listeners[i].fd, POLL_READ,
			    &set->listeners[i].source) != STATUS_OK) {
			pause_accepting(set, now); /* no memory in the kernel: try again later */
			return;
		}
	}
}

static uint32_t turn_accepting(
	struct stream_set *set, const struct listener *listener, struct now now)
{
	uint32_t answered = 0;

	for (uint32_t i = 0; i < STREAM_ACCEPTS_A_TURN; i++) {
		struct addr peer;
		int fd = socket_accept(listener->fd, &peer);
		if (fd < 0) {
			if (errno == EAGAIN) {
				break;
			}
			if (socket_is_exhausted(errno) && !close_longest_idle(set)) {
				pause_accepting(set, now);
				break;
			}
			continue; /* that connection broke before we saw it, man 2 accept */
		}
		struct stream *stream = adopt(set, fd, &peer, now);
		if (stream == NULL) {
			socket_close(fd);
			continue;
		}
		/* TCP_DEFER_ACCEPT: its first query is most likely here. */
		answered += turn_reading(set, stream, now);
	}
	return answered;
}

uint32_t stream_event(
	struct stream_set *set, struct transport_source *source, unsigned flags, struct now now)
{
	if (source->kind == TRANSPORT_LISTENER) {
		return turn_accepting(set, (struct listener *)source, now);
	}
	struct stream *stream = (struct stream *)source;

	ASSERT(source->kind == TRANSPORT_STREAM);
	if (stream->fd < 0) {
		return 0; /* closed earlier in this round */
	}
	if (stream->list == LIST_WRITING) {
		return (flags & POLL_WRITE) != 0 ? turn_writing(set, stream, now) : 0;
	}
	return (flags & POLL_READ) != 0 ? turn_reading(set, stream, now) : 0;
}

void stream_peer(const void *origin, struct addr *out)
{
	const struct stream *stream = origin;

	*out = stream->peer;
}

void stream_hold(const void *origin)
{
	struct stream *stream = (struct stream *)(uintptr_t)origin;

	stream->pending++;
}

/* Behind what waits for the peer already. */
static bool hold_more(
	struct stream_set *set, struct stream *stream, const uint8_t *octets, uint32_t len)
{
	struct buffer *out = &stream->out;
	struct buffer grown = {.octets = NULL};
	uint32_t held = out->len - out->off;

	if (!buffer_reserve(set, &grown, held + len)) {
		return false;
	}
	memcpy(grown.octets, out->octets + out->off, held);
	memcpy(grown.octets + held, octets, len);
	grown.len = held + len;
	buffer_drop(set, out);
	*out = grown;
	counter_add(&set->counters->held_len, len);
	return true;
}

/* Sends now, or waits for the peer; the stream may be closed for that. */
static void send_one(struct stream_set *set, struct stream *stream, uint8_t *octets, uint32_t len,
	struct now now)
{
	struct iovec part = {octets, len};

	counter_add(&set->counters->answers, 1);
	if (stream->list == LIST_WRITING) {
		if (!hold_more(set, stream, octets, len)) {
			close_stream(set, stream);
		} else {
			(void)limit_held(set, stream);
		}
		return;
	}
	ssize_t sent = socket_write(stream->fd, octets, len);
	if (sent < 0 && errno != EAGAIN) {
		close_stream(set, stream);
		return;
	}
	size_t taken = sent > 0 ? (size_t)sent : 0;
	if (taken == len) {
		return;
	}
	bool out_of_poll = stream->ended;
	if (!hold_rest(set, stream, &part, 1, taken, len, now)) {
		return;
	}
	enum status status =
		out_of_poll ? poll_add(set->poll, stream->fd, POLL_WRITE, &stream->source)
			    : poll_change(set->poll, stream->fd, POLL_WRITE, &stream->source);
	if (status != STATUS_OK) {
		close_stream(set, stream);
	}
}

void stream_answer(struct stream_set *set, const void *origin, const uint8_t *octets, uint32_t len,
	struct now now)
{
	struct stream *stream = (struct stream *)(uintptr_t)origin;

	ASSERT(stream->pending > 0);
	stream->pending--;
	if (stream->fd < 0) {
		return; /* stream_expire() frees it */
	}
	if (octets != NULL && len > 0) {
		uint8_t *framed = malloc(PREFIX_LEN + len);
		if (framed == NULL) {
			close_stream(set, stream);
			return;
		}
		octets_put_u16(framed, (uint16_t)len);
		memcpy(framed + PREFIX_LEN, octets, len);
		send_one(set, stream, framed, PREFIX_LEN + len, now);
		free(framed);
	}
	if (stream->fd >= 0 && stream->ended && stream->pending == 0 &&
		stream->list != LIST_WRITING) {
		close_stream(set, stream);
	}
}

void stream_expire(struct stream_set *set, struct now now)
{
	bury(set);
	for (uint32_t i = 0; i < LIST_COUNT; i++) {
		struct list *list = &set->lists[i];
		while (list->first != NULL &&
			now.mono_ns >= list->first->since_ns + list->timeout_ns) {
			if (list->first->pending > 0 && i == LIST_IDLE) {
				list_move(set, list->first, LIST_IDLE, now); /* we are to blame */
				continue;
			}
			close_stream(set, list->first);
			counter_add(&set->counters->expired, 1);
		}
	}
	bury(set);
	if (set->pause_until_ns != 0 && now.mono_ns >= set->pause_until_ns) {
		resume_accepting(set, now);
	}
}

int stream_wait_ms(const struct stream_set *set, struct now now)
{
	uint64_t next_ns = set->pause_until_ns != 0 ? set->pause_until_ns : UINT64_MAX;

	for (uint32_t i = 0; i < LIST_COUNT; i++) {
		const struct list *list = &set->lists[i];
		if (list->first != NULL && list->first->since_ns + list->timeout_ns < next_ns) {
			next_ns = list->first->since_ns + list->timeout_ns;
		}
	}
	if (next_ns == UINT64_MAX) {
		return -1;
	}
	if (next_ns <= now.mono_ns) {
		return 0;
	}
	/* Rounded up, or the poll would come back a little too early, again and again. */
	uint64_t ms = (next_ns - now.mono_ns + NOW_NS_A_MILLISECOND - 1) / NOW_NS_A_MILLISECOND;
	return ms < WAIT_MS_MAX ? (int)ms : (int)WAIT_MS_MAX;
}

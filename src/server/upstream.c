/* upstream.c - connected sockets, a struct each. */
#include "server/upstream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "os/socket.h"
#include "resolve/resolve.h"
#include "wire/wire.h"

#define PLACES     65536u /* an exchange's low 16 bits are its place (resolve/exchange.h) */
#define IDLE_MAX   256u   /* sockets that wait for another question; more are closed */
#define PREFIX_LEN 2u     /* octets of the length before a message in a stream */

struct upstream {
	struct transport_source source; /* TRANSPORT_UPSTREAM */
	int fd;                         /* owns */
	uint32_t exchange;              /* 0: idle, or closed */
	uint8_t family;                 /* enum addr_family */
	bool stream;
	struct upstream *next; /* closed, or free */
	uint8_t *out;          /* owns: stream: what is still to be sent */
	uint32_t out_len, out_off;
	uint8_t *in; /* owns: stream: what came so far */
	uint32_t in_len, in_cap;
};

struct upstreams {
	struct upstream_config config;
	struct poll *poll;                /* borrows */
	struct upstream *closed, *unused; /* own */
	struct upstream *idle[2];         /* own: of IPv4, of IPv6 */
	uint32_t idle_count;
	struct upstream *open[PLACES]; /* owns */
	uint8_t datagram[WIRE_MESSAGE_LEN_MAX];
};

struct upstreams *upstream_new(const struct upstream_config *config, struct poll *poll)
{
	struct upstreams *upstreams = calloc(1, sizeof(*upstreams));

	if (upstreams != NULL) {
		upstreams->config = *config;
		upstreams->poll = poll;
	}
	return upstreams;
}

static void end(struct upstream *upstream)
{
	if (upstream->fd >= 0) {
		socket_close(upstream->fd); /* this takes it out of the poll, too */
		upstream->fd = -1;
	}
	free(upstream->in);
	free(upstream->out);
	upstream->in = upstream->out = NULL;
}

static void free_list(struct upstream *list)
{
	while (list != NULL) {
		struct upstream *next = list->next;
		free(list);
		list = next;
	}
}

void upstream_free(struct upstreams *upstreams)
{
	if (upstreams == NULL) {
		return;
	}
	for (uint32_t i = 0; i < PLACES; i++) {
		if (upstreams->open[i] != NULL) {
			upstream_close(upstreams, upstreams->open[i]->exchange);
		}
	}
	for (uint32_t i = 0; i < 2; i++) {
		for (struct upstream *idle = upstreams->idle[i]; idle != NULL; idle = idle->next) {
			end(idle);
		}
		free_list(upstreams->idle[i]);
	}
	free_list(upstreams->closed);
	free_list(upstreams->unused);
	free(upstreams);
}

static const struct addr *source_of(const struct upstreams *upstreams, const struct addr *to)
{
	for (uint32_t i = 0; i < 2; i++) {
		if (upstreams->config.source[i].family == to->family) {
			return &upstreams->config.source[i];
		}
	}
	return NULL;
}

/* The query with its length before it, for the time when the connection stands. */
static bool keep_query(struct upstream *upstream, const struct resolve_action *action)
{
	upstream->out = malloc(PREFIX_LEN + action->len);
	if (upstream->out == NULL) {
		return false;
	}
	octets_put_u16(upstream->out, (uint16_t)action->len);
	memcpy(upstream->out + PREFIX_LEN, action->octets, action->len);
	upstream->out_len = PREFIX_LEN + action->len;
	return true;
}

static bool open_socket(
	struct upstreams *upstreams, struct upstream *upstream, const struct resolve_action *action)
{
	const struct addr *from = source_of(upstreams, &action->addr);

	upstream->fd = upstream->stream ? socket_tcp_connect(&action->addr, from)
					: socket_udp_connect(&action->addr, from);
	if (upstream->fd < 0) {
		return false;
	}
	if (upstream->stream) {
		return keep_query(upstream, action) &&
		       poll_add(upstreams->poll, upstream->fd, POLL_WRITE, &upstream->source) ==
			       STATUS_OK;
	}
	return poll_add(upstreams->poll, upstream->fd, POLL_READ, &upstream->source) == STATUS_OK &&
	       socket_write(upstream->fd, action->octets, action->len) == (ssize_t)action->len;
}

static struct upstream **idle_list(struct upstreams *upstreams, uint8_t family)
{
	return &upstreams->idle[family == ADDR_V6];
}

static void bury_one(struct upstreams *upstreams, struct upstream *upstream)
{
	upstream->exchange = 0;
	end(upstream);
	upstream->next = upstreams->closed;
	upstreams->closed = upstream;
}

/* Sends by a socket that has served before; false: there is none that will do. */
static bool send_again(struct upstreams *upstreams, const struct resolve_action *action)
{
	struct upstream **list = idle_list(upstreams, action->addr.family);
	struct upstream *upstream = *list;

	if (upstream == NULL) {
		return false;
	}
	*list = upstream->next;
	upstreams->idle_count--;
	if (!socket_udp_reconnect(upstream->fd, &action->addr) ||
		socket_write(upstream->fd, action->octets, action->len) != (ssize_t)action->len) {
		bury_one(upstreams, upstream);
		return false;
	}
	upstream->exchange = action->exchange;
	upstreams->open[action->exchange % PLACES] = upstream;
	return true;
}

/* Is nothing left to be read? Then nobody can slip an answer to an earlier question in. */
static bool is_empty(struct upstreams *upstreams, const struct upstream *upstream)
{
	return socket_read(upstream->fd, upstreams->datagram, sizeof(upstreams->datagram)) < 0 &&
	       errno == EAGAIN;
}

bool upstream_send(struct upstreams *upstreams, const struct resolve_action *action)
{
	struct upstream *upstream = upstreams->unused;

	if (action->kind == RESOLVE_SEND_DATAGRAM && send_again(upstreams, action)) {
		return true;
	}
	if (upstream != NULL) {
		upstreams->unused = upstream->next;
		memset(upstream, 0, sizeof(*upstream));
	} else {
		upstream = calloc(1, sizeof(*upstream));
		if (upstream == NULL) {
			return false;
		}
	}
	upstream->source.kind = TRANSPORT_UPSTREAM;
	upstream->fd = -1;
	upstream->exchange = action->exchange;
	upstream->family = action->addr.family;
	upstream->stream = action->kind == RESOLVE_SEND_STREAM;
	if (!open_socket(upstreams, upstream, action)) {
		end(upstream);
		upstream->next = upstreams->unused;
		upstreams->unused = upstream;
		return false;
	}
	upstreams->open[action->exchange % PLACES] = upstream;
	return true;
}

void upstream_close(struct upstreams *upstreams, uint32_t exchange)
{
	struct upstream *upstream = upstreams->open[exchange % PLACES];

	if (upstream == NULL || upstream->exchange != exchange) {
		return;
	}
	upstreams->open[exchange % PLACES] = NULL;
	if (!upstream->stream && upstreams->idle_count < IDLE_MAX &&
		is_empty(upstreams, upstream)) {
		struct upstream **list = idle_list(upstreams, upstream->family);
		upstream->exchange = 0;
		upstream->next = *list;
		*list = upstream;
		upstreams->idle_count++;
		return;
	}
	bury_one(upstreams, upstream);
}

void upstream_bury(struct upstreams *upstreams)
{
	while (upstreams->closed != NULL) {
		struct upstream *upstream = upstreams->closed;
		upstreams->closed = upstream->next;
		upstream->next = upstreams->unused;
		upstreams->unused = upstream;
	}
}

static bool is_passing(int error)
{
	return error == EAGAIN || error == EINTR;
}

static bool read_datagram(
	struct upstreams *upstreams, const struct upstream *upstream, struct upstream_news *out)
{
	ssize_t got = socket_read(upstream->fd, upstreams->datagram, sizeof(upstreams->datagram));

	if (got < 0 && is_passing(errno)) {
		return false;
	}
	out->failed = got < 0; /* an ICMP message says that nobody is there */
	out->octets = upstreams->datagram;
	out->len = got < 0 ? 0 : (uint32_t)got;
	return true;
}

/* True: there is news, a failure. */
static bool write_stream(struct upstreams *upstreams, struct upstream *upstream)
{
	ssize_t sent = socket_write(upstream->fd, upstream->out + upstream->out_off,
		upstream->out_len - upstream->out_off);

	if (sent < 0) {
		return !is_passing(errno);
	}
	upstream->out_off += (uint32_t)sent;
	return upstream->out_off == upstream->out_len &&
	       poll_change(upstreams->poll, upstream->fd, POLL_READ, &upstream->source) !=
		       STATUS_OK;
}

/* Room for what is to come: the length, then as much as it says. */
static bool reserve(struct upstream *upstream)
{
	uint32_t want =
		upstream->in_len < PREFIX_LEN ? 512 : PREFIX_LEN + octets_get_u16(upstream->in);

	if (want > upstream->in_cap) {
		uint8_t *grown = realloc(upstream->in, want);
		if (grown == NULL) {
			return false;
		}
		upstream->in = grown;
		upstream->in_cap = want;
	}
	return true;
}

static bool read_stream(struct upstream *upstream, struct upstream_news *out)
{
	for (;;) {
		out->failed = !reserve(upstream);
		if (out->failed) {
			return true;
		}
		uint32_t want = upstream->in_len < PREFIX_LEN
					? PREFIX_LEN
					: PREFIX_LEN + octets_get_u16(upstream->in);
		if (upstream->in_len >= PREFIX_LEN && upstream->in_len == want) {
			out->octets = upstream->in + PREFIX_LEN;
			out->len = want - PREFIX_LEN;
			return true;
		}
		ssize_t got = socket_read(
			upstream->fd, upstream->in + upstream->in_len, want - upstream->in_len);
		if (got < 0 && is_passing(errno)) {
			return false;
		}
		if (got <= 0) {
			out->failed = true;
			return true;
		}
		upstream->in_len += (uint32_t)got;
	}
}

bool upstream_event(struct upstreams *upstreams, struct transport_source *source, unsigned flags,
	struct upstream_news *out)
{
	struct upstream *upstream = (struct upstream *)source;

	if (upstream->fd < 0) {
		return false; /* closed earlier in this round */
	}
	if (upstream->exchange == 0) {
		(void)is_empty(upstreams,
			upstream); /* idle: whoever still speaks is not heard; the error is taken off */
		return false;
	}
	*out = (struct upstream_news){
		.exchange = upstream->exchange, .over_stream = upstream->stream};
	if (!upstream->stream) {
		return read_datagram(upstreams, upstream, out);
	}
	if (upstream->out_off < upstream->out_len) {
		out->failed = (flags & POLL_WRITE) != 0 && write_stream(upstreams, upstream);
		return out->failed;
	}
	return read_stream(upstream, out);
}

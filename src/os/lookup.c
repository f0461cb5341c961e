/* lookup.c - getaddrinfo(3) in a thread of its own, since it has no end of patience itself. */
#include "os/lookup.h"

#include <netdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/now.h"
#include "os/socket.h"

#define PORT_TEXT_MAX 5u         /* digits of 65535 */
#define WAIT_NS       800000000u /* whoever mistyped a name should know it within a second */

/* One question to the system's resolver. Whoever of the two is last with it frees it. */
struct lookup {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	char host[LOOKUP_HOST_MAX];
	enum addr_family family; /* ADDR_NONE: any */
	struct addr found;       /* [mu] */
	int result;              /* [mu] of getaddrinfo() */
	bool is_done;            /* [mu] */
	bool is_abandoned;       /* [mu] nobody waits any more */
};

/* Splits HOST:PORT; a second colon means a bare IPv6 address, which addr_parse() has refused already. */
static bool split(const char *text, uint16_t port_default, char host[LOOKUP_HOST_MAX],
	uint16_t *port_out, const char **why_out)
{
	const char *colon = strchr(text, ':');
	size_t host_len = colon != NULL ? (size_t)(colon - text) : strlen(text);

	*why_out = "not an address or a host name";
	if (host_len == 0 || host_len >= LOOKUP_HOST_MAX) {
		return false;
	}
	memcpy(host, text, host_len);
	host[host_len] = '\0';
	*port_out = port_default;
	if (colon == NULL) {
		return true;
	}
	size_t digits = strspn(colon + 1, "0123456789");
	unsigned long port = strtoul(colon + 1, NULL, 10);
	*why_out = "not a port (1 to 65535)";
	if (digits == 0 || digits > PORT_TEXT_MAX || colon[1 + digits] != '\0' || port == 0 ||
		port > UINT16_MAX) {
		return false;
	}
	*port_out = (uint16_t)port;
	return true;
}

static void free_lookup(struct lookup *lookup)
{
	pthread_cond_destroy(&lookup->changed);
	pthread_mutex_destroy(&lookup->mutex);
	free(lookup);
}

static void *ask(void *argument)
{
	struct lookup *lookup = argument;
	struct addrinfo hints = {.ai_socktype = SOCK_DGRAM,
		.ai_family = lookup->family == ADDR_V4   ? AF_INET
			     : lookup->family == ADDR_V6 ? AF_INET6
							 : AF_UNSPEC};
	struct addrinfo *found = NULL;
	struct sockaddr_storage kernel = {0};
	int result = getaddrinfo(lookup->host, NULL, &hints, &found);

	if (result == 0) {
		memcpy(&kernel, found->ai_addr, found->ai_addrlen);
		freeaddrinfo(found);
	}
	pthread_mutex_lock(&lookup->mutex);
	lookup->result = result;
	socket_from_kernel(&kernel, &lookup->found);
	lookup->is_done = true;
	bool is_abandoned = lookup->is_abandoned;
	pthread_cond_signal(&lookup->changed);
	pthread_mutex_unlock(&lookup->mutex);
	if (is_abandoned) {
		free_lookup(lookup);
	}
	return NULL;
}

static struct timespec end_of_patience(void)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at); /* the clock of pthread_cond_timedwait() */
	uint64_t ns = (uint64_t)at.tv_nsec + WAIT_NS;
	at.tv_sec += (time_t)(ns / NOW_NS_A_SECOND);
	at.tv_nsec = (long)(ns % NOW_NS_A_SECOND);
	return at;
}

/* Waits for the answer. False: it came too late, and lookup is no longer the caller's. */
static bool wait_for(struct lookup *lookup)
{
	struct timespec until = end_of_patience();
	int error = 0;

	pthread_mutex_lock(&lookup->mutex);
	while (!lookup->is_done && error == 0) {
		error = pthread_cond_timedwait(&lookup->changed, &lookup->mutex, &until);
	}
	bool is_done = lookup->is_done;
	lookup->is_abandoned = !is_done;
	pthread_mutex_unlock(&lookup->mutex);
	return is_done;
}

static bool ask_resolver(struct lookup *lookup, struct addr *out, const char **why_out)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, ask, lookup) != 0) {
		*why_out = "the system's resolver cannot be asked";
		free_lookup(lookup);
		return false;
	}
	if (!wait_for(lookup)) {
		pthread_detach(thread);
		*why_out = "the system's resolver does not answer";
		return false;
	}
	pthread_join(thread, NULL);
	int result = lookup->result;
	*out = lookup->found;
	free_lookup(lookup);
	*why_out = result != 0 ? gai_strerror(result) : "neither IPv4 nor IPv6";
	return result == 0 && out->family != ADDR_NONE;
}

bool lookup_server(const char *text, uint16_t port_default, enum addr_family family,
	struct addr *out, const char **why_out)
{
	uint16_t port = 0;

	if (addr_parse(text, port_default, out)) {
		bool is_wrong_family = family != ADDR_NONE && out->family != family;
		*why_out = is_wrong_family ? "an address of the other family"
					   : "port 0 cannot be asked";
		return out->port != 0 && !is_wrong_family;
	}
	struct lookup *lookup = calloc(1, sizeof(*lookup));
	if (lookup == NULL) {
		*why_out = "no memory";
		return false;
	}
	lookup->family = family;
	pthread_mutex_init(&lookup->mutex, NULL);
	pthread_cond_init(&lookup->changed, NULL);
	if (!split(text, port_default, lookup->host, &port, why_out)) {
		free_lookup(lookup);
		return false;
	}
	if (!ask_resolver(lookup, out, why_out)) {
		return false;
	}
	out->port = port;
	return true;
}

/* lookup.c - getaddrinfo(3), with an end to its patience. */
#include "os/lookup.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "os/socket.h"

#define PORT_TEXT_MAX 5u         /* digits of 65535 */
#define WAIT_NS       900000000L /* whoever mistyped a name should know it within a second */

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

bool lookup_server(const char *text, uint16_t port_default, struct addr *out, const char **why_out)
{
	/* Both outlive this call where the resolver does not answer in time: they are its own to use then. */
	struct job {
		char host[LOOKUP_HOST_MAX];
		struct addrinfo hints;
		struct gaicb request;
	};
	struct timespec patience = {.tv_nsec = WAIT_NS};
	uint16_t port = 0;

	if (addr_parse(text, port_default, out)) {
		*why_out = "port 0 cannot be asked";
		return out->port != 0;
	}
	struct job *job = calloc(1, sizeof(*job));
	if (job == NULL) {
		*why_out = "no memory";
		return false;
	}
	if (!split(text, port_default, job->host, &port, why_out)) {
		free(job);
		return false;
	}
	job->hints.ai_socktype = SOCK_DGRAM;
	job->request = (struct gaicb){.ar_name = job->host, .ar_request = &job->hints};
	struct gaicb *list[] = {&job->request};
	const struct gaicb *waits[] = {&job->request};
	if (getaddrinfo_a(GAI_NOWAIT, list, 1, NULL) != 0) {
		*why_out = "the system's resolver cannot be asked";
		free(job);
		return false;
	}
	gai_suspend(waits, 1, &patience);
	int result = gai_error(&job->request);
	if (result == EAI_INPROGRESS && gai_cancel(&job->request) != EAI_CANCELED) {
		*why_out = "the system's resolver does not answer";
		return false; /* job stays with the resolver's thread */
	}
	if (result != 0) {
		*why_out = result == EAI_INPROGRESS ? "the system's resolver does not answer"
						    : gai_strerror(result);
		free(job);
		return false;
	}
	struct sockaddr_storage kernel = {0};
	memcpy(&kernel, job->request.ar_result->ai_addr, job->request.ar_result->ai_addrlen);
	socket_from_kernel(&kernel, out);
	out->port = port;
	freeaddrinfo(job->request.ar_result);
	free(job);
	*why_out = "neither IPv4 nor IPv6";
	return out->family != ADDR_NONE;
}

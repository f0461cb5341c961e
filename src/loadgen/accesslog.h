/* accesslog.h - the log of a web server to PTR queries for the addresses in it, one a request.
 *
 *     192.0.2.1 - - [30/Nov/2026:18:55:34 +0000] "GET / HTTP/1.1" 200 512          common and combined
 *     www.example.com:443 2001:db8::1 - - [30/Nov/2026 ...                         with the virtual host
 *
 * The address is the first word, or else the second. What a resolver is asked by those who look up their visitors;
 * how often an address returns is as uneven as visitors are.
 *
 * source  RFC 1035 sec 3.5 (in-addr.arpa), RFC 3596 sec 2.5 (ip6.arpa)
 */
#ifndef SAKER_LOADGEN_ACCESSLOG_H
#define SAKER_LOADGEN_ACCESSLOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "loadgen/querylist.h"

/* accesslog_read - adds a query for each line with an address; `-` is standard input.
 *
 * shape   strict: a line without one is an error; otherwise a warning, and left out
 * errors  STATUS_REFUSED  complaints went to the sink: unreadable, no address at all, a bad line where strict
 *         STATUS_MEMORY, STATUS_LIMIT
 */
MUST_USE enum status accesslog_read(
	const char *path, bool strict, const struct diag_sink *sink, struct querylist *out);

/* accesslog_read_stream - the same from an open stream, which stays open; name stands for the path in complaints. */
MUST_USE enum status accesslog_read_stream(FILE *file, const char *name, bool strict,
	const struct diag_sink *sink, struct querylist *out);

/* accesslog_reverse - the name under in-addr.arpa or ip6.arpa; an IPv4 address inside IPv6 (RFC 4291 sec 2.5.5.2)
 * counts as what it is. octets_out: at least 74; returns the length.
 */
uint32_t accesslog_reverse(const uint8_t *address, uint32_t address_len, uint8_t *octets_out);

#endif

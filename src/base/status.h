/* status.h - failures of the environment: memory, descriptors, disk.
 *
 * Passed up until someone can act and logged once, at the server floor or above. Bad input is never
 * one of these: octets have enum wire_status, text has struct diag.
 */
#ifndef SAKER_BASE_STATUS_H
#define SAKER_BASE_STATUS_H

#include "base/check.h"

enum status {
	STATUS_OK = 0,
	STATUS_MEMORY, /* no memory */
	STATUS_IO,     /* a system call failed; errno says how */
	STATUS_LIMIT,  /* a named limit was reached */
	STATUS_REFUSED /* input was refused; what was wrong went to the diag sink */
};

/* status_text - a short English phrase, never NULL. */
const char *status_text(enum status status);

#endif

/* status.c - words for enum status. */
#include "base/status.h"

const char *status_text(enum status status)
{
	switch (status) {
	case STATUS_OK:
		return "ok";
	case STATUS_MEMORY:
		return "out of memory";
	case STATUS_IO:
		return "system call failed";
	case STATUS_LIMIT:
		return "limit reached";
	case STATUS_REFUSED:
		return "input refused";
	}
	return "unknown status";
}

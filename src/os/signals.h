/* signals.h - SIGTERM, SIGINT and SIGHUP as something to read, SIGPIPE ignored.
 *
 * thread  main, before any other thread starts
 * source  man 2 signalfd
 */
#ifndef SAKER_OS_SIGNALS_H
#define SAKER_OS_SIGNALS_H

#include "base/check.h"

enum signals_flag {
	SIGNALS_STOP = 1 << 0,  /* SIGTERM or SIGINT */
	SIGNALS_RELOAD = 1 << 1 /* SIGHUP */
};

/* signals_open - a descriptor that is readable when one came; -1 with errno.
 *
 * effect  the three are blocked for this thread and those that it starts
 */
MUST_USE int signals_open(void);

/* signals_read - what came since the last call, enum signals_flag; several of one kind are one. */
unsigned signals_read(int fd);

/* signals_release - from now on SIGTERM and SIGINT end the process at once, one that waits already, too. */
void signals_release(void);

void signals_close(int fd);

#endif

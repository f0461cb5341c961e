/* terminal.h - a screen of one's own for a while, and the terminal as it was afterwards, whatever happens.
 *
 * Only the alternate screen and the cursor are touched, by the sequences that every terminal since the VT100's heirs
 * knows; modes of the line are not. Every way out leaves the screen: terminal_leave(), exit(), signals that end
 * or stop the process, a crash. (After SIGKILL nobody can; `reset` does.)
 *
 * thread  one; the screen is the process's
 * source  xterm's ctlseqs: DECSET 1049 and 25
 */
#ifndef SAKER_OS_TERMINAL_H
#define SAKER_OS_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

#define TERMINAL_COLUMNS_MAX                                                                       \
	400u /* of terminal_size(); a wider one counts as this wide. A guess. */
#define TERMINAL_ROWS_MAX 200u

/* terminal_size - columns and rows, as they are now; 80 and 24 where the terminal does not tell. */
void terminal_size(int fd, uint32_t *columns_out, uint32_t *rows_out);

/* terminal_is_utf8 - do the environment's LC_ALL, LC_CTYPE or LANG say so? The first that is set decides. */
bool terminal_is_utf8(void);

/* terminal_enter - an empty screen without a cursor, on a descriptor that is a terminal and stays open. */
void terminal_enter(int fd);

/* terminal_leave - the screen before; nothing where none was entered. */
void terminal_leave(void);

/* terminal_show - writes text as it is; false where it fails. */
bool terminal_show(const char *text, size_t len);

#endif

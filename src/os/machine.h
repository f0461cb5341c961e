/* machine.h - what a report says about the machine and about how it was asked for.
 *
 * source  proc(5): cpuinfo, self/cmdline; uname(2)
 */
#ifndef SAKER_OS_MACHINE_H
#define SAKER_OS_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#define MACHINE_TEXT_MAX    256u  /* octets of a name with its zero; longer ones are cut */
#define MACHINE_COMMAND_MAX 4096u /* ditto of the command line */

struct machine {
	char processor[MACHINE_TEXT_MAX];  /* empty: not told */
	char kernel[MACHINE_TEXT_MAX];     /* `Linux 6.1.0 x86_64` */
	uint32_t processors;               /* that this process may use */
	uint64_t memory;                   /* octets */
	char command[MACHINE_COMMAND_MAX]; /* this process's, words quoted where a shell needs it */
};

/* machine_read - fills it; what cannot be told is empty or 0. */
void machine_read(struct machine *out);

/* machine_quote - words[0..len), each with a zero behind it, as a shell would read them; cut where text ends.
 *
 * shape   text: cap octets, at least one
 */
void machine_quote(const char *words, size_t len, char *text, size_t cap);

#endif

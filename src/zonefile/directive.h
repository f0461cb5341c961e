/* directive.h - entries that begin with a dollar sign.
 *
 * source  RFC 1035 sec 5.1, RFC 2308 sec 4; $GENERATE is BIND's
 */
#ifndef SAKER_ZONEFILE_DIRECTIVE_H
#define SAKER_ZONEFILE_DIRECTIVE_H

struct parser;

/* directive_read - reads the directive at the scanner; $INCLUDE puts its file on the stack. */
void directive_read(struct parser *parser);

#endif

/* entry.h - one entry of a zone file: a record, a directive, or an empty line.
 */
#ifndef SAKER_ZONEFILE_ENTRY_H
#define SAKER_ZONEFILE_ENTRY_H

struct parser;

/* entry_read - reads the entry that begins at parser->field.scanner, and delivers its record.
 *
 * effect  the scanner stands behind the entry, or in an included file; what the sink said is in
 *         parser->status, errors were counted and told
 */
void entry_read(struct parser *parser);

#endif

/* checkfile.h - a file of expected answers (`saker bench --check`).
 *
 *     ; NAME TYPE RCODE [RDATA]        one record of that name and type, or none
 *     www.example.com A NOERROR 192.0.2.1
 *     nowhere.example.com A NXDOMAIN
 *     empty.example.com TXT NOERROR    NODATA: the answer section is empty
 *     any.example.com A NOERROR *      whatever the answer section holds
 *     alias.example.com A NOERROR      more records: a line each, indented, as in a zone file
 *             alias.example.com. 300 CNAME www.example.com.
 *             www.example.com. 300 A 192.0.2.1
 *
 * Looked at are the rcode and the answer section, as sets of records; TTLs where every record has one. Names are
 * absolute with or without a final dot in the first line of an answer, and as in a zone file in the others. `;` begins
 * a comment.
 *
 * thread  no shared state
 */
#ifndef SAKER_LOADGEN_CHECKFILE_H
#define SAKER_LOADGEN_CHECKFILE_H

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "loadgen/answerbook.h"
#include "loadgen/queryfile.h"

/* checkfile_read - fills the book: what is expected of each query that the file tells of.
 *
 * shape   book: of as many queries as there are
 * effect  an answer that no query asks for is a warning
 * errors  STATUS_REFUSED  complaints went to the sink: unreadable, a bad line, nothing in it, nothing that is asked
 *         STATUS_MEMORY
 */
MUST_USE enum status checkfile_read(const char *path, const struct queryfile *queries,
	const struct diag_sink *sink, struct answerbook *book);

#endif

/* report_page.h - the page of a report before and behind its data; made of report_page.html when compiling. */
#ifndef SAKER_LOADGEN_REPORT_PAGE_H
#define SAKER_LOADGEN_REPORT_PAGE_H

#include <stddef.h>

extern const unsigned char report_page_head[];
extern const size_t report_page_head_len;
extern const unsigned char report_page_tail[];
extern const size_t report_page_tail_len;

#endif

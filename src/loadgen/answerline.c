/* answerline.c - lines. */
#include "loadgen/answerline.h"

#include "base/now.h"
#include "loadgen/report.h"

void answerline_answered(const struct answerline *line, const struct queryfile *queries,
	uint32_t query_idx, uint32_t rcode, uint64_t latency_ns)
{
	char text[QUERYFILE_TEXT_MAX];

	fprintf(line->out, "> %s %s %.6f\n", report_text_rcode(rcode),
		queryfile_text(queries, query_idx, text),
		(double)latency_ns / (double)NOW_NS_A_SECOND);
}

static void put_mark(const struct answerline *line, const struct queryfile *queries,
	uint32_t query_idx, char mark)
{
	char text[QUERYFILE_TEXT_MAX];

	fprintf(line->out, "> %c %s\n", mark, queryfile_text(queries, query_idx, text));
}

void answerline_lost(
	const struct answerline *line, const struct queryfile *queries, uint32_t query_idx)
{
	if (!line->hides_lost) {
		put_mark(line, queries, query_idx, 'T');
	}
}

void answerline_interrupted(
	const struct answerline *line, const struct queryfile *queries, uint32_t query_idx)
{
	put_mark(line, queries, query_idx, 'I');
}

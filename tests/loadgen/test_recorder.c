/* test_recorder.c - intervals against a slow model that keeps every query. */
#include "loadgen/recorder.h"

#include <stdlib.h>

#include "base/now.h"
#include "kit/kit.h"

#define SECOND     NOW_NS_A_SECOND
#define START_NS   (5 * SECOND)
#define TIMEOUT_NS (2 * SECOND)

struct bench {
	struct recorder_sink sink;
	struct recorder recorders[3];
	uint32_t count;
};

static void begin(struct bench *bench, struct schedule schedule, uint32_t count)
{
	bench->count = count;
	CHECK_U(recorder_sink_init(&bench->sink, &schedule, UINT64_MAX, SECOND, TIMEOUT_NS, count),
		STATUS_OK);
	for (uint32_t i = 0; i < count; i++) {
		CHECK_U(recorder_init(&bench->recorders[i], &bench->sink), STATUS_OK);
		recorder_start(&bench->recorders[i], START_NS);
	}
}

static struct interval *end(struct bench *bench, uint64_t end_ns, uint32_t *count)
{
	for (uint32_t i = 0; i < bench->count; i++) {
		recorder_finish(&bench->recorders[i], START_NS + end_ns);
		recorder_fini(&bench->recorders[i]);
	}
	struct interval *intervals = recorder_sink_end(&bench->sink, end_ns, count);
	recorder_sink_fini(&bench->sink);
	return intervals;
}

TEST(a_query_counts_where_it_was_due_and_not_where_its_answer_came)
{
	struct bench bench;
	uint32_t count;

	begin(&bench, schedule_closed(), 1);
	struct recorder *recorder = &bench.recorders[0];
	recorder_sent(recorder, START_NS + SECOND - 1, 10);
	recorder_sent(recorder, START_NS + SECOND, 5);
	recorder_advance(recorder, START_NS + SECOND + 1);
	recorder_answered(recorder, START_NS + SECOND - 1, 3000, 3);
	recorder_lost(recorder, START_NS + SECOND);
	struct interval *intervals = end(&bench, 2 * SECOND, &count);
	CHECK_U(count, 2);
	CHECK_U(intervals[0].sent, 1);
	CHECK_U(intervals[0].answered, 1);
	CHECK_U(intervals[0].rcodes[3], 1);
	CHECK_U(intervals[0].lateness_max_ns, 10);
	CHECK_U(intervals[0].latency_max_ns, 3000);
	CHECK_U(intervals[0].latency_p50_ns, 3000);
	CHECK_U(intervals[1].sent, 1);
	CHECK_U(intervals[1].lost, 1);
	/* A closed loop tells of timely answers alone. */
	CHECK_U(intervals[1].latency_max_ns, 0);
	free(intervals);
}

TEST(an_open_loop_counts_the_lost_with_the_time_out_and_tells_what_was_due)
{
	struct bench bench;
	uint32_t count;

	begin(&bench, schedule_rate(10), 1);
	for (uint32_t i = 0; i < 9; i++) {
		uint64_t due_ns = START_NS + i * SECOND / 10;
		recorder_sent(&bench.recorders[0], due_ns, 0);
		if (i < 6) {
			recorder_answered(&bench.recorders[0], due_ns, 1000, 0);
		} else {
			recorder_lost(&bench.recorders[0], due_ns);
		}
	}
	struct interval *intervals = end(&bench, SECOND + SECOND / 2, &count);
	CHECK_U(count, 2);
	CHECK_U(intervals[0].due, 10);
	CHECK_U(intervals[0].sent, 9);
	CHECK(intervals[0].latency_p50_ns >= 1000 && intervals[0].latency_p50_ns < 1020);
	CHECK_U(intervals[0].latency_p99_ns, TIMEOUT_NS);
	CHECK_U(intervals[0].latency_max_ns, TIMEOUT_NS);
	CHECK_U(intervals[0].latency_mean_ns, (6 * 1000 + 3 * TIMEOUT_NS) / 9);
	CHECK_U(intervals[1].due, 5);
	CHECK_U(intervals[1].length_ns, SECOND / 2);
	CHECK_U(intervals[1].sent, 0);
	free(intervals);
}

TEST(an_interval_is_finished_when_every_recorder_has_told_of_it)
{
	struct bench bench;
	struct interval seen[4];
	uint32_t count;

	begin(&bench, schedule_closed(), 2);
	recorder_sent(&bench.recorders[0], START_NS, 0);
	recorder_advance(&bench.recorders[1], START_NS + 3 * SECOND);
	CHECK_U(recorder_sink_copy(&bench.sink, 0, seen, 4), 0);
	recorder_advance(&bench.recorders[0], START_NS + 2 * SECOND);
	CHECK_U(recorder_sink_copy(&bench.sink, 0, seen, 4), 0); /* still in flight */
	recorder_answered(&bench.recorders[0], START_NS, 7, 0);
	recorder_advance(&bench.recorders[0], START_NS + 2 * SECOND);
	CHECK_U(recorder_sink_copy(&bench.sink, 0, seen, 4), 2);
	CHECK_U(seen[0].answered, 1);
	CHECK_U(recorder_sink_copy(&bench.sink, 1, seen, 4), 1);
	CHECK_U(seen[0].start_ns, SECOND);
	free(end(&bench, 3 * SECOND, &count));
	CHECK_U(count, 3);
}

/* What happens to one query, and when. */
struct event {
	uint64_t due_ns;
	uint64_t settled_ns;
	uint32_t recorder;
};

#define EVENTS 4000u

TEST(random_queries_of_three_recorders_add_up_in_every_interval)
{
	static struct event events[EVENTS];
	struct bench bench;
	uint64_t sent[70] = {0};
	uint64_t answered[70] = {0};
	uint32_t settled_count = 0;
	uint32_t sent_count = 0;
	uint32_t count;

	begin(&bench, schedule_closed(), 3);
	for (uint32_t i = 0; i < EVENTS; i++) {
		events[i].due_ns = START_NS + (uint64_t)i * 15000000; /* a minute in all */
		events[i].settled_ns = events[i].due_ns + kit_random(2000000000);
		events[i].recorder = kit_random(3);
	}
	for (uint64_t now_ns = START_NS; settled_count < EVENTS; now_ns += 10000000) {
		for (; sent_count < EVENTS && events[sent_count].due_ns <= now_ns; sent_count++) {
			recorder_sent(&bench.recorders[events[sent_count].recorder],
				events[sent_count].due_ns, 0);
			sent[(events[sent_count].due_ns - START_NS) / SECOND]++;
		}
		for (uint32_t i = 0; i < sent_count; i++) {
			struct event *event = &events[i];
			if (event->settled_ns == 0 || event->settled_ns > now_ns) {
				continue;
			}
			if (i % 3 == 0) {
				recorder_lost(&bench.recorders[event->recorder], event->due_ns);
			} else {
				recorder_answered(&bench.recorders[event->recorder], event->due_ns,
					event->settled_ns - event->due_ns, 0);
				answered[(event->due_ns - START_NS) / SECOND]++;
			}
			event->settled_ns = 0;
			settled_count++;
		}
		for (uint32_t i = 0; i < 3; i++) {
			recorder_advance(&bench.recorders[i], now_ns);
		}
	}
	struct interval *intervals = end(&bench, 60 * SECOND, &count);
	CHECK_U(count, 60);
	for (uint32_t i = 0; i < count; i++) {
		CHECK_U(intervals[i].start_ns, i * SECOND);
		CHECK_U(intervals[i].sent, sent[i]);
		CHECK_U(intervals[i].answered, answered[i]);
		CHECK_U(intervals[i].lost, sent[i] - answered[i]);
		CHECK(intervals[i].latency_p50_ns <= intervals[i].latency_p99_ns);
		CHECK(intervals[i].latency_p99_ns <= intervals[i].latency_max_ns);
	}
	free(intervals);
}

TEST(a_recorder_that_hangs_far_behind_loses_nothing)
{
	struct bench bench;
	uint32_t count;
	uint64_t sent = 0;
	uint64_t answered = 0;

	begin(&bench, schedule_closed(), 2);
	recorder_sent(&bench.recorders[1], START_NS, 0);
	for (uint32_t i = 0; i < 50; i++) {
		recorder_sent(&bench.recorders[0], START_NS + i * SECOND, 0);
		recorder_answered(&bench.recorders[0], START_NS + i * SECOND, 1, 0);
		recorder_advance(&bench.recorders[0], START_NS + i * SECOND);
	}
	recorder_answered(&bench.recorders[1], START_NS, 1, 0);
	struct interval *intervals = end(&bench, 50 * SECOND, &count);
	CHECK_U(count, 50);
	for (uint32_t i = 0; i < count; i++) {
		sent += intervals[i].sent;
		answered += intervals[i].answered;
	}
	CHECK_U(sent, 51);
	CHECK_U(answered, 51);
	free(intervals);
}

/* recorder.c - two rings of intervals and a sum. */
#include "loadgen/recorder.h"

#include <stdlib.h>
#include <string.h>

#define HALF_BITS 6u /* RECORDER_HALF is 2^HALF_BITS */
/* Open intervals: those of the time-out, the current one, and two for the time that it takes to notice. */
#define SLACK         4u
#define INTERVALS_CAP 64u /* to begin with */

_Static_assert(RECORDER_HALF == 1u << HALF_BITS, "buckets are found by shifting");

/* As in histogram.c, with fewer digits. */
static uint32_t bucket_of(uint64_t value)
{
	if (value >= 1ull << HISTOGRAM_BITS) {
		value = (1ull << HISTOGRAM_BITS) - 1;
	}
	if (value < 2 * RECORDER_HALF) {
		return (uint32_t)value;
	}
	uint32_t shift = 63u - (uint32_t)__builtin_clzll(value) - HALF_BITS;

	return shift * RECORDER_HALF + (uint32_t)(value >> shift);
}

static uint64_t top_of(uint32_t bucket)
{
	if (bucket < 2 * RECORDER_HALF) {
		return bucket;
	}
	uint32_t shift = bucket / RECORDER_HALF - 1;
	uint64_t head = bucket - shift * RECORDER_HALF;

	return ((head + 1) << shift) - 1;
}

enum status recorder_sink_init(struct recorder_sink *sink, const struct schedule *schedule,
	uint64_t limit, uint64_t length_ns, uint64_t timeout_ns, uint32_t recorder_count)
{
	ASSERT(length_ns > 0);
	ASSERT(recorder_count > 0);

	*sink = (struct recorder_sink){.schedule = *schedule,
		.limit = limit,
		.length_ns = length_ns,
		.timeout_ns = timeout_ns,
		.recorder_count = recorder_count,
		.cap = (uint32_t)(timeout_ns / length_ns) + SLACK,
		.intervals_cap = INTERVALS_CAP};
	pthread_mutex_init(&sink->lock, NULL);
	sink->parts = calloc(sink->cap, sizeof(*sink->parts));
	sink->missing = calloc(sink->cap, sizeof(*sink->missing));
	sink->intervals = calloc(sink->intervals_cap, sizeof(*sink->intervals));
	if (sink->parts == NULL || sink->missing == NULL || sink->intervals == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < sink->cap; i++) {
		sink->missing[i] = recorder_count;
	}
	return STATUS_OK;
}

void recorder_sink_fini(struct recorder_sink *sink)
{
	free(sink->parts);
	free(sink->missing);
	free(sink->intervals);
	sink->parts = NULL;
	sink->missing = NULL;
	sink->intervals = NULL;
	pthread_mutex_destroy(&sink->lock);
}

static void add_part(struct recorder_part *to, const struct recorder_part *from)
{
	to->sent += from->sent;
	to->answered += from->answered;
	to->lost += from->lost;
	to->late += from->late;
	to->interrupted += from->interrupted;
	to->odd += from->odd;
	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		to->rcodes[i] += from->rcodes[i];
	}
	to->latency_sum_ns += from->latency_sum_ns;
	if (from->latency_max_ns > to->latency_max_ns) {
		to->latency_max_ns = from->latency_max_ns;
	}
	if (from->lateness_max_ns > to->lateness_max_ns) {
		to->lateness_max_ns = from->lateness_max_ns;
	}
	for (uint32_t i = 0; from->answered != 0 && i < RECORDER_BUCKETS; i++) {
		to->buckets[i] += from->buckets[i];
	}
}

/* The latency that permille of answered + lost queries do not exceed; each of the lost took the time-out. */
static uint64_t percentile(
	const struct recorder_part *part, uint64_t lost, uint64_t timeout_ns, uint32_t permille)
{
	uint64_t want = ((part->answered + lost) * permille + 999) / 1000;
	uint64_t seen = 0;

	if (part->answered + lost == 0) {
		return 0;
	}
	for (uint32_t i = 0; i < RECORDER_BUCKETS; i++) {
		seen += part->buckets[i];
		if (part->buckets[i] != 0 && seen >= want) {
			uint64_t top_ns = top_of(i);
			return top_ns < part->latency_max_ns ? top_ns : part->latency_max_ns;
		}
	}
	return timeout_ns;
}

/* Queries of the schedule in [start_ns, end_ns). */
static uint64_t count_due(const struct recorder_sink *sink, uint64_t start_ns, uint64_t end_ns)
{
	uint64_t from = schedule_first(&sink->schedule, start_ns);
	uint64_t to = schedule_first(&sink->schedule, end_ns);

	from = from < sink->limit ? from : sink->limit;
	to = to < sink->limit ? to : sink->limit;
	return to - from;
}

static struct interval make_interval(
	const struct recorder_sink *sink, const struct recorder_part *part, uint64_t number)
{
	bool is_open = schedule_is_open(&sink->schedule);
	uint64_t lost = is_open ? part->lost : 0;
	uint64_t felt = part->answered + lost;
	struct interval interval = {.start_ns = number * sink->length_ns,
		.length_ns = sink->length_ns,
		.sent = part->sent,
		.answered = part->answered,
		.lost = part->lost,
		.late = part->late,
		.interrupted = part->interrupted,
		.odd = part->odd,
		.lateness_max_ns = part->lateness_max_ns};

	interval.due =
		is_open ? count_due(sink, interval.start_ns, interval.start_ns + interval.length_ns)
			: part->sent;
	memcpy(interval.rcodes, part->rcodes, sizeof(interval.rcodes));
	if (part->answered != 0) {
		interval.answered_mean_ns = part->latency_sum_ns / part->answered;
	}
	if (felt != 0) {
		interval.latency_mean_ns = (part->latency_sum_ns + lost * sink->timeout_ns) / felt;
		interval.latency_p50_ns = percentile(part, lost, sink->timeout_ns, 500);
		interval.latency_p99_ns = percentile(part, lost, sink->timeout_ns, 990);
		interval.latency_max_ns = lost != 0 ? sink->timeout_ns : part->latency_max_ns;
	}
	return interval;
}

static void finish_first(struct recorder_sink *sink)
{
	uint32_t at = (uint32_t)(sink->first % sink->cap);

	if (sink->count == sink->intervals_cap && !sink->is_full) {
		size_t cap = sink->intervals_cap * 2;
		struct interval *grown = realloc(sink->intervals, cap * sizeof(*grown));
		sink->is_full = grown == NULL;
		if (grown != NULL) {
			sink->intervals = grown;
			sink->intervals_cap = cap;
		}
	}
	if (!sink->is_full) {
		sink->intervals[sink->count++] = make_interval(sink, &sink->parts[at], sink->first);
	}
	memset(&sink->parts[at], 0, sizeof(sink->parts[at]));
	sink->missing[at] = sink->recorder_count;
	sink->first++;
}

/* A recorder that runs far ahead of another finishes for it: what comes later then counts in the oldest left. */
static void deliver(struct recorder_sink *sink, uint64_t number, const struct recorder_part *part)
{
	pthread_mutex_lock(&sink->lock);
	while (number >= sink->first + sink->cap) {
		finish_first(sink);
	}
	bool is_behind = number < sink->first;
	uint32_t at = (uint32_t)((is_behind ? sink->first : number) % sink->cap);
	add_part(&sink->parts[at], part);
	sink->missing[at] -= is_behind ? 0 : 1;
	while (sink->missing[sink->first % sink->cap] == 0) {
		finish_first(sink);
	}
	pthread_mutex_unlock(&sink->lock);
}

uint32_t recorder_sink_copy(
	struct recorder_sink *sink, uint64_t from, struct interval *out, uint32_t max)
{
	uint32_t count = 0;

	pthread_mutex_lock(&sink->lock);
	while (count < max && from + count < sink->count) {
		out[count] = sink->intervals[from + count];
		count++;
	}
	pthread_mutex_unlock(&sink->lock);
	return count;
}

struct interval *recorder_sink_end(struct recorder_sink *sink, uint64_t end_ns, uint32_t *count_out)
{
	struct interval *intervals = sink->intervals;

	while (sink->missing[sink->first % sink->cap] != sink->recorder_count) {
		finish_first(sink);
	}
	while (sink->count > 0) {
		struct interval *last = &intervals[sink->count - 1];
		if (last->start_ns < end_ns || last->sent != 0 || sink->count == 1) {
			if (end_ns > last->start_ns && end_ns < last->start_ns + last->length_ns) {
				last->length_ns = end_ns - last->start_ns;
				last->due = schedule_is_open(&sink->schedule)
						    ? count_due(sink, last->start_ns, end_ns)
						    : last->sent;
			}
			break;
		}
		/* What came after the end belongs to the last interval that had queries. */
		intervals[sink->count - 2].late += last->late;
		intervals[sink->count - 2].odd += last->odd;
		sink->count--;
	}
	*count_out = sink->count;
	sink->intervals = NULL;
	return intervals;
}

enum status recorder_init(struct recorder *recorder, struct recorder_sink *sink)
{
	*recorder = (struct recorder){.sink = sink};
	recorder->parts = calloc(sink->cap, sizeof(*recorder->parts));
	recorder->hot = recorder->parts;
	return recorder->parts == NULL ? STATUS_MEMORY : STATUS_OK;
}

void recorder_start(struct recorder *recorder, uint64_t start_ns)
{
	recorder->start_ns = start_ns;
	recorder->hot_ns = start_ns;
}

void recorder_fini(struct recorder *recorder)
{
	free(recorder->parts);
	recorder->parts = NULL;
}

static void hand_over(struct recorder *recorder)
{
	struct recorder_part *part = &recorder->parts[recorder->first % recorder->sink->cap];

	deliver(recorder->sink, recorder->first, part);
	memset(part, 0, sizeof(*part));
	recorder->first++;
	if (recorder->newest < recorder->first) {
		recorder->newest = recorder->first;
	}
	recorder->hot_ns = recorder->start_ns + recorder->newest * recorder->sink->length_ns;
	recorder->hot = &recorder->parts[recorder->newest % recorder->sink->cap];
}

/* The part of a time that is not the hot one's. What is too old counts in the oldest that is open. */
static struct recorder_part *find(struct recorder *recorder, uint64_t at_ns)
{
	uint64_t since_ns = at_ns > recorder->start_ns ? at_ns - recorder->start_ns : 0;
	uint64_t number = since_ns / recorder->sink->length_ns;

	if (number < recorder->first) {
		number = recorder->first;
	}
	while (number >= recorder->first + recorder->sink->cap) {
		hand_over(recorder);
	}
	if (number > recorder->newest) {
		recorder->newest = number;
	}
	recorder->hot_ns = recorder->start_ns + number * recorder->sink->length_ns;
	recorder->hot = &recorder->parts[number % recorder->sink->cap];
	return recorder->hot;
}

static inline struct recorder_part *part_of(struct recorder *recorder, uint64_t at_ns)
{
	return at_ns - recorder->hot_ns < recorder->sink->length_ns ? recorder->hot
								    : find(recorder, at_ns);
}

HOT void recorder_sent(struct recorder *recorder, uint64_t due_ns, uint64_t lateness_ns)
{
	struct recorder_part *part = part_of(recorder, due_ns);

	part->sent++;
	if (lateness_ns > part->lateness_max_ns) {
		part->lateness_max_ns = lateness_ns;
	}
}

HOT void recorder_answered(
	struct recorder *recorder, uint64_t due_ns, uint64_t latency_ns, uint32_t rcode)
{
	struct recorder_part *part = part_of(recorder, due_ns);

	part->answered++;
	part->rcodes[rcode]++;
	part->latency_sum_ns += latency_ns;
	if (latency_ns > part->latency_max_ns) {
		part->latency_max_ns = latency_ns;
	}
	part->buckets[bucket_of(latency_ns)]++;
}

void recorder_lost(struct recorder *recorder, uint64_t due_ns)
{
	part_of(recorder, due_ns)->lost++;
}

void recorder_interrupted(struct recorder *recorder, uint64_t due_ns)
{
	part_of(recorder, due_ns)->interrupted++;
}

void recorder_late(struct recorder *recorder, uint64_t at_ns)
{
	part_of(recorder, at_ns)->late++;
}

void recorder_odd(struct recorder *recorder, uint64_t at_ns)
{
	part_of(recorder, at_ns)->odd++;
}

static uint64_t end_of_first(const struct recorder *recorder)
{
	return recorder->start_ns + (recorder->first + 1) * recorder->sink->length_ns;
}

void recorder_advance(struct recorder *recorder, uint64_t floor_ns)
{
	while (end_of_first(recorder) <= floor_ns) {
		const struct recorder_part *part =
			&recorder->parts[recorder->first % recorder->sink->cap];
		if (part->sent > part->answered + part->lost + part->interrupted) {
			return;
		}
		hand_over(recorder);
	}
}

void recorder_finish(struct recorder *recorder, uint64_t end_ns)
{
	recorder_advance(recorder, end_ns);
	uint64_t newest = recorder->newest;
	while (recorder->first <= newest) {
		hand_over(recorder);
	}
}

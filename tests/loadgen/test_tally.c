/* test_tally.c - the sums of several senders, and the equation that holds for each. */
#include "loadgen/tally.h"

#include "kit/kit.h"

static struct tally parts[3];
static struct tally sum;

TEST(sums_add_counts_and_keep_extremes)
{
	tally_init(&sum);
	for (uint32_t i = 0; i < 3; i++) {
		tally_init(&parts[i]);
		parts[i].sent = 10;
		parts[i].answered = 7 + i;
		parts[i].lost = 3 - i;
		parts[i].late = i == 0 ? 1 : 0;
		parts[i].rcodes[i] = 7 + i;
		for (uint32_t k = 0; k < 7 + i; k++) {
			histogram_add(&parts[i].latency_ns, 100 * (i + 1));
		}
		parts[i].first_ns = i == 1 ? 0 : 1000 - i;
		parts[i].last_ns = 2000 + i;
		parts[i].in_flight_max = 5 - i;
		CHECK(tally_is_valid(&parts[i]));
		tally_add_all(&sum, &parts[i]);
	}
	CHECK(tally_is_valid(&sum));
	CHECK_U(sum.sent, 30);
	CHECK_U(sum.answered, 24);
	CHECK_U(sum.lost, 6);
	CHECK_U(sum.first_ns, 998); /* the one that sent nothing does not count */
	CHECK_U(sum.last_ns, 2002);
	CHECK_U(sum.in_flight_max, 5);
	CHECK_U(sum.latency_ns.min, 100);
	CHECK_U(sum.latency_ns.max, 300);
}

TEST(an_answer_without_a_fate_is_noticed)
{
	tally_init(&sum);
	sum.sent = 1;
	CHECK(!tally_is_valid(&sum));
	sum.lost = 1;
	CHECK(tally_is_valid(&sum));
	sum.late = 2;
	CHECK(!tally_is_valid(&sum));
}

/* test_run.c - signals in the moments in which they are easily lost. */
#include "loadgen/run.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
#include "kit/kit.h"
#include "loadgen/flow_udp.h"
#include "loadgen/queryfile.h"
#include "os/socket.h"

#define WAITS_MAX 6000u /* of 10 ms */

static struct run_result result;
static bool was_told;

/* Ctrl-C that comes when the last thread has just ended: both signals wait for the main thread. */
static void interrupt_at_the_end(void *context, const struct run_progress *progress)
{
	sigset_t pending;

	(void)context;
	(void)progress;
	was_told = true;
	CHECK(kill(getpid(), SIGINT) == 0);
	for (uint32_t i = 0; i < WAITS_MAX; i++) {
		sigpending(&pending);
		if (sigismember(&pending, SIGUSR1) == 1) {
			return;
		}
		usleep(10000);
	}
	CHECK(false);
}

TEST(ctrl_c_is_heard_also_when_all_is_done)
{
	static const struct queryfile_options options = {.strict = true};
	static const struct diag_sink quiet = {.report = NULL};
	static const char text[] = "example.test A\n";
	struct queryfile queries = {0};
	struct run_config config = {.mode = RUN_CLOSED,
		.kind = &flow_udp,
		.queries = &queries,
		/* Longer than the second after which the progress is told. */
		.length_ns = 1300 * NOW_NS_A_MILLISECOND,
		.timeout_ns = 100 * NOW_NS_A_MILLISECOND,
		.in_flight = 1,
		.socket_count = 1,
		.thread_count = 1,
		.progress = interrupt_at_the_end};
	struct addr any;

	CHECK(queryfile_read(kit_temp_file(text, strlen(text)), &options, &quiet, &queries) ==
		STATUS_OK);
	CHECK(addr_parse("127.0.0.1:0", 0, &any));
	int deaf = socket_udp_bind(&any, 0);
	CHECK(deaf >= 0 && socket_local(deaf, &config.server));
	CHECK(run_load(&config, &result) == STATUS_OK);
	CHECK(was_told);
	CHECK(result.end == RUN_INTERRUPTED);
	CHECK_U(result.tally.interrupted, 0); /* all queries had been given up before */
	run_result_fini(&result);
	queryfile_fini(&queries);
	socket_close(deaf);
}

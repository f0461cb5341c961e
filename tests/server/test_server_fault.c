/* test_server_fault.c - the Nth allocation fails, for every N: nothing breaks, nothing is lost, and what failed
 * can be tried again.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/octets.h"
#include "base/publish.h"
#include "conf/conf.h"
#include "fault/fault.h"
#include "kit/kit.h"
#include "os/poll.h"
#include "os/pool.h"
#include "os/socket.h"
#include "server/worker.h"
#include "server/zonelist.h"

#define TRIES_MAX 5000u /* far more allocations than any of these makes */

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

TEST(a_configuration_is_read_or_is_not)
{
	const struct diag_sink sink = {.report = ignore};
	static const char text[] = "server: {listen: ['127.0.0.1:53']}\n"
				   "zones: [{name: a, file: b}, {name: b, file: c}]\n";
	const char *path = kit_temp_file(text, sizeof(text) - 1);
	uint32_t failures = 0;

	for (uint32_t nth = 1; nth < TRIES_MAX; nth++) {
		struct server_config config;
		int64_t before = fault_live();

		conf_init(&config);
		fault_arm(nth);
		enum status status = conf_load(path, &sink, &config);
		bool failed = fault_disarm();
		CHECK_U(status, failed ? STATUS_MEMORY : STATUS_OK);
		conf_fini(&config);
		CHECK_U(fault_live(), before);
		failures += failed;
		if (!failed) {
			break;
		}
	}
	CHECK(failures > 20);
}

static void answer(void *context, struct request *requests, uint32_t count, struct now now)
{
	(void)context;
	(void)now;
	for (uint32_t i = 0; i < count; i++) {
		requests[i].answer_len = 60000;
	}
}

/* Accepts a connection that sends half a query, then many whose answers it does not take. */
static void use_streams(struct poll *poll, const struct now now)
{
	static struct stream_counters counters;
	const struct transport_handler handler = {.answer = answer};
	struct poll_event events[POLL_EVENTS_MAX];
	uint8_t octets[50 * 22];
	int ends[2];

	CHECK_U(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
	memset(octets, 0, sizeof(octets));
	for (uint32_t i = 0; i < 50; i++) {
		octets_put_u16(octets + 22 * (size_t)i, 20);
	}
	struct stream_set *set = stream_set_new(&STREAM_CONFIG_DEFAULT, poll, &handler, &counters);
	if (set == NULL || stream_adopt(set, ends[0], now) != STATUS_OK) {
		close(ends[0]);
	} else {
		for (uint32_t off = 0; off < sizeof(octets); off += 275) {
			ssize_t sent = socket_write(ends[1], octets + off, 275);
			(void)sent; /* it may have been closed */
			uint32_t count = poll_wait(poll, events, 0);
			for (uint32_t i = 0; i < count; i++) {
				stream_event(set, events[i].context, events[i].flags, now);
			}
			stream_expire(set, now);
		}
	}
	stream_set_free(set);
	close(ends[1]);
}

TEST(connections_are_served_or_closed)
{
	const struct now now = {.mono_ns = 1};
	uint32_t failures = 0;
	bool failed = true;

	signal(SIGPIPE, SIG_IGN);
	for (uint32_t nth = 1; failed && nth < TRIES_MAX; nth++) {
		struct poll poll;
		int64_t before = fault_live();

		CHECK_U(poll_init(&poll), STATUS_OK);
		fault_arm(nth);
		use_streams(&poll, now);
		failed = fault_disarm();
		poll_fini(&poll);
		CHECK_U(fault_live(), before);
		failures += failed;
	}
	CHECK(failures >= 5); /* the set, its slots, a connection, half a query, answers */
}

TEST(a_worker_is_made_or_is_not)
{
	static struct published no_zones;
	struct worker_config config = {
		.stream = STREAM_CONFIG_DEFAULT, .answer = ANSWER_CONFIG_DEFAULT};
	struct addr addr;
	uint32_t failures = 0;
	bool failed = true;

	CHECK(addr_parse("127.0.0.1:0", 0, &addr));
	for (uint32_t nth = 1; failed && nth < TRIES_MAX; nth++) {
		int64_t before = fault_live();
		int fd = socket_udp_bind(&addr, 0);

		CHECK(fd >= 0);
		fault_arm(nth);
		struct worker *worker = worker_new(0, &config, &no_zones);
		if (worker == NULL || worker_add_udp(worker, fd, false) != STATUS_OK) {
			socket_close(fd);
		}
		failed = fault_disarm();
		worker_free(worker);
		CHECK_U(fault_live(), before);
		failures += failed;
	}
	CHECK(failures >= 5);
}

static void finished(void *context)
{
	++*(uint32_t *)context;
}

/* Loads what config says; true where the load began. */
static bool load(struct zonelist *list, const struct server_config *config, struct pool *pool,
	struct poll *poll, const uint32_t *finished_count)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint32_t before = *finished_count;

	if (zonelist_load(list, config, pool) != STATUS_OK) {
		return false;
	}
	while (*finished_count == before) {
		poll_wait(poll, events, -1);
		pool_collect(pool);
	}
	return true;
}

TEST(a_reload_happens_or_changes_nothing)
{
	const struct hash_key key = {{1, 2}};
	const char *path = kit_temp_file("1", 1);
	uint32_t failures = 0;
	uint32_t finished_count = 0;
	char why[CONF_WHY_MAX];
	struct server_config one, two;
	struct poll poll;
	bool failed = true;

	log_set_level(LOG_LEVEL_ERROR);
	conf_init(&one);
	conf_init(&two);
	CHECK_U(conf_put_zone(&one, "a", path, why), STATUS_OK);
	CHECK_U(conf_put_zone(&one, "b", path, why), STATUS_OK);
	CHECK_U(conf_put_zone(&two, "b", path, why), STATUS_OK);
	CHECK_U(conf_put_zone(&two, "c", path, why), STATUS_OK);
	CHECK_U(conf_put_zone(&two, "d", path, why), STATUS_OK);
	CHECK_U(poll_init(&poll), STATUS_OK);
	/* Round 0 fails nothing: the C library's threads keep what they first allocate. */
	for (uint32_t nth = 0; nth <= 1 || (failed && nth < TRIES_MAX); nth++) {
		int64_t before = fault_live();
		struct pool *pool = pool_new(1, &poll);
		struct zonelist *list = zonelist_new(&key, NULL, finished, &finished_count);

		CHECK(pool != NULL && list != NULL);
		CHECK(load(list, &one, pool, &poll, &finished_count));
		fault_arm(nth);
		bool began = load(list, &two, pool, &poll, &finished_count);
		failed = fault_disarm();
		CHECK(began || failed);
		/* Whatever failed, the next try finds everything in order. */
		CHECK(load(list, &two, pool, &poll, &finished_count));
		CHECK_U(zonelist_counts(list).zones, 3);
		CHECK_U(zonelist_counts(list).serving, 3);
		pool_free(pool);
		zonelist_free(list);
		CHECK(nth == 0 || fault_live() == before);
		failures += failed;
	}
	CHECK(failures >= 8);
	poll_fini(&poll);
	conf_fini(&one);
	conf_fini(&two);
}

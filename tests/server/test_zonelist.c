/* test_zonelist.c - loads and reloads with stand-ins for zones: what is served after each. */
#include "server/zonelist.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/publish.h"
#include "conf/conf.h"
#include "kit/kit.h"
#include "os/poll.h"
#include "os/pool.h"
#include "zone/load.h"
#include "zone/zone.h"

static struct poll poll;
static struct pool *pool;
static struct zonelist *list;
static struct server_config config;
static uint32_t finished_count;

static void finished(void *context)
{
	(void)context;
	finished_count++;
}

static void open_list(void)
{
	const struct hash_key key = {{1, 2}};

	log_set_level(LOG_LEVEL_ERROR);
	finished_count = 0;
	CHECK_U(poll_init(&poll), STATUS_OK);
	pool = pool_new(2, &poll);
	CHECK(pool != NULL);
	list = zonelist_new(&key, NULL, finished, NULL);
	CHECK(list != NULL);
	conf_init(&config);
}

static void close_list(void)
{
	zonelist_stop(list);
	pool_free(pool);
	zonelist_free(list);
	poll_fini(&poll);
	conf_fini(&config);
}

static void put(const char *name, const char *file)
{
	char why[CONF_WHY_MAX];

	CHECK_U(conf_put_zone(&config, name, file, why), STATUS_OK);
}

static void load(void)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint32_t before = finished_count;

	CHECK_U(zonelist_load(list, &config, pool), STATUS_OK);
	while (finished_count == before) {
		CHECK(zonelist_is_loading(list));
		poll_wait(&poll, events, -1);
		pool_collect(pool);
	}
	CHECK(!zonelist_is_loading(list));
	CHECK_U(finished_count, before + 1);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL);
	fputs(text, file);
	fclose(file);
}

/* What is served, as `name=octets of its version` (- for none), in the order of the set. */
static const char *served(void)
{
	static char text[1024];
	const struct zone_set *set = publish_get(zonelist_published(list));
	size_t len = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < zone_set_count(set); i++) {
		struct zone *zone = zone_set_get(set, i);
		const struct image *image = publish_get(&zone->image);
		struct image_stats stats;
		char name[NAME_TEXT_MAX];
		len += (size_t)snprintf(
			text + len, sizeof(text) - len, "%s=", name_to_text(&zone->name, name));
		if (image == NULL) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, "- ");
			continue;
		}
		image_stats(image, &stats);
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%llu ",
			(unsigned long long)stats.memory_len);
	}
	return text;
}

TEST(each_zone_that_loads_is_served_and_the_others_are_there_without_a_version)
{
	open_list();
	put("b", kit_temp_file("12", 2));
	put("a", kit_temp_file("bad", 3));
	put("c", "/nonexistent");
	load();
	CHECK_S(served(), "a.=- b.=2 c.=- ");
	CHECK_U(zonelist_counts(list).zones, 3);
	CHECK_U(zonelist_counts(list).serving, 1);
	CHECK_U(zonelist_counts(list).failed, 2);
	close_list();
}

TEST(a_bad_file_keeps_the_version_before_and_holds_back_no_other)
{
	const char *one = kit_temp_file("1", 1);
	const char *two = kit_temp_file("1", 1);

	open_list();
	put("one", one);
	put("two", two);
	load();
	CHECK_S(served(), "one.=1 two.=1 ");
	write_file(one, "bad");
	write_file(two, "12345");
	load();
	CHECK_S(served(), "one.=1 two.=5 ");
	CHECK_U(zonelist_counts(list).serving, 2);
	CHECK_U(zonelist_counts(list).failed, 1);
	write_file(one, "123");
	load();
	CHECK_S(served(), "one.=3 two.=5 ");
	CHECK_U(zonelist_counts(list).failed, 0);
	close_list();
}

TEST(zones_come_and_go_and_may_change_their_file)
{
	open_list();
	put("one", kit_temp_file("1", 1));
	put("two", kit_temp_file("12", 2));
	load();
	conf_fini(&config);
	conf_init(&config);
	put("three", kit_temp_file("123", 3));
	put("two", kit_temp_file("1234", 4));
	load();
	CHECK_S(served(), "three.=3 two.=4 ");
	conf_fini(&config);
	conf_init(&config);
	load();
	CHECK_S(served(), "");
	put("two", kit_temp_file("12", 2));
	load();
	CHECK_S(served(), "two.=2 ");
	close_list();
}

TEST(stopping_while_loading_loses_nothing)
{
	open_list();
	put("one", kit_temp_file("1", 1));
	put("two", kit_temp_file("12", 2));
	CHECK_U(zonelist_load(list, &config, pool), STATUS_OK);
	close_list();
	CHECK_U(finished_count, 0);
}

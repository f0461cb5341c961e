/* test_conf.c - what a configuration may say, and every complaint with its line and column. */
#include "conf/conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "conf/conf_table.h"
#include "kit/kit.h"

static char said[16384]; /* `LINE:COLUMN: text` a line */
static uint32_t said_count;

static void note(void *context, const struct diag *diag)
{
	size_t len = strlen(said);

	(void)context;
	CHECK_U(diag->level, DIAG_ERROR);
	snprintf(said + len, sizeof(said) - len, "%u:%u: %s\n", diag->line, diag->column,
		diag->text);
	said_count++;
}

static enum status load_octets(const char *text, size_t len, struct server_config *config)
{
	const struct diag_sink sink = {.report = note};

	said[0] = '\0';
	said_count = 0;
	conf_init(config);
	return conf_load(kit_temp_file(text, len), &sink, config);
}

static enum status load(const char *text, struct server_config *config)
{
	return load_octets(text, strlen(text), config);
}

TEST(nothing_said_is_the_defaults)
{
	static const char *const texts[] = {"", "# nothing\n", "server:\n", "zones:\n",
		"zones: []\n", "server: {tcp: {}}\nlog: {}\n", "---\n...\n"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct server_config config;
		char text[ADDR_TEXT_MAX];

		KIT_NOTE(texts[i]);
		CHECK_U(load(texts[i], &config), STATUS_OK);
		CHECK_U(config.listen_count, 2);
		CHECK_S(addr_to_text(&config.listen[0], text), "127.0.0.1:53");
		CHECK_S(addr_to_text(&config.listen[1], text), "[::1]:53");
		CHECK_U(config.workers, CONF_WORKERS_AUTO);
		CHECK_U(config.udp_payload_max, 1232);
		CHECK_U(config.tcp_idle_timeout_s, 10);
		CHECK_U(config.tcp_connections, 10000);
		CHECK_U(config.log_level, LOG_LEVEL_INFO);
		CHECK_U(config.zone_count, 0);
		conf_fini(&config);
	}
}

TEST(everything_said_is_taken)
{
	struct server_config config;
	char text[NAME_TEXT_MAX];

	CHECK_U(load("server:\n"
		     "  listen: ['192.0.2.1', \"[2001:db8::1]:5300\", 127.0.0.1:0]\n"
		     "  workers: 3\n"
		     "  udp-payload-max: 512\n"
		     "  tcp: {idle-timeout: 3600, connections: 1}\n"
		     "zones:\n"
		     "  - {name: Example.COM, file: a/b.zone}\n"
		     "  - name: .\n"
		     "    file: /srv/root.zone\n"
		     "log: {level: debug}\n",
			&config),
		STATUS_OK);
	CHECK_S(said, "");
	CHECK_U(config.listen_count, 3);
	CHECK_S(addr_to_text(&config.listen[0], text), "192.0.2.1:53");
	CHECK_S(addr_to_text(&config.listen[1], text), "[2001:db8::1]:5300");
	CHECK_S(addr_to_text(&config.listen[2], text), "127.0.0.1:0");
	CHECK_U(config.workers, 3);
	CHECK_U(config.udp_payload_max, 512);
	CHECK_U(config.tcp_idle_timeout_s, 3600);
	CHECK_U(config.tcp_connections, 1);
	CHECK_U(config.log_level, LOG_LEVEL_DEBUG);
	CHECK_U(config.zone_count, 2);
	CHECK_S(name_to_text(&config.zones[0].name, text), "example.com.");
	CHECK_S(config.zones[0].file, "/tmp/a/b.zone"); /* the file's folder before it */
	CHECK_U(config.zones[0].line, 7);
	CHECK_U(config.zones[0].column, 5);
	CHECK_S(name_to_text(&config.zones[1].name, text), ".");
	CHECK_S(config.zones[1].file, "/srv/root.zone");
	conf_fini(&config);
}

TEST(each_error_says_where_and_what_was_expected)
{
	static const char *const cases[][2] = {
		{"serve: {}", "1:1: unknown key 'serve' (did you mean 'server'?)\n"},
		{"server: {worker: 1}", "1:10: unknown key 'worker' (did you mean 'workers'?)\n"},
		{"server: {tcp: {idel-timeout: 1}}",
			"1:16: unknown key 'idel-timeout' (did you mean 'idle-timeout'?)\n"},
		{"colour: red",
			"1:1: unknown key 'colour' (expected one of: server zones resolver log)\n"},
		{"server: {workers.x: 1}",
			"1:10: unknown key 'workers.x' (did you mean 'workers'?)\n"},
		{"server.workers: 1", "1:1: unknown key 'server.workers' (expected one of: server "
				      "zones resolver log)\n"},
		{"\n\nlog: {level: loud}", "3:14: 'loud' is no good value "
					   "(expected one of: error warning info debug)\n"},
		{"server: {workers: 0}", "1:19: '0' is no good value "
					 "(expected auto or a number from 1 to 256)\n"},
		{"server: {workers: 257}", "1:19: '257' is no good value "
					   "(expected auto or a number from 1 to 256)\n"},
		{"server: {udp-payload-max: 511}", "1:27: '511' is no good value "
						   "(expected a number from 512 to 2048)\n"},
		{"server: {udp-payload-max: 2049}", "1:27: '2049' is no good value "
						    "(expected a number from 512 to 2048)\n"},
		{"server: {udp-payload-max: 99999999999}",
			"1:27: '99999999999' is no good value "
			"(expected a number from 512 to 2048)\n"},
		{"server: {udp-payload-max: 1.5}", "1:27: '1.5' is no good value "
						   "(expected a number from 512 to 2048)\n"},
		{"server: {udp-payload-max: auto}", "1:27: 'auto' is no good value "
						    "(expected a number from 512 to 2048)\n"},
		{"server: {workers: [1]}", "1:19: 'workers' is a list (expected a single value)\n"},
		{"server: {workers: }", "1:19: 'workers' is empty (expected a single value)\n"},
		{"server: {workers: {a: 1}}",
			"1:19: 'workers' is a mapping (expected a single value)\n"},
		{"server: 1", "1:9: 'server' is a single value (expected a mapping)\n"},
		{"server: [1]", "1:9: 'server' is a list (expected a mapping)\n"},
		{"[1]", "1:1: 'configuration' is a list (expected a mapping)\n"},
		{"server: {listen: 127.0.0.1}",
			"1:18: 'listen' is a single value (expected a list of addresses)\n"},
		{"server: {listen: []}",
			"1:18: 'listen' is empty (expected at least one address)\n"},
		{"server: {listen: [localhost]}",
			"1:19: 'localhost' is no address (expected ADDRESS:PORT like "
			"192.0.2.1:53 or [::1]:53)\n"},
		{"server: {listen: [127.0.0.1, '127.0.0.1:53']}",
			"1:30: '127.0.0.1:53' is there already (expected each address once)\n"},
		{"server: {listen: [[a]]}", "1:19: 'listen' is a list (expected a single value)\n"},
		{"log: {level: info}\nlog: {level: info}",
			"2:1: 'log' stands in line 1 already (expected each key once)\n"},
		{"server: {workers: 1, workers: 2}",
			"1:22: 'workers' stands in line 1 already (expected each key once)\n"},
		{"zones: {name: a}", "1:8: 'zones' is a mapping (expected a list of mappings)\n"},
		{"zones: [a]",
			"1:9: a zone is a single value (expected {name: NAME, file: FILE})\n"},
		{"zones: [{name: a.}]", "1:9: no 'file' here (expected one)\n"},
		{"zones: [{file: a.}]", "1:9: no 'name' here (expected one)\n"},
		{"zones: [{name: a, file: ''}]", "1:25: 'file' is empty (expected a path)\n"},
		{"zones: [{name: a, fiel: x}]", "1:19: unknown key 'fiel' (did you mean 'file'?)\n"
						"1:9: no 'file' here (expected one)\n"},
		{"zones:\n- {name: a, file: x}\n- {name: b, file: x}\n- {name: A., file: y}",
			"4:3: zone 'a.' stands in line 2 already (expected each zone once)\n"},
		{"log: {level: 'in\\\n", NULL},
		{"log: {level: info", NULL},
		{"\tlog: 1", NULL},
		{"log: *x", NULL},
		{"log: {level: info}\n---\nlog: {level: info}\n",
			"3:1: a second document (expected one in a file)\n"},
		{"log: {level: \"in\\0fo\"}", "1:14: 'level' holds a zero octet (expected text)\n"},
		{"resolver: {dns64: '64:ff9b::/95'}",
			"1:19: '64:ff9b::/95' is no prefix of a NAT64 (expected one like "
			"64:ff9b::/96, of 32, 40, 48, 56, 64 or 96 bits, bits 64 to 71 being "
			"zero)\n"},
		{"resolver: {dns64: '2001:db8:0:0:100::/96'}",
			"1:19: '2001:db8:0:0:100::/96' is no prefix of a NAT64 (expected one like "
			"64:ff9b::/96, of 32, 40, 48, 56, 64 or 96 bits, bits 64 to 71 being "
			"zero)\n"},
		{"resolver: {dns64: 192.0.2.0/24}",
			"1:19: '192.0.2.0/24' is no prefix of a NAT64 (expected one like "
			"64:ff9b::/96, of 32, 40, 48, 56, 64 or 96 bits, bits 64 to 71 being "
			"zero)\n"},
		{"resolver: {private-addresses: [10.0.0.1/8]}",
			"1:32: '10.0.0.1/8' is no prefix (expected one like 192.0.2.0/24 or "
			"2001:db8::/32, without bits behind its length)\n"},
		{"resolver: {minimal-any: 1}",
			"1:25: '1' is no good value (expected true or false)\n"},
		{"resolver: {privat-names: []}",
			"1:12: unknown key 'privat-names' (did you mean 'private-names'?)\n"},
		{"? [a]\n: 1", "1:3: 'key' is a list (expected a single value)\n"},
		{"<<: 1", "1:1: unknown key '<<' (expected one of: server zones resolver log)\n"},
		{"log: &x [*x]", "1:6: 'log' is a list (expected a mapping)\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct server_config config;

		KIT_NOTE(cases[i][0]);
		CHECK_U(load(cases[i][0], &config), STATUS_REFUSED);
		CHECK(said_count != 0);
		if (cases[i][1] != NULL) {
			CHECK_S(said, cases[i][1]);
		} else { /* libyaml's words */
			CHECK(strstr(said, "(expected YAML)") != NULL);
			CHECK(strncmp(said, "0:", 2) != 0);
		}
		conf_fini(&config);
	}
}

TEST(a_bad_name_says_what_is_wrong_with_it)
{
	struct server_config config;

	CHECK_U(load("zones: [{name: a..b, file: x}]", &config), STATUS_REFUSED);
	CHECK(strncmp(said, "1:16: 'a..b' is no domain name: ", 32) == 0);
	conf_fini(&config);
}

TEST(octets_that_are_no_text_are_refused)
{
	struct server_config config;

	CHECK_U(load_octets("a: \xff\xfe", 5, &config), STATUS_REFUSED);
	CHECK(strstr(said, "(expected UTF-8 text)") != NULL);
	conf_fini(&config);
}

TEST(all_errors_are_listed_up_to_twenty)
{
	static char text[4096];
	struct server_config config;

	for (uint32_t count = 19; count <= 23; count++) {
		text[0] = '\0';
		for (uint32_t i = 0; i < count; i++) {
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "key%u: 1\n", i);
		}
		CHECK_U(load(text, &config), STATUS_REFUSED);
		CHECK_U(said_count, count <= 20 ? count : 21);
		CHECK((strstr(said, "0:0: 3 more errors") != NULL) == (count == 23));
		conf_fini(&config);
	}
}

TEST(too_many_addresses_are_refused)
{
	static char text[4096];
	struct server_config config;

	for (uint32_t count = CONF_LISTEN_MAX; count <= CONF_LISTEN_MAX + 1; count++) {
		snprintf(text, sizeof(text), "server:\n  listen:\n");
		for (uint32_t i = 0; i < count; i++) {
			snprintf(text + strlen(text), sizeof(text) - strlen(text),
				"    - 127.0.0.1:%u\n", i + 1);
		}
		CHECK_U(load(text, &config), count <= CONF_LISTEN_MAX ? STATUS_OK : STATUS_REFUSED);
		conf_fini(&config);
	}
}

TEST(a_file_that_is_not_there_says_so)
{
	const struct diag_sink sink = {.report = note};
	struct server_config config;

	said[0] = '\0';
	conf_init(&config);
	CHECK_U(conf_load("/nonexistent/saker.yaml", &sink, &config), STATUS_REFUSED);
	CHECK_S(said, "0:0: cannot be read: No such file or directory\n");
	conf_fini(&config);
}

TEST(options_go_through_the_same_table)
{
	struct server_config config;
	char why[CONF_WHY_MAX];

	conf_init(&config);
	CHECK_U(conf_set(&config, "server.workers", "7", why), STATUS_OK);
	CHECK_U(config.workers, 7);
	CHECK_U(conf_set(&config, "server.workers", "many", why), STATUS_REFUSED);
	CHECK_S(why, "'many' is no good value (expected auto or a number from 1 to 256)");
	CHECK_U(config.workers, 7);
	CHECK_U(conf_put_zone(&config, "a.example", "one", why), STATUS_OK);
	CHECK_U(conf_put_zone(&config, "b.example", "two", why), STATUS_OK);
	CHECK_U(conf_put_zone(&config, "A.example.", "three", why), STATUS_OK);
	CHECK_U(config.zone_count, 2);
	CHECK_S(config.zones[0].file, "three");
	CHECK_U(conf_put_zone(&config, "a..b", "four", why), STATUS_REFUSED);
	CHECK_U(conf_put_zone(&config, "c", "", why), STATUS_REFUSED);
	CHECK_U(config.zone_count, 2);
	conf_fini(&config);
}

TEST(random_edits_of_a_good_file_never_break_the_reader)
{
	static const char good[] = "server: {listen: [\"127.0.0.1:53\"], workers: auto, tcp: "
				   "{idle-timeout: 5}}\nzones:\n  - {name: a, file: b}\nlog: "
				   "{level: info}\n";
	static const char marks[] = "{}[]:,-\n \t\"'&*!|>%@`#a1.";
	uint32_t accepted = 0;
	uint32_t rejected = 0;
	const struct diag_sink sink = {.report = note};
	char path[] = "/tmp/saker-conf-XXXXXX";
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	for (uint32_t round = 0; round < 5000; round++) {
		struct server_config config;
		char text[sizeof(good)];
		FILE *file = fopen(path, "w");

		memcpy(text, good, sizeof(good));
		for (uint32_t edits = kit_random(3); edits > 0; edits--) {
			text[kit_random(sizeof(good) - 1)] = marks[kit_random(sizeof(marks) - 1)];
		}
		CHECK(file != NULL);
		fputs(text, file);
		fclose(file);
		said[0] = '\0';
		conf_init(&config);
		enum status status = conf_load(path, &sink, &config);
		CHECK((status == STATUS_OK) == (said[0] == '\0'));
		accepted += status == STATUS_OK;
		rejected += status == STATUS_REFUSED;
		conf_fini(&config);
	}
	remove(path);
	CHECK(accepted > 1000);
	CHECK(rejected > 100);
}

TEST(local_policy_of_the_resolver_is_taken)
{
	struct server_config config;

	CHECK_U(load("resolver:\n"
		     "  private-addresses: [10.0.0.0/8, 'fc00::/7']\n"
		     "  private-names: [Corp.Example]\n"
		     "  dns64: 64:ff9b::/96\n"
		     "  minimal-any: false\n",
			&config),
		STATUS_OK);
	CHECK_U(config.resolver.private_addresses.count, 2);
	CHECK_U(config.resolver.private_names.count, 1);
	CHECK_U(config.resolver.private_names.items[0].octets[1], 'c');
	CHECK_U(config.resolver.dns64.len, 96);
	CHECK_U(config.resolver.dns64.octets[3], 0x9b);
	CHECK_U(config.resolver.minimal_any, 0);
	conf_fini(&config);
	CHECK_U(load("resolver: {enabled: true}\n", &config), STATUS_OK);
	CHECK_U(config.resolver.private_addresses.count, 0);
	CHECK_U(config.resolver.dns64.len, 0);
	CHECK_U(config.resolver.minimal_any, 1);
	conf_fini(&config);
}

TEST(the_schema_names_every_key)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	CHECK(out != NULL);
	conf_table_print_schema(out);
	fclose(out);
	for (uint32_t i = 0; i < CONF_TABLE_ROWS; i++) {
		char key[64];
		const char *last = strrchr(conf_table_rows[i].path, '.');
		snprintf(key, sizeof(key), "\"%s\": {", last + 1);
		KIT_NOTE(conf_table_rows[i].path);
		CHECK(strstr(text, key) != NULL);
		CHECK(strstr(text, conf_table_rows[i].about) != NULL);
	}
	free(text);
}

TEST(the_folder_for_what_is_kept_is_a_path_like_that_of_a_zone)
{
	struct server_config config;
	char why[CONF_WHY_MAX];

	CHECK_U(load("server: {state: /var/lib/saker}\n", &config), STATUS_OK);
	CHECK_S(config.state, "/var/lib/saker");
	CHECK_U(conf_put_state(&config, "elsewhere", why), STATUS_OK);
	CHECK_S(config.state, "elsewhere");
	CHECK_U(conf_put_state(&config, "", why), STATUS_REFUSED);
	conf_fini(&config);
	CHECK_U(load("server: {state: kept}\n", &config), STATUS_OK);
	CHECK(config.state[0] == '/' && strcmp(strrchr(config.state, '/'), "/kept") == 0);
	conf_fini(&config);
	CHECK_U(load("server: {workers: 1}\n", &config), STATUS_OK);
	CHECK(config.state == NULL);
	conf_fini(&config);
	CHECK_U(load("server: {state: ''}\n", &config), STATUS_REFUSED);
	conf_fini(&config);
}

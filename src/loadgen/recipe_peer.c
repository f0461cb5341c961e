/* recipe_peer.c - configuration of each server, and its start. */
#include "loadgen/recipe_peer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "os/child.h"

#define WORDS_MAX  16u
#define NUMBER_LEN 16u

/* What a configuration is made of. */
struct setup {
	const struct recipe_stage *stage;
	const struct recipe_zone *zone;
	uint16_t port;
	char folder[RECIPE_STAGE_PATH_MAX]; /* of the server's own */
	char file[RECIPE_STAGE_PATH_MAX];   /* of the zone */
	char conf[RECIPE_STAGE_PATH_MAX];
	char text[2 * RECIPE_STAGE_PATH_MAX]; /* room for a word that is made up */
	char number[NUMBER_LEN];
};

static bool configure_saker(struct setup *setup, FILE *conf, const char **words)
{
	char listen[NUMBER_LEN + 16];

	(void)conf;
	snprintf(listen, sizeof(listen), "127.0.0.1:%u", setup->port);
	snprintf(setup->conf, sizeof(setup->conf), "%s", listen);
	snprintf(setup->text, sizeof(setup->text), "%s=%s", setup->zone->name, setup->file);
	words[0] = "/proc/self/exe";
	words[1] = "serve";
	words[2] = "--listen";
	words[3] = setup->conf;
	words[4] = "--zone";
	words[5] = setup->text;
	words[6] = "--workers";
	words[7] = setup->number;
	return true;
}

static bool configure_nsd(struct setup *setup, FILE *conf, const char **words)
{
	fprintf(conf,
		"server:\n  ip-address: 127.0.0.1@%u\n  server-count: %u\n  reuseport: yes\n"
		"  username: \"\"\n  chroot: \"\"\n  zonesdir: \"%s\"\n  pidfile: \"%s/pid\"\n"
		"  database: \"\"\n  zonelistfile: \"%s/list\"\n  xfrdfile: \"%s/xfrd\"\n"
		"  rrl-ratelimit: 0\nremote-control:\n  control-enable: no\n"
		"zone:\n  name: %s\n  zonefile: %s\n",
		setup->port, setup->zone->workers, setup->folder, setup->folder, setup->folder,
		setup->folder, setup->zone->name, setup->file);
	words[0] = "nsd";
	words[1] = "-d";
	words[2] = "-c";
	words[3] = setup->conf;
	return true;
}

static bool configure_knot(struct setup *setup, FILE *conf, const char **words)
{
	fprintf(conf,
		"server:\n  listen: 127.0.0.1@%u\n  udp-workers: %u\n  tcp-workers: 1\n"
		"  background-workers: 1\n  rundir: %s\ndatabase:\n  storage: %s/db\n"
		"log:\n  - target: stderr\n    any: info\ntemplate:\n  - id: default\n"
		"    zonefile-sync: -1\n    zonefile-load: whole\n    journal-content: none\n"
		"zone:\n  - domain: %s\n    file: %s\n",
		setup->port, setup->zone->workers, setup->folder, setup->folder, setup->zone->name,
		setup->file);
	words[0] = "knotd";
	words[1] = "-c";
	words[2] = setup->conf;
	return true;
}

static bool configure_named(struct setup *setup, FILE *conf, const char **words)
{
	fprintf(conf,
		"options { directory \"%s\"; listen-on port %u { 127.0.0.1; }; listen-on-v6 { "
		"none; };\n"
		"recursion no; pid-file \"%s/pid\"; session-keyfile \"%s/sk\";\n"
		"minimal-responses no-auth-recursive; };\ncontrols { };\n"
		"zone \"%s\" { type primary; file \"%s\"; };\n",
		setup->folder, setup->port, setup->folder, setup->folder, setup->zone->name,
		setup->file);
	words[0] = "named";
	words[1] = "-g";
	words[2] = "-n";
	words[3] = setup->number;
	words[4] = "-U";
	words[5] = setup->number;
	words[6] = "-c";
	words[7] = setup->conf;
	return true;
}

static bool configure_pdns(struct setup *setup, FILE *conf, const char **words)
{
	FILE *zones;
	char path[RECIPE_STAGE_PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/zones.conf", setup->folder);
	zones = fopen(path, "we");
	if (zones == NULL) {
		return false;
	}
	fprintf(zones,
		"options { directory \"%s\"; };\nzone \"%s\" { type master; file \"%s\"; };\n",
		setup->folder, setup->zone->name, setup->file);
	fclose(zones);
	fprintf(conf,
		"launch=bind\nbind-config=%s\nlocal-address=127.0.0.1\nlocal-port=%u\n"
		"receiver-threads=%u\nreuseport=yes\ndistributor-threads=1\nsocket-dir=%s\ndaemon="
		"no\n"
		"guardian=no\ndisable-axfr=yes\nsecurity-poll-suffix=\n",
		path, setup->port, setup->zone->workers, setup->folder);
	snprintf(setup->text, sizeof(setup->text), "--config-dir=%s", setup->folder);
	words[0] = "pdns_server";
	words[1] = setup->text;
	return true;
}

static const struct {
	const char *name;
	const char *program; /* NULL: this one */
	const char *conf;    /* name of its configuration file */
	bool (*configure)(struct setup *setup, FILE *conf, const char **words);
} kinds[] = {
	{"saker", NULL, "conf", configure_saker},
	{"nsd", "nsd", "nsd.conf", configure_nsd},
	{"knot", "knotd", "knot.conf", configure_knot},
	{"named", "named", "named.conf", configure_named},
	{"pdns", "pdns_server", "pdns.conf", configure_pdns},
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))
#define OWN        0u /* saker, of kinds */

static bool start(const struct recipe_stage *stage, const struct recipe_zone *zone, size_t kind,
	struct recipe_peer *out)
{
	const char *words[WORDS_MAX] = {NULL};
	struct setup setup = {.stage = stage, .zone = zone};
	char log[RECIPE_STAGE_PATH_MAX + 16];
	char at[RECIPE_STAGE_PATH_MAX];

	setup.port = recipe_stage_port(&out->server);
	recipe_stage_path(stage, kinds[kind].name, at);
	memcpy(setup.folder, at, sizeof(at));
	recipe_stage_path(stage, zone->file, setup.file);
	snprintf(setup.number, sizeof(setup.number), "%u", zone->workers);
	snprintf(log, sizeof(log), "%s/log", setup.folder);
	snprintf(setup.conf, sizeof(setup.conf), "%.200s/%s", setup.folder, kinds[kind].conf);
	if (setup.port == 0 || (mkdir(setup.folder, S_IRWXU) != 0 && errno != EEXIST)) {
		return false;
	}
	snprintf(at, sizeof(at), "%.200s/db", setup.folder);
	if (mkdir(at, S_IRWXU) != 0 && errno != EEXIST) {
		return false;
	}
	FILE *conf = fopen(setup.conf, "we");
	if (conf == NULL) {
		return false;
	}
	bool is_configured = kinds[kind].configure(&setup, conf, words);
	if (fclose(conf) != 0 || !is_configured) {
		return false;
	}
	out->name = kinds[kind].name;
	out->pid = child_start(words, log);
	return out->pid > 0;
}

/* errors  false: it does not answer, or Ctrl-C; nothing is left to be undone */
static bool start_and_wait(struct recipe_stage *stage, const struct recipe_zone *zone, size_t kind,
	struct recipe_peer *out)
{
	bool is_ours = kinds[kind].program == NULL;

	bool is_started = start(stage, zone, kind, out);
	if (is_started && recipe_stage_wait(stage, kinds[kind].name, out->pid, &out->server)) {
		return true;
	}
	if (is_started) {
		child_end(out->pid);
	}
	if (!stage->is_interrupted) {
		recipe_stage_complain(stage, kinds[kind].name,
			is_ours ? "does not answer" : "does not answer, left out");
	}
	return false;
}

bool recipe_peer_start_own(
	struct recipe_stage *stage, const struct recipe_zone *zone, struct recipe_peers *out)
{
	out->count = start_and_wait(stage, zone, OWN, &out->items[0]) ? 1 : 0;
	return out->count == 1;
}

bool recipe_peer_start_all(
	struct recipe_stage *stage, const struct recipe_zone *zone, struct recipe_peers *out)
{
	if (!recipe_peer_start_own(stage, zone, out)) {
		return false;
	}
	for (size_t i = OWN + 1; i < KIND_COUNT && !stage->is_interrupted; i++) {
		if (child_is_installed(kinds[i].program) &&
			start_and_wait(stage, zone, i, &out->items[out->count])) {
			out->count++;
		}
	}
	return !stage->is_interrupted;
}

void recipe_peer_end_all(struct recipe_peers *peers)
{
	for (uint32_t i = 0; i < peers->count; i++) {
		child_end(peers->items[i].pid);
	}
	peers->count = 0;
}

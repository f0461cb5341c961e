/* recipe_resolver.c - configuration of each resolver, and its start. */
#include "loadgen/recipe_resolver.h"

#include <stdio.h>

#include "os/child.h"

#define NUMBER_LEN 16u

/* What a configuration is made of. */
struct setup {
	const char *folder;
	const char *zone;
	uint16_t port;
	uint16_t upstream_port;
	uint32_t workers;
};

static void configure_saker(const struct setup *setup, FILE *conf)
{
	fprintf(conf,
		"server: {listen: [\"127.0.0.1:%u\"], workers: %u}\nlog: {level: warning}\n"
		"resolver:\n  enabled: true\n  special-names: false\n  validate: false\n"
		"  qname-minimisation: false\n  stub: [{zone: ., to: [\"127.0.0.1:%u\"]}]\n"
		"  cache: {size: 192M}\n",
		setup->port, setup->workers, setup->upstream_port);
}

static void configure_unbound(const struct setup *setup, FILE *conf)
{
	fprintf(conf,
		"server:\n  interface: 127.0.0.1@%u\n  port: %u\n  num-threads: %u\n"
		"  so-reuseport: yes\n  do-ip6: no\n  do-daemonize: no\n  use-syslog: no\n"
		"  username: \"\"\n  chroot: \"\"\n  directory: \"%s\"\n  pidfile: \"\"\n"
		"  do-not-query-localhost: no\n  local-zone: \"10.in-addr.arpa.\" nodefault\n"
		"  qname-minimisation: no\n  module-config: \"iterator\"\n"
		"  msg-cache-size: 64m\n  rrset-cache-size: 128m\n"
		"  outgoing-range: 4096\n  num-queries-per-thread: 2048\n"
		"remote-control:\n  control-enable: no\n"
		"stub-zone:\n  name: \"%s\"\n  stub-addr: 127.0.0.1@%u\n",
		setup->port, setup->port, setup->workers, setup->folder, setup->zone,
		setup->upstream_port);
}

/* A zone of type static-stub cannot tell the port of its servers; a forward zone can, and the server answers all
 * the same.
 */
static void configure_named(const struct setup *setup, FILE *conf)
{
	fprintf(conf,
		"options { directory \"%s\"; managed-keys-directory \"%s\"; pid-file none;\n"
		"session-keyfile none; listen-on port %u { 127.0.0.1; }; listen-on-v6 { none; };\n"
		"recursion yes; empty-zones-enable no; trust-anchor-telemetry no;\n"
		"dnssec-validation no; qname-minimization off; max-cache-size 192m;\n"
		"recursive-clients 4096; };\ncontrols { };\n"
		"zone \"%s\" { type forward; forward only; forwarders { 127.0.0.1 port %u; }; };\n",
		setup->folder, setup->folder, setup->port, setup->zone, setup->upstream_port);
}

static const struct {
	const char *name;
	const char *program; /* NULL: this one */
	void (*configure)(const struct setup *setup, FILE *conf);
} kinds[RECIPE_RESOLVER_KINDS] = {
	{"saker", NULL, configure_saker},
	{"unbound", "unbound", configure_unbound},
	{"named", "named", configure_named},
};

const char *recipe_resolver_name(uint32_t kind)
{
	ASSERT(kind < RECIPE_RESOLVER_KINDS);
	bool is_there = kinds[kind].program == NULL || child_is_installed(kinds[kind].program);

	return is_there ? kinds[kind].name : NULL;
}

static pid_t start(uint32_t kind, const struct setup *setup, const char *conf, const char *log)
{
	char workers[NUMBER_LEN];
	/* All are told their configuration; named alone has its workers on the command line. */
	const char *const saker[] = {"/proc/self/exe", "serve", "-c", conf, NULL};
	const char *const unbound[] = {"unbound", "-d", "-c", conf, NULL};
	const char *const named[] = {"named", "-g", "-n", workers, "-U", workers, "-c", conf, NULL};
	const char *const *const words[RECIPE_RESOLVER_KINDS] = {saker, unbound, named};

	snprintf(workers, sizeof(workers), "%u", setup->workers);
	return child_start(words[kind], log);
}

bool recipe_resolver_start(struct recipe_stage *stage, uint32_t kind, uint32_t workers,
	const char *zone, const struct addr *upstream, struct recipe_peer *out)
{
	char conf[RECIPE_STAGE_PATH_MAX];
	char log[RECIPE_STAGE_PATH_MAX];

	ASSERT(kind < RECIPE_RESOLVER_KINDS);
	const struct setup setup = {.folder = stage->folder,
		.zone = zone,
		.port = recipe_stage_port(&out->server),
		.upstream_port = upstream->port,
		.workers = workers};
	FILE *file = setup.port == 0 ? NULL : recipe_stage_create(stage, "resolver.conf");
	if (file == NULL) {
		return false;
	}
	kinds[kind].configure(&setup, file);
	if (fclose(file) != 0) {
		return false;
	}
	out->name = kinds[kind].name;
	out->pid = start(kind, &setup, recipe_stage_path(stage, "resolver.conf", conf),
		recipe_stage_path(stage, "resolver.log", log));
	if (out->pid > 0 && recipe_stage_wait(stage, out->name, out->pid, &out->server)) {
		return true;
	}
	if (out->pid > 0) {
		child_end(out->pid);
	}
	if (!stage->is_interrupted) {
		char what[RECIPE_SHEET_LABEL_MAX];
		snprintf(what, sizeof(what), "%s with %u workers", out->name, workers);
		recipe_stage_complain(stage, what, "does not answer");
	}
	return false;
}

void recipe_resolver_end(struct recipe_peer *resolver)
{
	child_end(resolver->pid);
}

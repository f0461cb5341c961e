/* local_server.c - reads /proc. */
#include "os/local_server.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/now.h"
#include "os/socket.h"

#define PATH_LEN     64u  /* octets of "/proc/PID/fd/FD" with room to spare */
#define LINE_LEN     512u /* of /proc/net; longer ones there are not */
#define HEX_A_WORD   8u
#define LINK_PREFIX  "socket:["
#define LISTEN_STATE 0x0au /* TCP_LISTEN; a datagram socket without a peer is 7 */

/* What one pass over a table of sockets found. */
struct sockets {
	uint32_t count;
	uint64_t inodes[LOCAL_SERVER_SOCKETS_MAX];
	uint64_t dropped;
};

/* The kernel prints addresses as numbers of 32 bits in its own order of octets. */
static bool read_address(const char *hex, uint32_t words, uint8_t octets[16])
{
	for (uint32_t i = 0; i < words; i++) {
		char text[HEX_A_WORD + 1] = "";
		char *end;
		memcpy(text, hex + (size_t)i * HEX_A_WORD, HEX_A_WORD);
		uint32_t word = (uint32_t)strtoul(text, &end, 16);
		if (end != text + HEX_A_WORD) {
			return false;
		}
		memcpy(octets + (size_t)i * sizeof(word), &word, sizeof(word));
	}
	return true;
}

static bool is_zero(const char *hex)
{
	return hex[strspn(hex, "0")] == '\0';
}

/* Does a socket with this local address get what is sent to addr? */
static bool is_asked(const struct addr *addr, const char *local_hex, uint32_t words)
{
	uint8_t octets[16] = {0};

	if (is_zero(local_hex)) {
		return true; /* the wildcard of either family: :: takes IPv4 as well, unless told not to */
	}
	return strlen(local_hex) == (size_t)words * HEX_A_WORD &&
	       words == (addr->family == ADDR_V6 ? 4u : 1u) &&
	       read_address(local_hex, words, octets) &&
	       memcmp(octets, addr->octets, sizeof(octets)) == 0;
}

/* One line of /proc/net/udp, udp6, tcp or tcp6. */
static void take_line(
	const struct local_server *server, const char *line, uint32_t words, struct sockets *out)
{
	char local[4 * HEX_A_WORD + 1];
	char remote[4 * HEX_A_WORD + 1];
	unsigned port;
	unsigned state;
	uint64_t inode;
	uint64_t dropped = 0;

	/* sl local:port remote:port st tx:rx tr:when retrnsmt uid timeout inode ref pointer drops */
	int got = sscanf(line,
		"%*d: %32[0-9A-Fa-f]:%x %32[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %" SCNu64
		" %*d %*s %" SCNu64,
		local, &port, remote, &state, &inode, &dropped);
	if (got < 5 || port != server->addr.port || !is_zero(remote) ||
		(server->is_tcp && state != LISTEN_STATE) ||
		!is_asked(&server->addr, local, words) || out->count == LOCAL_SERVER_SOCKETS_MAX) {
		return;
	}
	out->inodes[out->count++] = inode;
	out->dropped += server->is_tcp ? 0 : dropped;
}

static void read_table(
	const struct local_server *server, const char *path, uint32_t words, struct sockets *out)
{
	char line[LINE_LEN];
	FILE *file = fopen(path, "re");

	if (file != NULL) {
		while (fgets(line, sizeof(line), file) != NULL) {
			take_line(server, line, words, out);
		}
		fclose(file);
	}
}

static void read_tables(const struct local_server *server, struct sockets *out)
{
	out->count = 0;
	out->dropped = 0;
	if (server->addr.family != ADDR_V6) {
		read_table(server, server->is_tcp ? "/proc/net/tcp" : "/proc/net/udp", 1, out);
	}
	read_table(server, server->is_tcp ? "/proc/net/tcp6" : "/proc/net/udp6", 4, out);
}

static bool holds_any(const char *pid, const struct sockets *sockets)
{
	char path[PATH_LEN];
	char link[PATH_LEN];
	bool is_found = false;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	DIR *folder = opendir(path);
	if (folder == NULL) {
		return false;
	}
	for (struct dirent *entry = readdir(folder); entry != NULL && !is_found;
		entry = readdir(folder)) {
		ssize_t len = readlinkat(dirfd(folder), entry->d_name, link, sizeof(link) - 1);
		if (len <= 0) {
			continue;
		}
		link[len] = '\0';
		if (strncmp(link, LINK_PREFIX, sizeof(LINK_PREFIX) - 1) != 0) {
			continue;
		}
		uint64_t inode = strtoull(link + sizeof(LINK_PREFIX) - 1, NULL, 10);
		for (uint32_t i = 0; i < sockets->count && !is_found; i++) {
			is_found = sockets->inodes[i] == inode;
		}
	}
	closedir(folder);
	return is_found;
}

/* Only an address of this machine can be bound to. */
static bool is_of_this_machine(const struct addr *addr)
{
	struct addr any_port = *addr;

	any_port.port = 0;
	int fd = socket_udp_bind(&any_port, 0);
	if (fd < 0) {
		return false;
	}
	socket_close(fd);
	return true;
}

void local_server_find(const struct addr *addr, bool is_tcp, struct local_server *out)
{
	struct sockets sockets;

	*out = (struct local_server){.addr = *addr, .is_tcp = is_tcp};
	if (!is_of_this_machine(addr)) {
		return;
	}
	read_tables(out, &sockets);
	DIR *folder = sockets.count == 0 ? NULL : opendir("/proc");
	if (folder == NULL) {
		return;
	}
	for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
		if (entry->d_name[strspn(entry->d_name, "0123456789")] == '\0' &&
			out->process_count < LOCAL_SERVER_PROCESSES_MAX &&
			holds_any(entry->d_name, &sockets)) {
			out->pids[out->process_count++] = (pid_t)strtol(entry->d_name, NULL, 10);
		}
	}
	closedir(folder);
}

struct local_server_usage local_server_usage(const struct local_server *server)
{
	struct local_server_usage usage = {0};
	struct sockets sockets;

	if (server->process_count == 0) {
		return usage;
	}
	for (uint32_t i = 0; i < server->process_count; i++) {
		struct timespec used;
		clockid_t id;
		if (clock_getcpuclockid(server->pids[i], &id) == 0 &&
			clock_gettime(id, &used) == 0) {
			usage.cpu_ns +=
				(uint64_t)used.tv_sec * NOW_NS_A_SECOND + (uint64_t)used.tv_nsec;
		}
	}
	read_tables(server, &sockets);
	usage.dropped = sockets.dropped;
	return usage;
}

/* /proc/net/snmp has two lines a protocol: names, and below them their values. */
static uint64_t drops_v4(void)
{
	char names[LINE_LEN];
	char values[LINE_LEN];
	uint64_t drops = 0;
	FILE *file = fopen("/proc/net/snmp", "re");

	while (file != NULL && fgets(names, sizeof(names), file) != NULL &&
		fgets(values, sizeof(values), file) != NULL) {
		char *name_at = NULL;
		char *value_at = NULL;
		if (strncmp(names, "Udp:", 4) != 0) {
			continue;
		}
		char *name = strtok_r(names, " \n", &name_at);
		char *value = strtok_r(values, " \n", &value_at);
		while (name != NULL && value != NULL && strcmp(name, "RcvbufErrors") != 0) {
			name = strtok_r(NULL, " \n", &name_at);
			value = strtok_r(NULL, " \n", &value_at);
		}
		drops = name != NULL && value != NULL ? strtoull(value, NULL, 10) : 0;
		break;
	}
	if (file != NULL) {
		fclose(file);
	}
	return drops;
}

static uint64_t drops_v6(void)
{
	char line[LINE_LEN];
	uint64_t drops = 0;
	FILE *file = fopen("/proc/net/snmp6", "re");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "Udp6RcvbufErrors %" SCNu64, &drops) == 1) {
			break;
		}
	}
	if (file != NULL) {
		fclose(file);
	}
	return drops;
}

uint64_t local_server_machine_drops(void)
{
	return drops_v4() + drops_v6();
}

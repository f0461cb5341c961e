/* machine.c - from /proc and system calls. */
#include "os/machine.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LINE_MAX_LEN 1024u

/* Characters that mean nothing to a shell. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "-_./:=,@%+[]";

struct text {
	char *at;
	size_t cap; /* with the zero */
	size_t len;
};

static void put(struct text *text, char c)
{
	if (text->len + 1 < text->cap) {
		text->at[text->len++] = c;
		text->at[text->len] = '\0';
	}
}

static void put_quoted(struct text *text, const char *word, size_t len)
{
	bool is_plain = len != 0;

	for (size_t i = 0; i < len; i++) {
		is_plain = is_plain && strchr(plain, word[i]) != NULL;
	}
	if (!is_plain) {
		put(text, '\'');
	}
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\'') {
			put(text, '\'');
			put(text, '\\');
			put(text, '\'');
		}
		/* Control characters would break the line that this becomes part of. */
		put(text, (unsigned char)word[i] < ' ' ? '?' : word[i]);
	}
	if (!is_plain) {
		put(text, '\'');
	}
}

void machine_quote(const char *words, size_t len, char *out, size_t cap)
{
	struct text text = {.at = out, .cap = cap};

	out[0] = '\0';
	for (size_t at = 0; at < len;) {
		size_t word_len = strnlen(words + at, len - at);
		if (at != 0) {
			put(&text, ' ');
		}
		put_quoted(&text, words + at, word_len);
		at += word_len + 1;
	}
}

static void read_processor(char out[MACHINE_TEXT_MAX])
{
	char line[LINE_MAX_LEN];
	FILE *file = fopen("/proc/cpuinfo", "re");

	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		char *colon = strchr(line, ':');
		if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
			colon += strspn(colon, ": \t");
			colon[strcspn(colon, "\n")] = '\0';
			snprintf(out, MACHINE_TEXT_MAX, "%.*s", (int)MACHINE_TEXT_MAX - 1, colon);
			break;
		}
	}
	if (file != NULL) {
		fclose(file);
	}
}

static void read_command(char out[MACHINE_COMMAND_MAX])
{
	char words[MACHINE_COMMAND_MAX];
	FILE *file = fopen("/proc/self/cmdline", "re");

	if (file != NULL) {
		size_t len = fread(words, 1, sizeof(words), file);
		machine_quote(words, len, out, MACHINE_COMMAND_MAX);
		fclose(file);
	}
}

void machine_read(struct machine *out)
{
	struct utsname name;
	cpu_set_t usable;

	memset(out, 0, sizeof(*out));
	read_processor(out->processor);
	read_command(out->command);
	if (uname(&name) == 0) {
		snprintf(out->kernel, sizeof(out->kernel), "%.60s %.100s %.60s", name.sysname,
			name.release, name.machine);
	}
	if (sched_getaffinity(0, sizeof(usable), &usable) == 0) {
		out->processors = (uint32_t)CPU_COUNT(&usable);
	}
	long pages = sysconf(_SC_PHYS_PAGES), page_len = sysconf(_SC_PAGESIZE);
	if (pages > 0 && page_len > 0) {
		out->memory = (uint64_t)pages * (uint64_t)page_len;
	}
}

/* diaglog.c - a list of complaints in an arena. */
#include "base/diaglog.h"

#include <string.h>

struct diaglog_entry {
	struct diaglog_entry *next;
	struct diag diag;
};

void diaglog_init(struct diaglog *log)
{
	*log = (struct diaglog){.first = NULL};
	arena_init(&log->memory, 0);
}

void diaglog_keep(void *context, const struct diag *diag)
{
	struct diaglog *log = context;
	struct diaglog_entry *entry = arena_alloc(&log->memory, sizeof(*entry));
	const char *text = arena_copy(&log->memory, diag->text, strlen(diag->text) + 1);

	if (entry == NULL || text == NULL) {
		log->is_cut = true;
		return;
	}
	*entry = (struct diaglog_entry){.diag = *diag};
	entry->diag.text = text;
	if (log->last == NULL) {
		log->first = entry;
	} else {
		log->last->next = entry;
	}
	log->last = entry;
}

void diaglog_tell(const struct diaglog *log, const struct diag_sink *sink)
{
	for (const struct diaglog_entry *entry = log->first; entry != NULL; entry = entry->next) {
		sink->report(sink->context, &entry->diag);
	}
}

void diaglog_fini(struct diaglog *log)
{
	arena_fini(&log->memory);
	diaglog_init(log);
}

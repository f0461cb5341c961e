/* bench_live.c - draws once a second. */
#include "apps/bench_live.h"

#include <unistd.h>

#include "loadgen/live.h"
#include "os/terminal.h"

static void show(const struct live *live)
{
	static char text[LIVE_TEXT_MAX];
	uint32_t columns, rows;

	terminal_size(STDOUT_FILENO, &columns, &rows);
	(void)terminal_show(
		text, live_draw(live, columns, rows, terminal_is_utf8(), text, sizeof(text)));
}

static void take_progress(void *context, const struct run_progress *progress)
{
	struct live *live = context;

	live_add(live, progress);
	show(live);
}

void bench_live_begin(struct run_config *config)
{
	static struct live live; /* 25 kilobytes */

	live_init(&live, config);
	config->progress = take_progress;
	config->progress_context = &live;
	terminal_enter(STDOUT_FILENO);
	show(&live);
}

void bench_live_end(void)
{
	terminal_leave();
}

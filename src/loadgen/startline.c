/* startline.c - a barrier that tells the time. */
#include "loadgen/startline.h"

#include "base/check.h"
#include "os/clock.h"

void startline_init(struct startline *line, uint32_t count, uint64_t lead_ns, uint64_t *zero_ns)
{
	ASSERT(count >= 1);
	*line = (struct startline){.lock = PTHREAD_MUTEX_INITIALIZER,
		.opened = PTHREAD_COND_INITIALIZER,
		.lead_ns = lead_ns,
		.zero_ns = zero_ns,
		.missing = count};
}

void startline_fini(struct startline *line)
{
	pthread_cond_destroy(&line->opened);
	pthread_mutex_destroy(&line->lock);
}

/* The lock is held. */
static void open_line(struct startline *line)
{
	if (!line->is_open) {
		line->is_open = true;
		*line->zero_ns = clock_mono_ns() + line->lead_ns;
		pthread_cond_broadcast(&line->opened);
	}
}

/* The lock is held. */
static void wait_open(struct startline *line)
{
	while (!line->is_open) {
		pthread_cond_wait(&line->opened, &line->lock);
	}
}

void startline_arrive(struct startline *line)
{
	pthread_mutex_lock(&line->lock);
	if (--line->missing == 0) {
		open_line(line);
	}
	wait_open(line);
	pthread_mutex_unlock(&line->lock);
}

void startline_wait(struct startline *line)
{
	pthread_mutex_lock(&line->lock);
	wait_open(line);
	pthread_mutex_unlock(&line->lock);
}

void startline_open(struct startline *line)
{
	pthread_mutex_lock(&line->lock);
	open_line(line);
	pthread_mutex_unlock(&line->lock);
}

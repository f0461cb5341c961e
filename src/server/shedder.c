/* shedder.c - overload.h between system calls. */
#include "server/shedder.h"

#include <inttypes.h>

#include "base/log.h"
#include "os/socket.h"

#define NS_A_US        1000u
#define NS_A_MS        1000000u
#define KERNEL_DOUBLES 2u /* told in the unit of event=listening and of SO_RCVBUF */

void shedder_init(struct shedder *shedder, int fd, uint32_t worker_idx, struct counter *total)
{
	struct socket_queue queue = {0};

	/* A kernel that does not tell the limit is left alone: it never tells that anything waits, either. */
	(void)!socket_queue(fd, &queue);
	*shedder = (struct shedder){
		.fd = fd, .worker_idx = worker_idx, .drops = queue.drops, .total = total};
	overload_init(&shedder->overload, queue.limit_len);
}

static uint32_t count_drops(struct shedder *shedder, const struct socket_queue *queue)
{
	uint32_t dropped = queue->drops - shedder->drops; /* right where the count wrapped, too */

	shedder->drops = queue->drops;
	if (dropped != 0) {
		counter_add(shedder->total, dropped);
	}
	return dropped;
}

static void tell(const struct shedder *shedder, enum overload_change change,
	const struct overload_reading *reading)
{
	const struct overload *overload = &shedder->overload;

	if (change == OVERLOAD_BEGINS) {
		log_warning("event=overload worker=%u queue-age-us=%" PRIu64
			    " receive-buffer=%u kernel-drops=%" PRIu64 " untold=%u",
			shedder->worker_idx, reading->age_ns / NS_A_US,
			overload->len / KERNEL_DOUBLES, counter_get(shedder->total),
			overload->untold);
	} else if (change == OVERLOAD_ENDS) {
		log_info("event=overload-over worker=%u lasted-ms=%" PRIu64 " dropped=%" PRIu64
			 " receive-buffer=%u kernel-drops=%" PRIu64,
			shedder->worker_idx, (reading->now_ns - overload->began_ns) / NS_A_MS,
			overload->dropped, overload->len / KERNEL_DOUBLES,
			counter_get(shedder->total));
	}
}

static void read_queue(struct shedder *shedder, bool busy, struct now now)
{
	struct overload_reading reading = {.now_ns = now.mono_ns, .empty = !busy};
	struct socket_queue queue;
	uint32_t len = shedder->overload.len;

	if (!socket_queue(shedder->fd, &queue)) {
		queue = (struct socket_queue){.drops = shedder->drops};
	}
	reading.age_ns = busy ? socket_age_ns(shedder->fd) : 0;
	reading.queued_len = queue.queued_len;
	reading.dropped = count_drops(shedder, &queue);
	enum overload_change change = overload_step(&shedder->overload, &reading);
	if (shedder->overload.len != len) {
		socket_queue_limit(shedder->fd, shedder->overload.len);
	}
	tell(shedder, change, &reading);
}

HOT void shedder_look(struct shedder *shedder, bool busy, struct now now)
{
	if (UNLIKELY(overload_is_due(&shedder->overload, now.mono_ns, busy))) {
		read_queue(shedder, busy, now);
	}
}

void shedder_count(struct shedder *shedder)
{
	struct socket_queue queue;

	if (socket_queue(shedder->fd, &queue)) {
		count_drops(shedder, &queue);
	}
}

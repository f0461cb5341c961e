/* pool.c - a mutex, two lists and some threads. */
#include "os/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "os/poll.h"
#include "os/thread.h"

/* A list in order of arrival. */
struct queue {
	struct pool_job *first;
	struct pool_job *last; /* NULL where first is */
};

/* What a thread is started with. */
struct pool_thread {
	struct pool *pool;
	uint32_t idx;
	struct thread thread;
};

struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t work;
	struct queue waiting;      /* [mu] mutex */
	struct queue ended;        /* [mu] mutex */
	bool stop;                 /* [mu] mutex */
	const struct poll *notify; /* [ro] borrows: the owner's */
	uint32_t thread_count;     /* [ro] started so far */
	struct pool_thread threads[POOL_THREADS_MAX];
};

static void queue_add(struct queue *queue, struct pool_job *job)
{
	job->next = NULL;
	if (queue->last == NULL) {
		queue->first = job;
	} else {
		queue->last->next = job;
	}
	queue->last = job;
}

static struct pool_job *queue_take(struct queue *queue)
{
	struct pool_job *job = queue->first;

	queue->first = job->next;
	if (queue->first == NULL) {
		queue->last = NULL;
	}
	return job;
}

static void work(void *context)
{
	struct pool_thread *self = context;
	struct pool *pool = self->pool;

	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		while (!pool->stop && pool->waiting.first == NULL) {
			pthread_cond_wait(&pool->work, &pool->mutex);
		}
		if (pool->stop) {
			break;
		}
		struct pool_job *job = queue_take(&pool->waiting);
		pthread_mutex_unlock(&pool->mutex);
		job->run(job, self->idx);
		pthread_mutex_lock(&pool->mutex);
		queue_add(&pool->ended, job);
		poll_wake(pool->notify);
	}
	pthread_mutex_unlock(&pool->mutex);
}

struct pool *pool_new(uint32_t thread_count, const struct poll *notify)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	ASSERT(thread_count >= 1);
	if (pool == NULL) {
		return NULL;
	}
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->work, NULL);
	pool->notify = notify;
	while (pool->thread_count < thread_count && pool->thread_count < POOL_THREADS_MAX) {
		struct pool_thread *next = &pool->threads[pool->thread_count];
		next->pool = pool;
		next->idx = pool->thread_count;
		if (thread_start(&next->thread, "saker-pool", work, next) != STATUS_OK) {
			break;
		}
		pool->thread_count++;
	}
	if (pool->thread_count == 0) {
		pool_free(pool);
		return NULL;
	}
	return pool;
}

void pool_submit(struct pool *pool, struct pool_job *job)
{
	pthread_mutex_lock(&pool->mutex);
	queue_add(&pool->waiting, job);
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->mutex);
}

static uint32_t tell(struct queue *queue, bool ran)
{
	uint32_t count = 0;

	while (queue->first != NULL) {
		struct pool_job *job = queue_take(queue);
		job->done(job, ran); /* may free or submit the job */
		count++;
	}
	return count;
}

uint32_t pool_collect(struct pool *pool)
{
	struct queue ended;

	pthread_mutex_lock(&pool->mutex);
	ended = pool->ended;
	pool->ended = (struct queue){0};
	pthread_mutex_unlock(&pool->mutex);
	return tell(&ended, true);
}

void pool_free(struct pool *pool)
{
	if (pool == NULL) {
		return;
	}
	pthread_mutex_lock(&pool->mutex);
	pool->stop = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->mutex);
	for (uint32_t i = 0; i < pool->thread_count; i++) {
		thread_join(&pool->threads[i].thread);
	}
	tell(&pool->ended, true);
	tell(&pool->waiting, false);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->mutex);
	free(pool);
}

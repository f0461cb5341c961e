/* publish.h - how a changed version of shared data reaches the workers without a lock.
 *
 * A writer makes the new version, stores it with publish_set(), waits for a grace period, and frees
 * the old one. A reader fetches with publish_get() and may use what it got until it next says that it
 * is quiescent or offline. This file is all of the project that sees liburcu (QSBR flavour).
 *
 * thread  readers: registered threads (workers). Only main and pool threads call publish_wait().
 * source  Desnoyers et al., User-Level Implementations of Read-Copy Update, IEEE TPDS 2012
 */
#ifndef SAKER_BASE_PUBLISH_H
#define SAKER_BASE_PUBLISH_H

#include <stdatomic.h>

/* liburcu is not instrumented, so ThreadSanitizer is told what a grace period orders: all that a reader did
 * before it was quiescent or offline comes before the return of publish_wait().
 */
#if defined(__SANITIZE_THREAD__)
#define PUBLISH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PUBLISH_TSAN 1
#endif
#endif
#ifdef PUBLISH_TSAN
void __tsan_acquire(void *address);
void __tsan_release(void *address);
/* liburcu allocates here what its own thread frees. */
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
#define PUBLISH_ACQUIRE(address) __tsan_acquire(address)
#define PUBLISH_RELEASE(address) __tsan_release(address)
#define PUBLISH_LIBRARY_BEGIN()  __tsan_ignore_thread_begin()
#define PUBLISH_LIBRARY_END()    __tsan_ignore_thread_end()
#else
#define PUBLISH_LIBRARY_BEGIN()  ((void)0)
#define PUBLISH_LIBRARY_END()    ((void)0)
#define PUBLISH_ACQUIRE(address) ((void)(address))
#define PUBLISH_RELEASE(address) ((void)(address))
#endif

/* A published pointer. Zero-initialised is NULL. */
struct published {
	_Atomic(void *)
		pointer; /* [atomic: release in publish_set, pairs with acquire in publish_get] */
};

/* publish_get - the version now served; NULL where none was set. Valid until the thread is quiescent. */
static inline void *publish_get(const struct published *published)
{
	return atomic_load_explicit(&published->pointer, memory_order_acquire);
}

/* publish_set - makes next the version that readers get from now on; returns the one before. */
static inline void *publish_set(struct published *published, void *next)
{
	return atomic_exchange_explicit(&published->pointer, next, memory_order_acq_rel);
}

/* publish_register, publish_unregister - a reader thread's first and last words. */
void publish_register(void);
void publish_unregister(void);

/* publish_quiescent - this reader holds nothing that it got before. Once a batch; a few ns. */
void publish_quiescent(void);

/* publish_offline, publish_online - around a wait in the kernel: offline counts as quiescent throughout. */
void publish_offline(void);
void publish_online(void);

/* publish_wait - returns when every reader has been quiescent or offline since the call.
 *
 * cost    as long as the slowest reader's batch
 * thread  never a registered reader that is online
 */
void publish_wait(void);

/* Something that waits for a grace period while nobody waits for it. Stays in place until done is called. */
struct publish_later {
	void *room[4]; /* liburcu's */
	void (*done)(struct publish_later
			*later); /* set by the caller; called on a thread of liburcu's */
};

/* publish_later - done is called some time after every reader has been quiescent or offline.
 *
 * thread  a registered reader that is online
 */
void publish_later(struct publish_later *later);

/* publish_settle - returns when all that publish_later() was given has been done.
 *
 * thread  as publish_wait()
 */
void publish_settle(void);

#endif

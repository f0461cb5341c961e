/* publish.c - liburcu's QSBR, wrapped once. */
#include "base/publish.h"

#include <stddef.h>
#include <urcu-qsbr.h>

#include "base/check.h"

static char grace; /* never read or written: the address that ThreadSanitizer orders by */

void publish_register(void)
{
	rcu_register_thread();
}

void publish_unregister(void)
{
	PUBLISH_RELEASE(&grace);
	rcu_unregister_thread();
}

void publish_quiescent(void)
{
	PUBLISH_RELEASE(&grace);
	rcu_quiescent_state();
}

void publish_offline(void)
{
	PUBLISH_RELEASE(&grace);
	rcu_thread_offline();
}

void publish_online(void)
{
	rcu_thread_online();
}

void publish_wait(void)
{
	synchronize_rcu();
	PUBLISH_ACQUIRE(&grace);
}

_Static_assert(sizeof(struct rcu_head) <= sizeof(((struct publish_later *)NULL)->room),
	"liburcu's part of struct publish_later");

static void later_done(struct rcu_head *head)
{
	struct publish_later *later = (struct publish_later *)(void *)head;

	PUBLISH_ACQUIRE(&grace);
	later->done(later);
	PUBLISH_RELEASE(&grace);
}

void publish_later(struct publish_later *later)
{
	PUBLISH_RELEASE(&grace);
	PUBLISH_LIBRARY_BEGIN();
	call_rcu((struct rcu_head *)(void *)later->room, later_done);
	PUBLISH_LIBRARY_END();
}

void publish_settle(void)
{
	PUBLISH_LIBRARY_BEGIN();
	rcu_barrier();
	PUBLISH_LIBRARY_END();
	PUBLISH_ACQUIRE(&grace);
}

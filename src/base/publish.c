/* publish.c - liburcu's QSBR, wrapped once. */
#include "base/publish.h"

#include <urcu-qsbr.h>

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

/* publish.c - liburcu's QSBR, wrapped once. */
#include "base/publish.h"

#include <urcu-qsbr.h>

void publish_register(void)
{
	rcu_register_thread();
}

void publish_unregister(void)
{
	rcu_unregister_thread();
}

void publish_quiescent(void)
{
	rcu_quiescent_state();
}

void publish_offline(void)
{
	rcu_thread_offline();
}

void publish_online(void)
{
	rcu_thread_online();
}

void publish_wait(void)
{
	synchronize_rcu();
}

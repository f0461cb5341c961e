/* core.c - chance and actions. */
#include "resolve/core.h"

#include <stdlib.h>

#include "base/siphash.h"

uint64_t core_random(struct resolve *core)
{
	core->secret_count++;
	return siphash_24(core->secret, &core->secret_count, sizeof(core->secret_count));
}

bool core_act(struct resolve *core, const struct resolve_action *action)
{
	struct core_actions *actions = &core->actions;

	if (actions->tail - actions->head == actions->cap) {
		struct resolve_action *grown = malloc(2 * (size_t)actions->cap * sizeof(grown[0]));
		if (grown == NULL) {
			return false;
		}
		for (uint32_t i = 0; i < actions->cap; i++) {
			grown[i] = actions->items[(actions->head + i) & (actions->cap - 1)];
		}
		free(actions->items);
		actions->items = grown;
		actions->head = 0;
		actions->tail = actions->cap;
		actions->cap *= 2;
	}
	actions->items[actions->tail++ & (actions->cap - 1)] = *action;
	return true;
}

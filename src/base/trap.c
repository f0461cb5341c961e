/* trap.c - where the marks of trap.h are kept. */
#include "base/trap.h"

_Thread_local uint32_t trap_depth;

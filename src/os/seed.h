/* seed.h - unpredictable octets from the kernel.
 *
 * thread  any
 */
#ifndef SAKER_OS_SEED_H
#define SAKER_OS_SEED_H

#include <stddef.h>

/* seed_octets - fills out[0..len); len <= 256. Blocks only before the kernel's pool is ready, at boot. */
void seed_octets(void *out, size_t len);

#endif

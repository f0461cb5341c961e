/* image_parts.h - nodes and blocks of a large zone, made by several threads.
 *
 *     owners  |apex|  part 0, the caller's  |  part 1  |  part 2  |
 *                                           ^ another name directly below the apex
 *
 * What an owner's node and blocks are depends on the apex, on the names above it, and on addresses below it. So where the
 * name directly below the apex changes, a part may begin that knows nothing of the others: it has a stand-in for the apex
 * and sections of its own. Afterwards the sections are put behind each other, and references moved along. Blocks that
 * owners of different parts have in common are kept once a part.
 *
 * thread  starts and ends threads of its own, with the caller's priority
 */
#ifndef SAKER_ZONE_IMAGE_PARTS_H
#define SAKER_ZONE_IMAGE_PARTS_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

struct builder;

/* image_parts_take - all owners of runs from on; the apex was taken. Small zones are taken by the caller's thread alone.
 *
 * errors  as image_builder_take(), and STATUS_MEMORY
 */
MUST_USE enum status image_parts_take(struct builder *builder, uint64_t from, uint32_t threads);

#endif

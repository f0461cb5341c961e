/* state.h - the folder in which a server keeps what makes its next start fast: its hash key, and images of its zones.
 *
 *     key          the installation's random hash key, 16 octets, mode 0600
 *     NAME.image   the image of a zone (zone/image_file.h) of more than STATE_SMALL octets
 *     pack         the images of all smaller zones: head, index by hash of the name, images; a hundred thousand files
 *                  would cost a start more than reading the text
 *
 * Nothing here has to be right for a server to serve: whatever cannot be read is told and the zone file is read,
 * whatever cannot be written is told and tried again after the next load. One process writes a folder at a time.
 *
 * thread  state_load() and state_save() on any thread, for different zones; the others on the owner's, while no other runs
 */
#ifndef SAKER_SERVER_STATE_H
#define SAKER_SERVER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

struct hash_key;
struct image;
struct name;
struct sources;
struct state;

#define STATE_SMALL (256u << 10) /* octets of memory of an image that goes into the pack */

/* state_open - the state in a folder, which is made where it is not there.
 *
 * effect  key_out: the installation's key; a random one where none can be read or kept, which is told
 * errors  NULL: no memory
 */
MUST_USE struct state *state_open(const char *folder, struct hash_key *key_out);

/* state_close - accepts NULL. */
void state_close(struct state *state);

/* state_load - the image of a zone, where there is one that fits.
 *
 * shape   path: of the zone file; sources_out: empty, takes the image's sources
 *         rehashed_out: it was made with another key, and is not kept as it is now
 * errors  STATUS_REFUSED: there is none, or one that was refused, which was told; STATUS_MEMORY
 */
MUST_USE enum status state_load(const struct state *state, const struct name *zone,
	const char *path, struct sources *sources_out, struct image **image_out,
	bool *rehashed_out);

/* state_can_save - false: another process keeps its state there. */
bool state_can_save(const struct state *state);

/* state_save - the image of a large zone. errors: STATUS_IO, STATUS_MEMORY, STATUS_LIMIT; told */
MUST_USE enum status state_save(const struct state *state, const struct name *zone,
	const struct image *image, const struct sources *sources);

struct state_small {
	const struct name *zone; /* borrows, as the others */
	const struct image *image;
	const struct sources *sources;
};

/* state_save_pack - the images of all small zones. errors: as state_save() */
MUST_USE enum status state_save_pack(
	const struct state *state, const struct state_small *zones, uint32_t count);

/* state_loaded - the first load is over: what was open for it is closed, and state_load() finds nothing more. */
void state_loaded(struct state *state);

/* state_forget - the zone is no longer served: its image goes. */
void state_forget(const struct state *state, const struct name *zone);

#endif

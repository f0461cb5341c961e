/* pieces.h - a large zone file, read by several threads.
 *
 *     file   |first entries|  piece  |  piece  |  piece  | ...
 *                          ^ before a line that begins with a word: most likely an entry begins there
 *
 * What an entry means depends on all that is before it: $ORIGIN, $TTL, the last owner and TTL, an open parenthesis or
 * quote. So a piece is read on a guess: an entry begins at its start, and $ORIGIN and $TTL are what they were last. A guess
 * proves right when all before it has been read: what is before ended just there, with the same $ORIGIN and $TTL. The
 * last owner and TTL are never guessed: a piece that asks for them is not plain. A piece that is not plain (a complaint, a
 * warning, $INCLUDE, $GENERATE, a record that its taker does not want, an entry that goes on behind its end) or that was
 * guessed wrong is read again in order, from where it begins until an entry begins where another piece does. So what comes
 * out is what one thread would have made of the file.
 *
 * Threads take pieces one after the other; the caller's does, too, and joins those that are read.
 *
 * thread  the caller's of zonefile_read()
 */
#ifndef SAKER_ZONEFILE_PIECES_H
#define SAKER_ZONEFILE_PIECES_H

struct parser;
struct reading;

/* pieces_read - all that a parser has to read, which stands at the start of its file.
 *
 * effect  as reading_in_order() to the end
 * cost    a buffer of reading->piece_len and a parser for each thread
 */
void pieces_read(struct parser *parser, const struct reading *reading);

#endif

/* scan.c - the classes of octets. */
#include "zonefile/scan.h"

#define DATA (SCAN_WORD | SCAN_LABEL | SCAN_QUOTED | SCAN_LINE) /* what is never special */

#define DATA4(at)  [(at)] = DATA, [(at) + 1] = DATA, [(at) + 2] = DATA, [(at) + 3] = DATA
#define DATA16(at) DATA4(at), DATA4((at) + 4), DATA4((at) + 8), DATA4((at) + 12)
#define DATA64(at) DATA16(at), DATA16((at) + 16), DATA16((at) + 32), DATA16((at) + 48)

/* Octets above 127 and control characters are data (RFC 2181 sec 11); a carriage return is looked at
 * where a word ends, since only one before a line feed is part of the line end.
 */
const uint8_t scan_classes[256] = {
	[0] = SCAN_STOP,
	[1] = DATA,
	[2] = DATA,
	[3] = DATA,
	DATA4(4),
	[8] = DATA,
	['\t'] = SCAN_BLANK | SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	['\n'] = SCAN_STOP,
	[11] = DATA,
	[12] = DATA,
	['\r'] = SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	[14] = DATA,
	[15] = DATA,
	DATA16(16),
	[' '] = SCAN_BLANK | SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	['!'] = DATA,
	['"'] = SCAN_LINE,
	['#'] = DATA,
	DATA4('$'), /* $ % & ' */
	['('] = SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	[')'] = SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	['*'] = DATA,
	['+'] = DATA,
	[','] = DATA,
	['-'] = DATA,
	['.'] = SCAN_WORD | SCAN_QUOTED | SCAN_LINE,
	['/'] = DATA,
	DATA4('0'),
	DATA4('4'),
	['8'] = DATA,
	['9'] = DATA,
	[':'] = DATA,
	[';'] = SCAN_STOP | SCAN_QUOTED | SCAN_LINE,
	DATA4('<'), /* < = > ? */
	DATA16('@'),
	DATA4('P'),
	DATA4('T'),
	['X'] = DATA,
	['Y'] = DATA,
	['Z'] = DATA,
	['['] = DATA,
	['\\'] = SCAN_LINE,
	[']'] = DATA,
	['^'] = DATA,
	['_'] = DATA,
	DATA16('`'),
	DATA16('p'),
	DATA64(128),
	DATA64(192),
};

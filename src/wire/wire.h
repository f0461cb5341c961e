/* wire.h - numbers of the DNS protocol, and what can be wrong with octets.
 *
 * source  RFC 1035 sec 4.1, RFC 6895, IANA "Domain Name System (DNS) Parameters"
 */
#ifndef SAKER_WIRE_WIRE_H
#define SAKER_WIRE_WIRE_H

#include <stdint.h>

#include "base/check.h"

#define WIRE_HEADER_LEN      12u         /* RFC 1035 sec 4.1.1 */
#define WIRE_MESSAGE_LEN_MAX 65535u      /* the length field of RFC 1035 sec 4.2.2 */
#define WIRE_UDP_LEN_MIN     512u        /* what every client takes, RFC 1035 sec 4.2.1 */
#define WIRE_POINTER_TAG     0xc000u     /* RFC 1035 sec 4.1.4 */
#define WIRE_POINTER_MAX     0x3fffu     /* the furthest offset that a pointer can name */
#define WIRE_TTL_MAX         0x7fffffffu /* RFC 2181 sec 8 */

/* Octets 2 and 3 of a message, as one number in host order. */
enum wire_flag {
	WIRE_FLAG_QR = 0x8000,
	WIRE_FLAG_AA = 0x0400,
	WIRE_FLAG_TC = 0x0200,
	WIRE_FLAG_RD = 0x0100,
	WIRE_FLAG_RA = 0x0080,
	WIRE_FLAG_AD = 0x0020,
	WIRE_FLAG_CD = 0x0010
};
#define WIRE_OPCODE_MASK  0x7800u
#define WIRE_OPCODE_SHIFT 11
#define WIRE_RCODE_MASK   0x000fu

enum wire_opcode {
	OPCODE_QUERY = 0,
	OPCODE_IQUERY = 1,
	OPCODE_STATUS = 2,
	OPCODE_NOTIFY = 4,
	OPCODE_UPDATE = 5
};

enum wire_rcode {
	RCODE_NOERROR = 0,
	RCODE_FORMERR = 1,
	RCODE_SERVFAIL = 2,
	RCODE_NXDOMAIN = 3,
	RCODE_NOTIMP = 4,
	RCODE_REFUSED = 5,
	RCODE_YXDOMAIN = 6,
	RCODE_NOTAUTH = 9,
	RCODE_BADVERS = 16
};

enum wire_class { CLASS_IN = 1, CLASS_CH = 3, CLASS_HS = 4, CLASS_NONE = 254, CLASS_ANY = 255 };

enum wire_section { SECTION_ANSWER, SECTION_AUTHORITY, SECTION_ADDITIONAL };
#define WIRE_SECTIONS 3u

/* What is wrong with octets. Mapped to an RCODE or a drop, counted, never logged as an error. */
enum wire_status {
	WIRE_OK = 0,
	WIRE_TRUNCATED,   /* the octets end too soon */
	WIRE_LABEL_TYPE,  /* label type 01 or 10, or a pointer where none may be */
	WIRE_POINTER,     /* a compression pointer that does not point backwards */
	WIRE_NAME_LEN,    /* a name of more than 255 octets */
	WIRE_LABEL_LEN,   /* a label of more than 63 octets (text only) */
	WIRE_ESCAPE,      /* a bad backslash escape (text only) */
	WIRE_EMPTY_LABEL, /* two dots, or a name that is no name (text only) */
	WIRE_TRAILING,    /* octets left over */
	WIRE_VALUE,       /* a field holds what its type does not allow */
	WIRE_SPACE        /* the output has no room */
};

/* wire_status_text - a short English phrase, never NULL. */
const char *wire_status_text(enum wire_status status);

#endif

/* wire.c - words for enum wire_status. */
#include "wire/wire.h"

const char *wire_status_text(enum wire_status status)
{
	switch (status) {
	case WIRE_OK:
		return "ok";
	case WIRE_TRUNCATED:
		return "ends too soon";
	case WIRE_LABEL_TYPE:
		return "unknown label type";
	case WIRE_POINTER:
		return "compression pointer does not point backwards";
	case WIRE_NAME_LEN:
		return "name is longer than 255 octets";
	case WIRE_LABEL_LEN:
		return "label is longer than 63 octets";
	case WIRE_ESCAPE:
		return "bad escape";
	case WIRE_EMPTY_LABEL:
		return "empty label";
	case WIRE_TRAILING:
		return "octets left over";
	case WIRE_VALUE:
		return "value not allowed";
	case WIRE_SPACE:
		return "no room";
	}
	return "unknown status";
}

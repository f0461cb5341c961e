/* mnemonic.c - the lists of words. */
#include "zonefile/mnemonic.h"

#include <stddef.h>

#include "wire/svcb.h"

struct word {
	uint32_t number;
	const char *text;
};

/* IANA "DNS Security Algorithm Numbers"; the second words are those of RFC 5155 and of old files. */
static const struct word algorithms[] = {
	{1, "RSAMD5"},
	{2, "DH"},
	{3, "DSA"},
	{5, "RSASHA1"},
	{6, "DSA-NSEC3-SHA1"},
	{6, "NSEC3DSA"},
	{7, "RSASHA1-NSEC3-SHA1"},
	{7, "NSEC3RSASHA1"},
	{8, "RSASHA256"},
	{10, "RSASHA512"},
	{12, "ECC-GOST"},
	{12, "ECCGOST"},
	{13, "ECDSAP256SHA256"},
	{14, "ECDSAP384SHA384"},
	{15, "ED25519"},
	{16, "ED448"},
	{17, "SM2SM3"},
	{23, "ECC-GOST12"},
	{252, "INDIRECT"},
	{253, "PRIVATEDNS"},
	{254, "PRIVATEOID"},
	{0, NULL},
};

/* RFC 4398 sec 2.1 */
static const struct word certificates[] = {
	{1, "PKIX"},
	{2, "SPKI"},
	{3, "PGP"},
	{4, "IPKIX"},
	{5, "ISPKI"},
	{6, "IPGP"},
	{7, "ACPKIX"},
	{8, "IACPKIX"},
	{253, "URI"},
	{254, "OID"},
	{0, NULL},
};

/* RFC 9859 sec 6.2 */
static const struct word schemes[] = {{1, "NOTIFY"}, {0, NULL}};

/* RFC 1035 sec 3.4.2: those that have ports, and those that files of its time name. */
static const struct word protocols[] = {
	{1, "icmp"},
	{2, "igmp"},
	{3, "ggp"},
	{6, "tcp"},
	{8, "egp"},
	{12, "pup"},
	{17, "udp"},
	{22, "xns-idp"},
	{132, "sctp"},
	{0, NULL},
};

/* The services of RFC 1010 that files name, and a few of today; others are numbers. */
static const struct word services[] = {
	{7, "echo"},
	{9, "discard"},
	{11, "systat"},
	{13, "daytime"},
	{15, "netstat"},
	{17, "qotd"},
	{19, "chargen"},
	{20, "ftp-data"},
	{21, "ftp"},
	{22, "ssh"},
	{23, "telnet"},
	{25, "smtp"},
	{37, "time"},
	{39, "rlp"},
	{42, "nameserver"},
	{42, "name"},
	{43, "whois"},
	{43, "nicname"},
	{53, "domain"},
	{67, "bootps"},
	{68, "bootpc"},
	{69, "tftp"},
	{70, "gopher"},
	{77, "rje"},
	{79, "finger"},
	{80, "http"},
	{87, "link"},
	{88, "kerberos"},
	{95, "supdup"},
	{101, "hostname"},
	{101, "hostnames"},
	{102, "iso-tsap"},
	{103, "x400"},
	{104, "x400-snd"},
	{105, "csnet-ns"},
	{109, "pop2"},
	{110, "pop3"},
	{111, "sunrpc"},
	{113, "auth"},
	{115, "sftp"},
	{117, "uucp-path"},
	{119, "nntp"},
	{123, "ntp"},
	{139, "netbios-ssn"},
	{143, "imap"},
	{161, "snmp"},
	{179, "bgp"},
	{194, "irc"},
	{389, "ldap"},
	{443, "https"},
	{513, "login"},
	{514, "shell"},
	{515, "printer"},
	{853, "domain-s"},
	{0, NULL},
};

/* RFC 9460 sec 14.3.2, RFC 9461 sec 5, RFC 9540 sec 4 */
static const struct word svcb_keys[] = {
	{SVCB_MANDATORY, "mandatory"},
	{SVCB_ALPN, "alpn"},
	{SVCB_NO_DEFAULT_ALPN, "no-default-alpn"},
	{SVCB_PORT, "port"},
	{SVCB_IPV4HINT, "ipv4hint"},
	{SVCB_ECH, "ech"},
	{SVCB_IPV6HINT, "ipv6hint"},
	{SVCB_DOHPATH, "dohpath"},
	{SVCB_OHTTP, "ohttp"},
	{0, NULL},
};

static const struct word *const lists[] = {
	[MNEMONIC_ALGORITHM] = algorithms,
	[MNEMONIC_CERTIFICATE] = certificates,
	[MNEMONIC_SCHEME] = schemes,
	[MNEMONIC_PROTOCOL] = protocols,
	[MNEMONIC_SERVICE] = services,
	[MNEMONIC_SVCB_KEY] = svcb_keys,
};

static uint8_t upper(uint8_t octet)
{
	return (uint8_t)(octet - 0u - 'a' < 26u ? octet - 32u : octet);
}

static bool equals(const char *word, const uint8_t *text, uint32_t len, bool case_counts)
{
	for (uint32_t i = 0; i < len; i++) {
		uint8_t octet = (uint8_t)word[i];
		bool same = case_counts ? octet == text[i] : upper(octet) == upper(text[i]);
		if (octet == '\0' || !same) {
			return false;
		}
	}
	return word[len] == '\0';
}

bool mnemonic_find(enum mnemonic_list list, const uint8_t *text, uint32_t len, uint32_t *out)
{
	for (const struct word *word = lists[list]; word->text != NULL; word++) {
		if (equals(word->text, text, len, list == MNEMONIC_SVCB_KEY)) {
			*out = word->number;
			return true;
		}
	}
	return false;
}

const char *mnemonic_word(enum mnemonic_list list, uint32_t number)
{
	for (const struct word *word = lists[list]; word->text != NULL; word++) {
		if (word->number == number) {
			return word->text;
		}
	}
	return NULL;
}

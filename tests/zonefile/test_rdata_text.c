/* test_rdata_text.c - every type of the table to text and back: random RDATA, and known pairs. */
#include "zonefile/rdata_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "kit/rdata_kit.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zonefile/zone_kit.h"

#define ROUNDS   2000u
#define LINE_MAX (RDATA_TEXT_MAX + 64u)

static char line[LINE_MAX];

/* Prints the octets, reads the text, and wants the same octets; true where the text was RFC 3597's. */
static bool round_trip(uint16_t type, const uint8_t *octets, uint32_t len)
{
	char mnemonic[RRTYPE_TEXT_MAX];
	size_t at = (size_t)snprintf(line, sizeof(line), "o 1 %s ", rrtype_to_text(type, mnemonic));
	size_t text_len =
		rdata_text_print(type, kit_guarded(octets, len), len, line + at, sizeof(line) - at);

	CHECK_U(strlen(line + at), text_len);
	KIT_NOTE(line);
	zone_kit_read(line, at + text_len);
	CHECK_S(zone_kit.diags, "");
	CHECK_U(zone_kit.record_count, 1);
	CHECK_U(zone_kit.type, type);
	CHECK_OCTETS(zone_kit.rdata, zone_kit.rdata_len, octets, len);
	return strncmp(line + at, "\\#", 2) == 0;
}

TEST(random_rdata_of_every_type_survives_the_round_trip)
{
	for (uint32_t i = 0; i < rdata_kit_type_count; i++) {
		uint16_t type = rdata_kit_types[i];
		uint32_t generic = 0;

		for (uint32_t round = 0; round < ROUNDS; round++) {
			uint8_t octets[RDATA_KIT_LEN_MAX];
			uint32_t len = rdata_kit_make(type, octets);
			generic += round_trip(type, octets, len);
		}
		/* All but NULL have a text of their own, and it was met often. */
		KIT_NOTE(rrtype_info(type)->mnemonic);
		CHECK(type == RRTYPE_NULL ? generic == ROUNDS : generic < ROUNDS / 2);
	}
}

TEST(bent_rdata_survives_as_long_as_it_is_well_formed)
{
	uint32_t good = 0;

	for (uint32_t round = 0; round < 200000; round++) {
		uint16_t type = rdata_kit_types[kit_random(rdata_kit_type_count)];
		uint8_t octets[RDATA_KIT_LEN_MAX];
		uint32_t len = rdata_kit_make(type, octets);

		if (len == 0 || len > 300) {
			continue;
		}
		octets[kit_random(len)] = (uint8_t)kit_random(256);
		len -= kit_random(4) == 0 ? kit_random(len) : 0;
		if (rdata_check(type, octets, len) == WIRE_OK) {
			round_trip(type, octets, len);
			good++;
		}
	}
	CHECK(good > 50000);
}

TEST(unknown_types_are_printed_as_rfc_3597_says)
{
	round_trip(54321, (const uint8_t *)"", 0);
	CHECK_S(line, "o 1 TYPE54321 \\# 0");
	round_trip(54321, (const uint8_t *)"\1\xfe", 2);
	CHECK_S(line, "o 1 TYPE54321 \\# 2 01FE");
}

TEST(the_longest_rdata_has_room)
{
	static uint8_t octets[65535];
	uint32_t len = 0;

	memset(octets, 0xff, sizeof(octets));
	round_trip(RRTYPE_NULL, octets, sizeof(octets));
	round_trip(RRTYPE_OPENPGPKEY, octets, sizeof(octets));
	octets[0] = octets[1] = octets[2] = octets[3] = 0;
	round_trip(RRTYPE_URI, octets, sizeof(octets));
	octets[0] = 0xff;
	for (uint32_t at = 0; at + 256 <= sizeof(octets); at += 256) {
		octets[at] = 255;
		len = at + 256;
	}
	round_trip(RRTYPE_TXT, octets, len);
	/* NSEC with every type there is */
	octets[0] = 0;
	len = 1;
	for (uint32_t window = 0; window < 256; window++) {
		octets[len++] = (uint8_t)window;
		octets[len++] = 32;
		memset(octets + len, 0xff, 32);
		len += 32;
	}
	round_trip(RRTYPE_NSEC, octets, len);
	/* SVCB with as many keys as there is room for */
	memset(octets, 0, sizeof(octets));
	len = 3;
	for (uint32_t key = 9; len + 4 <= sizeof(octets); key++) {
		octets[len] = (uint8_t)(key >> 8);
		octets[len + 1] = (uint8_t)key;
		len += 4;
	}
	round_trip(RRTYPE_SVCB, octets, len);
}

/* What is read, and how it is printed. */
static const struct {
	const char *read;
	const char *printed;
} pairs[] = {
	{"A 192.0.2.1", "A 192.0.2.1"},
	{"AAAA 2001:DB8::0:1", "AAAA 2001:db8::1"},
	{"AAAA ::ffff:192.0.2.1", "AAAA ::ffff:c000:201"},
	{"NS ns", "NS ns.e."},
	{"NS @", "NS e."},
	{"NS a\\.b\\032c.", "NS a\\.b\\032c."},
	{"SOA a b 1 1h 2m 3 1w", "SOA a.e. b.e. 1 3600 120 3 604800"},
	{"TXT a \"b c\" \"\" \\\"\\065\\\\", "TXT \"a\" \"b c\" \"\" \"\\\"A\\\\\""},
	{"HINFO a \"b c\"", "HINFO \"a\" \"b c\""},
	{"ISDN 1 2", "ISDN \"1\" \"2\""},
	{"ISDN 1", "ISDN \"1\""},
	{"WKS 10.0.0.1 tcp telnet ftp 0 1 2", "WKS 10.0.0.1 6 0 1 2 21 23"},
	{"WKS 10.0.0.1 17", "WKS 10.0.0.1 17"},
	{"NSAP 0x47.0005.80", "NSAP 0x47000580"},
	{"ATMA +61200000000", "ATMA +61200000000"},
	{"ATMA 39.246f", "ATMA 39246F"},
	{"LOC 51 30 12.748 N 0 7 39.611 W 0.00m 0 0 0",
		"LOC 51 30 12.748 N 0 7 39.611 W 0.00m 0.00m 0.00m 0.00m"},
	{"LOC 10 N 20 e 0m", "LOC 10 0 0.000 N 20 0 0.000 E 0.00m 1.00m 10000.00m 10.00m"},
	{"LOC 1 s 1 w -100000 90000000 1.99 3",
		"LOC 1 0 0.000 S 1 0 0.000 W -100000.00m 90000000.00m 1.00m "
		"3.00m"},
	{"NAPTR 1 2 s SIP+D2U \"!^.*$!\\\\1!\" .",
		"NAPTR 1 2 \"s\" \"SIP+D2U\" \"!^.*$!\\\\1!\" ."},
	{"CERT PKIX 1 RSASHA256 AAAA", "CERT 1 1 8 AAAA"},
	{"CERT 65534 65535 254 AA ==", "CERT 65534 65535 254 AA=="},
	{"A6 0 ::1", "A6 0 ::1"},
	{"A6 64 ::1 p", "A6 64 ::1 p.e."},
	{"A6 128 p", "A6 128 p.e."},
	{"SINK 1 2 3", "SINK 1 2 3"},
	{"APL 1:10.0.0.0/8 !2:2001:db8::/32", "APL 1:10.0.0.0/8 !2:2001:db8::/32"},
	{"APL", "APL "},
	{"DS 1 8 2 aB cd", "DS 1 8 2 ABCD"},
	{"DS 1 ECDSAP256SHA256 2 ab", "DS 1 13 2 AB"},
	{"SSHFP 1 2 00", "SSHFP 1 2 00"},
	{"IPSECKEY 1 0 2 . AAAA", "IPSECKEY 1 0 2 . AAAA"},
	{"IPSECKEY 1 1 2 192.0.2.1", "IPSECKEY 1 1 2 192.0.2.1"},
	{"IPSECKEY 1 2 2 ::1 AAAA", "IPSECKEY 1 2 2 ::1 AAAA"},
	{"IPSECKEY 1 3 2 g AAAA", "IPSECKEY 1 3 2 g.e. AAAA"},
	{"RRSIG A 13 1 1h 20300102030405 19700101000000 7 @ AAAA",
		"RRSIG A 13 1 3600 20300102030405 19700101000000 7 e. AAAA"},
	{"RRSIG TYPE65280 0 0 0 4294967295 0 0 . AAAA",
		"RRSIG TYPE65280 0 0 0 21060207062815 19700101000000 0 . AAAA"},
	{"RRSIG A 0 0 0 21060207062816 20240229000000 0 . AAAA",
		"RRSIG A 0 0 0 19700101000000 20240229000000 0 . AAAA"},
	{"NSEC a TYPE300 NS A A", "NSEC a.e. A NS TYPE300"},
	{"NSEC a", "NSEC a.e."},
	{"KEY 49152 3 5", "KEY 49152 3 5"},
	{"DNSKEY 257 3 RSASHA256 AA AA", "DNSKEY 257 3 8 AAAA"},
	{"NSEC3 1 1 12 aabb 2t7b4g4vsa5smi47k61mv5bv1a22bojr A",
		"NSEC3 1 1 12 AABB 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A"},
	{"NSEC3PARAM 1 0 0 -", "NSEC3PARAM 1 0 0 -"},
	{"NXT n A NXT", "NXT n.e. A NXT"},
	{"HIP 2 2001AA AwEA r1 r2.", "HIP 2 2001AA AwEA r1.e. r2."},
	{"TALINK a b", "TALINK a.e. b.e."},
	{"CSYNC 1 3 A NS", "CSYNC 1 3 A NS"},
	{"ZONEMD 1 1 1 ab", "ZONEMD 1 1 1 AB"},
	{"SVCB 0 a", "SVCB 0 a.e."},
	{"SVCB 1 . port=53 alpn=h2,h3 no-default-alpn",
		"SVCB 1 . alpn=\"h2,h3\" no-default-alpn port=53"},
	{"SVCB 1 . alpn=\"f\\\\\\\\oo\\\\,bar,h2\"", "SVCB 1 . alpn=\"f\\\\\\\\oo\\\\,bar,h2\""},
	{"SVCB 1 . alpn=f\\\\\\092oo\\092,bar,h2", "SVCB 1 . alpn=\"f\\\\\\\\oo\\\\,bar,h2\""},
	{"HTTPS 1 . ipv6hint=::1,::2 ipv4hint=1.2.3.4 mandatory=ipv6hint,ipv4hint",
		"HTTPS 1 . mandatory=ipv4hint,ipv6hint ipv4hint=1.2.3.4 ipv6hint=::1,::2"},
	{"HTTPS 1 . ech=AAAA dohpath=/q{?dns} ohttp key9=a key65000",
		"HTTPS 1 . ech=AAAA dohpath=\"/q{?dns}\" ohttp key9=\"a\" key65000"},
	{"HTTPS 1 . key3=\\000\\053", "HTTPS 1 . port=53"},
	{"DSYNC CDS NOTIFY 53 d", "DSYNC CDS 1 53 d.e."},
	{"NID 1 0:1:aB:0014", "NID 1 0000:0001:00AB:0014"},
	{"L32 1 10.0.0.1", "L32 1 10.0.0.1"},
	{"EUI48 00-1-5e-00-53-2A", "EUI48 00-01-5E-00-53-2A"},
	{"EUI64 00-00-5e-ef-10-00-00-2a", "EUI64 00-00-5E-EF-10-00-00-2A"},
	{"URI 1 2 \"ftp://a/ b\"", "URI 1 2 \"ftp://a/ b\""},
	{"CAA 0 issue \"ca.example; a=b\"", "CAA 0 \"issue\" \"ca.example; a=b\""},
	{"DOA 1 2 3 \"\" -", "DOA 1 2 3 \"\" -"},
	{"DOA 1 2 3 text/plain AAAA", "DOA 1 2 3 \"text/plain\" AAAA"},
	{"AMTRELAY 10 0 0 .", "AMTRELAY 10 0 0 ."},
	{"AMTRELAY 10 1 3 r", "AMTRELAY 10 1 3 r.e."},
	{"IPN 18446744073709551615", "IPN 18446744073709551615"},
	{"TYPE1 \\# 4 C0 00 02 01", "A 192.0.2.1"},
	{"A \\# 4 (C00\n0 0201)", "A 192.0.2.1"},
	{"TYPE65280 \\# 0", "TYPE65280 \\# 0"},
	{"type65280 \\# 3 aabbcc", "TYPE65280 \\# 3 AABBCC"},
};

TEST(known_text_is_read_and_printed)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		char text[512], want[512];

		snprintf(text, sizeof(text), "o 1 %s", pairs[i].read);
		snprintf(want, sizeof(want), "o.e. 1 %s\n", pairs[i].printed);
		zone_kit_records(text, want);
		/* APL and KEY may be empty; what is printed is read again all the same. */
		char again[512];
		snprintf(again, sizeof(again), "o 1 %s", pairs[i].printed);
		zone_kit_records(again, want);
	}
}

/* One record, and the complaint with its column; the record begins at column 5. */
static const struct {
	const char *read;
	const char *diag;
} refused[] = {
	{"A 1.2.3", "7: '1.2.3' is not an IPv4 address"},
	{"A 1.2.3.4 5", "15: '5' is not expected here: the RDATA is complete"},
	{"A", "6: the entry ends too soon (expected an IPv4 address)"},
	{"AAAA 1::2::3", "10: '1::2::3' is not an IPv6 address"},
	{"NS", "7: the entry ends too soon (expected a domain name)"},
	{"NS \"a\"", "8: a domain name in quotes (expected one without)"},
	{"NS a..b", "8: a bad domain name: empty label"},
	{"MX 65536 a", "8: '65536' is not a number (expected 0 to 65535)"},
	{"MX -1 a", "8: '-1' is not a number (expected 0 to 65535)"},
	{"SOA a b 1h 1 1 1 1", "13: '1h' is not a number (expected 0 to 4294967295)"},
	{"SOA a b 1 1h30 1 1 1",
		"15: '1h30' is not a time span (expected seconds, or units as in 1h30m)"},
	{"TXT", "8: the entry ends too soon (expected a character-string)"},
	{"TXT \\25", "9: a bad escape (expected three digits behind the backslash)"},
	{"TXT \\256", "9: a bad escape (expected \\000 to \\255)"},
	{"HINFO a b c", "15: 'c' is not expected here: the RDATA is complete"},
	{"ISDN 1 2 3", "14: '3' is not expected here: the RDATA is complete"},
	{"WKS 1.2.3.4 nope",
		"17: 'nope' is not a protocol (expected tcp, udp, or a number to 255)"},
	{"WKS 1.2.3.4 6 65536",
		"19: '65536' is not a port (expected a service or a number to 65535)"},
	{"NSAP 47", "10: '47' is not an NSAP address (expected 0x and hexadecimal)"},
	{"NSAP 0x4", "10: '0x4' is not an NSAP address (expected 0x and hexadecimal)"},
	{"LOC 91 N 1 E 0", "9: '91' is not part of a latitude (expected degrees to 90, minutes and "
			   "seconds below 60, N or S)"},
	{"LOC 1 60 N 1 E 0", "11: '60' is not part of a latitude (expected degrees to 90, minutes "
			     "and seconds below 60, N or S)"},
	{"LOC 1 N 1 E 42849672.96", "17: '42849672.96' is not an altitude (expected metres from "
				    "-100000.00 to 42849672.95)"},
	{"LOC 1 N 1 E 0 90000001",
		"19: '90000001' is not a size or precision (expected metres to 90000000)"},
	{"CERT 65536 0 0 AA==", "10: '65536' is not a certificate type (expected a mnemonic, or a "
				"number to 65535)"},
	{"APL 1:10.0.0.0/33",
		"9: '1:10.0.0.0/33' is not an address prefix (expected [!]1:IPv4/0 to "
		"32 or [!]2:IPv6/0 to 128)"},
	{"APL 3:10.0.0.0/3", "9: '3:10.0.0.0/3' is not an address prefix (expected [!]1:IPv4/0 to "
			     "32 or [!]2:IPv6/0 to 128)"},
	{"DS 1 8 2", "13: the entry ends too soon (expected hexadecimal)"},
	{"DS 1 8 2 abc", "17: an odd number of hexadecimal digits"},
	{"DS 1 8 2 xx", "14: 'xx' is not hexadecimal"},
	{"DS 1 256 2 ab",
		"10: '256' is not an algorithm (expected a mnemonic, or a number to 255)"},
	{"DNSKEY 1 3 8 AAA", "21: the base64 is cut short or has bits too many"},
	{"DNSKEY 1 3 8 AB==", "22: the base64 is cut short or has bits too many"},
	{"DNSKEY 1 3 8 ====", "22: the base64 is cut short or has bits too many"},
	{"DNSKEY 1 3 8 AA==AA==", "18: 'AA==AA==' is not base64"},
	{"IPSECKEY 1 4 2 .", "18: gateway type 4 (expected 0 to 3)"},
	{"IPSECKEY 1 0 2 a", "20: 'a' is not a single dot (expected for type 0)"},
	{"RRSIG A 8 1 1 20230229000000 1 1 . AAAA", "19: '20230229000000' is not a time (expected "
						    "YYYYMMDDHHmmSS, or seconds since 1970)"},
	{"RRSIG NOPE 8 1 1 1 1 1 . AAAA", "11: 'NOPE' is not an RR type"},
	{"NSEC a NOPE", "12: 'NOPE' is not an RR type"},
	{"NSEC3 1 0 0 - 1", "19: '1' is not a hash (expected base32hex without padding, 1 to 255 "
			    "octets)"},
	{"NSEC3PARAM 1 0 0 abc",
		"22: 'abc' is not a salt (expected -, or 1 to 255 octets in hexadecimal)"},
	{"NXT a TYPE128", "11: 'TYPE128' is not an RR type from 1 to 127"},
	{"NXT a", "10: the entry ends too soon (expected RR types)"},
	{"HIP 2 xx AAAA", "11: 'xx' is not hexadecimal"},
	{"SVCB 1 . port", "18: a key without its value (expected port=...)"},
	{"SVCB 1 . port=65536", "19: '65536' is not a port (expected 0 to 65535)"},
	{"SVCB 1 . port=\\053", "19: '\\053' is not good here (expected no escapes in it)"},
	{"SVCB 1 . key1=a key1=b", "19: a value that does not fit the key 1"},
	{"SVCB 1 . key9=a key9=b", "27: the key 9 twice"},
	{"SVCB 1 . mandatory=port", "28: mandatory lists a key that the record has not"},
	{"SVCB 1 . no-default-alpn=", "30: '' is not expected here: this key has no value"},
	{"SVCB 1 . alpn=a,", "19: 'a,' is not a list of protocols (expected none of them empty)"},
	{"SVCB 1 . ipv4hint=1.2.3.4,", "23: '1.2.3.4,' is not a list of IPv4 addresses"},
	{"SVCB 1 . KEY9=a", "14: 'KEY9=a' is not an SVCB parameter (expected key=value)"},
	{"SVCB 1 . key09=a", "14: 'key09=a' is not an SVCB parameter (expected key=value)"},
	{"SVCB 1 . key65536=a", "14: 'key65536=a' is not an SVCB parameter (expected key=value)"},
	{"DSYNC CDS JUNK 1 a", "15: 'JUNK' is not a scheme (expected NOTIFY, or a number to 255)"},
	{"NID 1 0:0:0", "11: '0:0:0' is not 64 bits (expected xxxx:xxxx:xxxx:xxxx)"},
	{"EUI48 00-00-00-00-00",
		"11: '00-00-00-00-00' is not an EUI-48 address (expected xx-xx-xx-xx-xx-xx)"},
	{"CAA 0 a-b c", "11: 'a-b' is not a tag (expected letters and digits)"},
	{"CAA 0 \"\" c", "11: an empty tag"},
	{"AMTRELAY 1 2 0 .", "16: '2' is not a discovery bit (expected 0 or 1)"},
	{"A6 129 ::1", "8: '129' is not a prefix length (expected 0 to 128)"},
	{"IPN 18446744073709551616",
		"9: '18446744073709551616' is not a number (expected 0 to 18446744073709551615)"},
	{"NULL abc", "10: 'abc' is not \\# (expected: this type has no other form)"},
	{"TYPE65280", "14: the entry ends too soon (expected \\# and a length)"},
	{"TYPE65280 \\#", "17: the entry ends too soon (expected the length of the RDATA)"},
	{"TYPE65280 \\# 2 aa", "18: 1 octets of RDATA (expected 2, as the length says)"},
	{"TYPE65280 \\# 0 aa", "20: 'aa' is not expected here: the length is 0"},
	{"A \\# 5 C000020101", "10: these octets are no RDATA of that type: octets left over"},
};

TEST(bad_rdata_is_refused_where_it_is_bad)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		char text[512], want[512];

		snprintf(text, sizeof(text), "o 1 %s\np 1 A 192.0.2.1\n", refused[i].read);
		snprintf(want, sizeof(want), "1:%s\n", refused[i].diag);
		zone_kit_diags(text, want);
		CHECK_S(zone_kit.records, "p.e. 1 A 192.0.2.1\n");
	}
}

/* test_field_faults.c - faults that zone-file parsers had in the field: what must come out all the same.
 *
 * The origin of every text is `e.`; what is expected is the RFC's, or where it is silent our choice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/kit.h"
#include "wire/rrtype.h"
#include "zonefile/rdata_text.h"
#include "zonefile/zone_kit.h"

#define SCAN_BLOCK 64u   /* octets that a vector scanner may take at once */
#define PAGE       4096u /* octets; a mapped file that ends with a page has nothing behind it */

/* The text holds one good record, and this is its RDATA. */
static void check_rdata(const char *text, const uint8_t *octets, uint32_t len)
{
	KIT_NOTE(text);
	zone_kit_read(text, strlen(text));
	CHECK_S(zone_kit.diags, "");
	CHECK_U(zone_kit.record_count, 1);
	CHECK_OCTETS(zone_kit.rdata, zone_kit.rdata_len, octets, len);
}

/* The text is refused in these words, and no record comes of it. */
static void check_refused(const char *text, const char *diags)
{
	zone_kit_diags(text, diags);
	CHECK_U(zone_kit.status, STATUS_REFUSED);
	CHECK_U(zone_kit.record_count, 0);
}

/* Strings, parentheses, comments: RFC 1035 sec 5.1. */

TEST(text_glued_to_a_quoted_string_is_a_string_of_its_own)
{
	zone_kit_records("spf 60 TXT \"v=\"spf1\n"
			 "mix 60 TXT \"one\"two \"three\"\"four\"\n"
			 "next 60 A 198.51.100.7\n",
		"spf.e. 60 TXT \"v=\" \"spf1\"\n"
		"mix.e. 60 TXT \"one\" \"two\" \"three\" \"four\"\n"
		"next.e. 60 A 198.51.100.7\n");
	/* A quote inside a word begins a string, too, and one that stays open is the error, at its quote. */
	check_refused("spf 60 TXT v=\"spf1\n", "1:14: the string that opens here has no closing "
					       "quote\n");
}

TEST(a_parenthesis_that_touches_a_quote_groups_lines_like_any_other)
{
	zone_kit_records("key1._domainkey 60 TXT (\"v=DKIM1;\"\n"
			 "\t\"p=MIIB\")\n"
			 "key2._domainkey 60 TXT \"v=DKIM1;\"(\n"
			 "\"p=\"\"QUJD\"\n"
			 ")\n"
			 "post 60 MX (\n"
			 "  5\n"
			 "  relay)\n"
			 "next 60 A 198.51.100.7\n",
		"key1._domainkey.e. 60 TXT \"v=DKIM1;\" \"p=MIIB\"\n"
		"key2._domainkey.e. 60 TXT \"v=DKIM1;\" \"p=\" \"QUJD\"\n"
		"post.e. 60 MX 5 relay.e.\n"
		"next.e. 60 A 198.51.100.7\n");
}

TEST(a_mistake_behind_grouped_strings_is_told_with_its_own_line)
{
	zone_kit_diags("key 60 TXT (\"v=DKIM1;\"\n \"p=MIIB\")\nhost 60 A 198.51.100\nlast 60 A "
		       "198.51.100.9\n",
		"3:11: '198.51.100' is not an IPv4 address\n");
	CHECK_S(zone_kit.records,
		"key.e. 60 TXT \"v=DKIM1;\" \"p=MIIB\"\nlast.e. 60 A 198.51.100.9\n");
}

TEST(a_comment_may_touch_what_it_follows)
{
	zone_kit_records("v4 60 A 198.51.100.1;old: 198.51.100.2\n"
			 "v4 60 A 198.51.100.3\t;tab\n"
			 "v6 60 AAAA 2001:db8:7::1;\"\n"
			 "word 60 TXT a\\;b ;c\n"
			 "quoted 60 TXT \"a;b\";c\n"
			 "lines 60 TXT \"up\" ( ; an \"open quote\n"
			 " down ; and a )\n"
			 " ) ; (\n",
		"v4.e. 60 A 198.51.100.1\n"
		"v4.e. 60 A 198.51.100.3\n"
		"v6.e. 60 AAAA 2001:db8:7::1\n"
		"word.e. 60 TXT \"a;b\"\n"
		"quoted.e. 60 TXT \"a;b\"\n"
		"lines.e. 60 TXT \"up\" \"down\"\n");
}

TEST(lines_of_blanks_and_indented_comments_leave_the_owner_alone)
{
	zone_kit_records("host 60 A 198.51.100.1\n"
			 "   \t;; not a record\n"
			 "\t\n"
			 " \t \r\n"
			 "\n"
			 "\tA 198.51.100.2\n",
		"host.e. 60 A 198.51.100.1\nhost.e. 60 A 198.51.100.2\n");
}

TEST(a_parenthesis_closed_in_a_comment_is_open)
{
	check_refused("$TTL 60\n"
		      "@ SOA ns hostmaster (\n"
		      "  2024 1h 10m\n"
		      "  1w 5m ; negative )\n",
		"2:21: the parenthesis that opens here is not closed\n");
}

TEST(what_opens_and_takes_the_rest_of_the_text_is_told_beside_what_it_led_to)
{
	check_refused("$TTL 60\n"
		      "@ SOA ns hostmaster (\n"
		      "  2024 1h 10m\n"
		      "  1w 5m ; negative )\n"
		      "@ NS ns\n"
		      "ns A 198.51.100.53\n",
		"5:1: '@' is not expected here: the RDATA is complete\n"
		"2:21: the parenthesis that opens here is not closed\n");
	check_refused("host 60 A 198.51.100.1 \"\n"
		      "next 60 A 198.51.100.2\n",
		"1:24: the string that opens here has no closing quote\n");
	check_refused("host 60 A 198.51.100 x \"\n"
		      "next 60 A 198.51.100.2\n",
		"1:11: '198.51.100' is not an IPv4 address\n"
		"1:24: the string that opens here has no closing quote\n");
	/* What closes again took nothing but its own entry. */
	zone_kit_diags("host 60 A 198.51.100 (\n \"x\"\n )\nnext 60 A 198.51.100.2\n",
		"1:11: '198.51.100' is not an IPv4 address\n");
	CHECK_S(zone_kit.records, "next.e. 60 A 198.51.100.2\n");
}

/* Names: RFC 1035 sec 2.3.4, 3.1 and 5.1, RFC 2181 sec 11. */

TEST(an_escaped_dot_separates_no_labels)
{
	static const char *const same[] = {"first\\046last 60 A 198.51.100.1\n",
		"first\\.last 60 A 198.51.100.1\n",
		"\\102irst\\046l\\097st.e. 60 A 198.51.100.1\n"};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		zone_kit_records(same[i], "first\\.last.e. 60 A 198.51.100.1\n");
		CHECK_U(zone_kit.owner.label_count, 2);
		CHECK_OCTETS(zone_kit.owner.octets, zone_kit.owner.len, "\12first.last\1e", 14);
	}
	check_rdata("@ 60 MX 5 a\\046b.example.\n",
		BYTES(0, 5, 3, 'a', '.', 'b', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0));
}

TEST(any_octet_may_stand_in_a_label)
{
	zone_kit_records("two\\032words 60 A 198.51.100.1\n"
			 "two\\ words 60 A 198.51.100.2\n"
			 "end\\000 60 A 198.51.100.3\n"
			 "\\255\\\"\\(\\; 60 A 198.51.100.4\n",
		"two\\032words.e. 60 A 198.51.100.1\n"
		"two\\032words.e. 60 A 198.51.100.2\n"
		"end\\000.e. 60 A 198.51.100.3\n"
		"\\255\\\"\\(\\;.e. 60 A 198.51.100.4\n");
}

/* count labels of len octets and dots, every octet as it is or as \DDD. */
static char *put_labels(char *at, uint32_t count, uint32_t len, bool escaped)
{
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < len; n++) {
			at += sprintf(at, escaped ? "\\%03u" : "%c", 'm' + i % 4);
		}
		*at++ = '.';
	}
	return at;
}

TEST(a_name_is_as_long_as_its_octets_not_as_its_text)
{
	static char text[4 * 256 + 64];

	for (uint32_t escaped = 0; escaped <= 1; escaped++) {
		/* 3 labels of 63, one of tail, `e`, the root: 3 * 64 + 1 + tail + 3. */
		for (uint32_t tail = 58; tail <= 60; tail++) {
			char *at = put_labels(text, 3, 63, escaped != 0);
			at = put_labels(at, 1, tail, escaped != 0);
			strcpy(at, "e. 60 A 198.51.100.1");
			KIT_NOTE(text);
			zone_kit_read(text, strlen(text));
			if (tail == 60) {
				CHECK_S(zone_kit.diags,
					"1:1: a bad domain name: name is longer than 255 octets\n");
				continue;
			}
			CHECK_S(zone_kit.diags, "");
			CHECK_U(zone_kit.owner.len, 196 + tail);
		}
		for (uint32_t len = 63; len <= 64; len++) {
			strcpy(put_labels(text, 1, len, escaped != 0), "e. 60 A 198.51.100.1");
			KIT_NOTE(text);
			zone_kit_read(text, strlen(text));
			CHECK_S(zone_kit.diags, len == 63 ? ""
							  : "1:1: a bad domain name: label is "
							    "longer than 63 octets\n");
		}
	}
}

TEST(the_number_of_labels_has_no_limit_of_its_own)
{
	static char text[1024];

	/* 126 labels of one octet, `e` and the root fill 255 octets. */
	strcpy(put_labels(text, 126, 1, false), "e. 60 A 198.51.100.1");
	zone_kit_read(text, strlen(text));
	CHECK_S(zone_kit.diags, "");
	CHECK_U(zone_kit.owner.label_count, 127);
	strcpy(put_labels(text, 127, 1, false), "e. 60 A 198.51.100.1");
	check_refused(text, "1:1: a bad domain name: name is longer than 255 octets\n");
}

TEST(an_empty_label_is_no_label)
{
	check_refused("left..right 60 A 198.51.100.1\n", "1:1: a bad domain name: empty label\n");
	check_refused("@ 60 MX 5 .mail\n", "1:11: a bad domain name: empty label\n");
}

TEST(octets_above_127_are_data_in_strings_and_labels)
{
	zone_kit_records("gr\xc3\xb6\xc3\x9f"
			 "e 60 TXT na\xc3\xafve \"na\xc3\xafve\" \xff\n",
		"gr\\195\\182\\195\\159e.e. 60 TXT \"na\\195\\175ve\" \"na\\195\\175ve\" "
		"\"\\255\"\n");
}

TEST(a_byte_order_mark_is_part_of_no_name)
{
	zone_kit_records(
		"\xef\xbb\xbf$TTL 60\nhost A 198.51.100.1\n", "host.e. 60 A 198.51.100.1\n");
	zone_kit_records("\xef\xbb\xbfhost 60 A 198.51.100.1\n", "host.e. 60 A 198.51.100.1\n");
	/* Anywhere else it is three octets like any other. */
	zone_kit_records("\n\xef\xbb\xbfhost 60 A 198.51.100.1\n",
		"\\239\\187\\191host.e. 60 A 198.51.100.1\n");
}

/* TTL, class, type, and entries that lack one: RFC 1035 sec 5.1. */

TEST(class_and_ttl_stand_in_either_order_or_not_at_all)
{
	zone_kit_records("$TTL 900\n"
			 "both 10 IN A 198.51.100.1\n"
			 "turned IN 20 A 198.51.100.2\n"
			 "class IN A 198.51.100.3\n"
			 "ttl 30 A 198.51.100.4\n"
			 "none A 198.51.100.5\n",
		"both.e. 10 A 198.51.100.1\n"
		"turned.e. 20 A 198.51.100.2\n"
		"class.e. 900 A 198.51.100.3\n"
		"ttl.e. 30 A 198.51.100.4\n"
		"none.e. 900 A 198.51.100.5\n");
}

TEST(a_ttl_of_zero_is_not_a_missing_ttl)
{
	zone_kit_records("$TTL 900\n"
			 "a 0 A 198.51.100.1\n"
			 "b IN 0 A 198.51.100.2\n"
			 "c 0s IN A 198.51.100.3\n"
			 "$TTL 0\n"
			 "d A 198.51.100.4\n"
			 "$TTL 45\n"
			 "e A 198.51.100.5\n",
		"a.e. 0 A 198.51.100.1\n"
		"b.e. 0 A 198.51.100.2\n"
		"c.e. 0 A 198.51.100.3\n"
		"d.e. 0 A 198.51.100.4\n"
		"e.e. 45 A 198.51.100.5\n");
	zone_kit_records(
		"a 0 A 198.51.100.1\nb A 198.51.100.2\n", /* the last one counts, RFC 1035 sec 5.1 */
		"a.e. 0 A 198.51.100.1\nb.e. 0 A 198.51.100.2\n");
}

TEST(units_of_time_are_read_in_ttls_and_in_the_soa)
{
	zone_kit_records("$TTL 2H15m\n"
			 "@\tSOA\tns hostmaster (\n"
			 "\t\t31\t; serial\n"
			 "\t\t1d12h\t; refresh\n"
			 "\t\t90M\t; retry\n"
			 "\t\t4W ; expire\n"
			 "\t\t1h1s )\n"
			 "\tNS\tns\n"
			 "ns\t1W2D3H4M5S\tA\t198.51.100.53\n"
			 "\tAAAA\t2001:db8:7::53\n",
		"e. 8100 SOA ns.e. hostmaster.e. 31 129600 5400 2419200 3601\n"
		"e. 8100 NS ns.e.\n"
		"ns.e. 788645 A 198.51.100.53\n"
		"ns.e. 8100 AAAA 2001:db8:7::53\n");
}

TEST(an_entry_without_type_or_data_is_an_error_and_not_nothing)
{
	check_refused("host 60 IN\n", "1:11: the entry ends too soon (expected a TTL, a class or "
				      "an RR type)\n");
	check_refused(
		"host\n", "1:5: the entry ends too soon (expected a TTL, a class or an RR type)\n");
	check_refused("host 60 A\n", "1:10: the entry ends too soon (expected an IPv4 address)\n");
	check_refused("host 60 A ; 198.51.100.1\n",
		"1:25: the entry ends too soon (expected an IPv4 address)\n");
	check_refused("host 60 IN A 198.51.100.1 198.51.100.2\n",
		"1:27: '198.51.100.2' is not expected here: the RDATA is complete\n");
}

/* Where files and lines end. */

TEST(the_last_line_needs_no_end_wherever_the_text_stops)
{
	static char text[4 * SCAN_BLOCK];
	static const char last[] = "last 60 A 198.51.100.77";

	for (uint32_t pad = 1; pad <= 2 * SCAN_BLOCK; pad++) {
		memset(text, 'x', pad);
		text[0] = ';';
		text[pad] = '\n';
		memcpy(text + pad + 1, last, sizeof(last));
		KIT_NOTE(text);
		uint32_t len = pad + sizeof(last);
		zone_kit_read((const char *)kit_guarded(text, len), len);
		CHECK_S(zone_kit.diags, "");
		CHECK_S(zone_kit.records, "last.e. 60 A 198.51.100.77\n");
		/* One octet less is another address, and no other record. */
		zone_kit_read((const char *)kit_guarded(text, len - 1), len - 1);
		CHECK_S(zone_kit.records, "last.e. 60 A 198.51.100.7\n");
	}
}

TEST(a_quoted_string_may_be_the_last_of_the_text)
{
	static char text[4 * SCAN_BLOCK];

	for (uint32_t pad = 0; pad <= 2 * SCAN_BLOCK; pad++) {
		uint32_t len = (uint32_t)sprintf(text, "last 60 TXT \"%*s\"", (int)pad, "");
		zone_kit_read((const char *)kit_guarded(text, len), len);
		CHECK_S(zone_kit.diags, "");
		CHECK_U(zone_kit.rdata_len, pad + 1);
		zone_kit_read((const char *)kit_guarded(text, len - 1), len - 1);
		CHECK_S(zone_kit.diags, "1:13: the string that opens here has no closing quote\n");
	}
}

TEST(a_file_that_ends_with_a_page_is_read_to_its_end)
{
	static char text[2 * PAGE + 1];
	static const char last[] = "\nlast 60 A 198.51.100.77";

	for (uint32_t len = PAGE - 1; len <= 2 * PAGE + 1; len += len == PAGE + 1 ? PAGE - 2 : 1) {
		memset(text, ';', len);
		memcpy(text + len - (sizeof(last) - 1), last, sizeof(last) - 1);
		zone_kit_read_file(kit_temp_file(text, len));
		CHECK_S(zone_kit.diags, "");
		CHECK_S(zone_kit.records, "last.e. 60 A 198.51.100.77\n");
	}
}

TEST(a_carriage_return_before_a_line_feed_is_no_data)
{
	zone_kit_records("$ORIGIN sub\r\n"
			 "$TTL 60\r\n"
			 "host A 198.51.100.1\r\n"
			 "note TXT last ; word\r\n"
			 "note TXT word\r\n"
			 "post MX (\r\n"
			 "\t5 ; first\r\n"
			 "\trelay\r\n"
			 "\t)\r\n"
			 "\r\n"
			 "end NS host\r\n",
		"host.sub.e. 60 A 198.51.100.1\n"
		"note.sub.e. 60 TXT \"last\"\n"
		"note.sub.e. 60 TXT \"word\"\n"
		"post.sub.e. 60 MX 5 relay.sub.e.\n"
		"end.sub.e. 60 NS host.sub.e.\n");
}

/* $INCLUDE: RFC 1035 sec 5.1; files are looked for beside the one that includes them. */

static char folder[64];
static const char *const file_names[] = {"top", "part", "other part", "nested"};

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(path_of(name), "wb");

	CHECK(file != NULL && fwrite(text, 1, strlen(text), file) == strlen(text));
	CHECK(fclose(file) == 0);
}

static void make_folder(void)
{
	strcpy(folder, "/tmp/saker-test-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
}

static void remove_folder(void)
{
	for (size_t i = 0; i < sizeof(file_names) / sizeof(file_names[0]); i++) {
		unlink(path_of(file_names[i]));
	}
	rmdir(folder);
}

TEST(an_included_file_leaves_origin_and_owner_as_they_were)
{
	static const char *const origins[] = {"branch", "branch.e."};
	static const char want[] = "front.e. 60 A 198.51.100.1\n"
				   "a.leaf.branch.e. 60 A 198.51.100.2\n"
				   "b.leaf.branch.e. 60 A 198.51.100.3\n"
				   "front.e. 60 A 198.51.100.4\n"
				   "back.e. 60 A 198.51.100.5\n";
	char text[256];

	make_folder();
	write_file("part", "$ORIGIN leaf\na A 198.51.100.2\nb A 198.51.100.3\n");
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
		snprintf(text, sizeof(text),
			"$TTL 60\nfront A 198.51.100.1\n$INCLUDE part %s\n\tA 198.51.100.4\n"
			"back A 198.51.100.5\n",
			origins[i]);
		write_file("top", text);
		zone_kit_read_file(path_of("top"));
		CHECK_S(zone_kit.diags, "");
		CHECK_S(zone_kit.records, want);
	}
	remove_folder();
}

TEST(a_file_included_by_an_included_file_leaves_its_origin_too)
{
	make_folder();
	write_file("top", "$TTL 60\n$INCLUDE part one\nlast A 198.51.100.1\n");
	write_file("part", "$INCLUDE nested two\nmiddle A 198.51.100.2\n");
	write_file("nested", "$ORIGIN three\ninner A 198.51.100.3\n");
	zone_kit_read_file(path_of("top"));
	CHECK_S(zone_kit.diags, "");
	CHECK_S(zone_kit.records, "inner.three.two.one.e. 60 A 198.51.100.3\n"
				  "middle.one.e. 60 A 198.51.100.2\n"
				  "last.e. 60 A 198.51.100.1\n");
	remove_folder();
}

TEST(a_ttl_set_in_an_included_file_holds_behind_it)
{
	make_folder();
	write_file("top", "$TTL 60\n$INCLUDE part\nlast A 198.51.100.1\n");
	write_file("part", "a A 198.51.100.2\n$TTL 7\nb A 198.51.100.3\n");
	zone_kit_read_file(path_of("top"));
	CHECK_S(zone_kit.diags, "");
	CHECK_S(zone_kit.records, "a.e. 60 A 198.51.100.2\nb.e. 7 A 198.51.100.3\n"
				  "last.e. 7 A 198.51.100.1\n");
	remove_folder();
}

TEST(a_comment_behind_the_name_of_a_file_is_not_part_of_it)
{
	make_folder();
	write_file("top", "$TTL 60\n$INCLUDE part;first\n$INCLUDE \"other part\";second\n"
			  "$INCLUDE part twice;third\nlast A 198.51.100.1\n");
	write_file("part", "a A 198.51.100.2\n");
	write_file("other part", "b A 198.51.100.3\n");
	zone_kit_read_file(path_of("top"));
	CHECK_S(zone_kit.diags, "");
	CHECK_S(zone_kit.records, "a.e. 60 A 198.51.100.2\n"
				  "b.e. 60 A 198.51.100.3\n"
				  "a.twice.e. 60 A 198.51.100.2\n"
				  "last.e. 60 A 198.51.100.1\n");
	remove_folder();
}

/* $GENERATE has no RFC; what BIND reads is what people write. */

TEST(width_and_base_of_a_generated_number_may_be_left_out)
{
	zone_kit_records("$TTL 60\n"
			 "$GENERATE 98-100 pc${0,3} A 198.51.100.$\n"
			 "$GENERATE 3-4 up${100} A 198.51.100.${20}\n"
			 "$GENERATE 10-16/3 by$ A 198.51.100.$\n"
			 "$GENERATE 64-64 o${0,4,o} A 198.51.100.$\n"
			 "$GENERATE 171-171 x${0,3,x} A 198.51.100.$\n"
			 "$GENERATE 171-171 X${0,3,X} A 198.51.100.$\n"
			 "$GENERATE 5-5 down${-5} A 198.51.100.$\n"
			 "$GENERATE 6-6 cash\\$ A 198.51.100.$\n",
		"pc098.e. 60 A 198.51.100.98\npc099.e. 60 A 198.51.100.99\n"
		"pc100.e. 60 A 198.51.100.100\n"
		"up103.e. 60 A 198.51.100.23\nup104.e. 60 A 198.51.100.24\n"
		"by10.e. 60 A 198.51.100.10\nby13.e. 60 A 198.51.100.13\n"
		"by16.e. 60 A 198.51.100.16\n"
		"o0100.e. 60 A 198.51.100.64\n"
		"x0ab.e. 60 A 198.51.100.171\nX0AB.e. 60 A 198.51.100.171\n"
		"down0.e. 60 A 198.51.100.5\n"
		"cash\\$.e. 60 A 198.51.100.6\n");
}

TEST(a_range_out_of_reason_is_refused_before_its_first_record)
{
	check_refused("$GENERATE 20-10 h$ 60 A 198.51.100.1\n",
		"1:11: a range that starts above its stop\n");
	check_refused("$GENERATE 1-18446744073709551615 h$ 60 A 198.51.100.1\n",
		"1:11: a bad range (expected start-stop or start-stop/step, up to 2147483647)\n");
	check_refused("$GENERATE 0-2147483647 h$ 60 A 198.51.100.1\n",
		"1:11: a range that makes too many records (expected at most 4194304 in a zone)\n");
	check_refused("$GENERATE 1-9/0 h$ 60 A 198.51.100.1\n",
		"1:11: a range with step 0 (expected 1 or more)\n");
	check_refused("$GENERATE 1-2 h${0,4000000000} 60 A 198.51.100.1\n",
		"1:1: in the line for 1: a bad width (expected ${offset,width}, width 0 to 255)\n");
	/* A width that is allowed makes a label that is not. */
	check_refused("$GENERATE 1-2 h${0,200} 60 A 198.51.100.1\n",
		"1:1: in the line for 1: a bad domain name: label is longer than 63 octets\n");
}

/* RDATA of single types. */

TEST(a_comma_in_a_protocol_name_survives_both_rounds_of_unescaping)
{
	/* RFC 9460 sec 7.1.1 and appendix A.1: first the string, then the list. */
	static const uint8_t want[] = {0, 2, 0, 0, 1, 0, 8, 4, 'f', ',', 'o', 'o', 2, 'h', '2'};
	static const char *const same[] = {"@ 60 SVCB 2 . alpn=\"f\\\\,oo,h2\"\n",
		"@ 60 HTTPS 2 . alpn=f\\\\,oo,h2\n", "@ 60 SVCB 2 . alpn=f\\092,oo,h2\n",
		"@ 60 SVCB 2 . alpn=f\\092\\044oo\\044h2\n"};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		check_rdata(same[i], want, sizeof(want));
	}
	/* One round is spent on the string: a comma that only it escapes separates. */
	check_rdata("@ 60 SVCB 2 . alpn=f\\,oo,h2\n",
		BYTES(0, 2, 0, 0, 1, 0, 8, 1, 'f', 2, 'o', 'o', 2, 'h', '2'));
	check_rdata("@ 60 HTTPS 2 . alpn=h2,h3\n",
		BYTES(0, 2, 0, 0, 1, 0, 6, 2, 'h', '2', 2, 'h', '3'));
}

TEST(an_empty_protocol_name_and_an_empty_list_are_refused)
{
	check_refused("@ 60 SVCB 2 . alpn=\"h2,,h3\"\n",
		"1:20: 'h2,,h3' is not a list of protocols (expected none of them empty)\n");
	check_refused("@ 60 HTTPS 2 . alpn=,\n",
		"1:21: ',' is not a list of protocols (expected none of them empty)\n");
	check_refused("@ 60 SVCB 2 . alpn=\n",
		"1:20: '' is not a list of protocols (expected none of them empty)\n");
	check_refused("@ 60 SVCB 2 . alpn=\"\"\n",
		"1:20: '' is not a list of protocols (expected none of them empty)\n");
	check_refused(
		"@ 60 SVCB 2 . alpn\n", "1:19: a key without its value (expected alpn=...)\n");
}

TEST(what_a_loc_leaves_out_has_its_default)
{
	/* RFC 1876 sec 2 and 3: 1 m, 10000 m, 10 m; 2^31 thousandths of a second are 0; 100000 m are 0. */
	check_rdata("@ 60 LOC 0 N 0 E 0m\n",
		BYTES(0, 0x12, 0x16, 0x13, 0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0x98, 0x96, 0x80));
	/* 52 30 0 N = 189,000,000; 13 24 30.25 W = 48,270,250; -12.5 m, sizes 300 m and the defaults */
	check_rdata("@ 60 LOC 52 30 N 13 24 30.25 W -12.5m 300m\n",
		BYTES(0, 0x34, 0x16, 0x13, 0x8b, 0x43, 0xe9, 0x40, 0x7d, 0x1f, 0x74, 0x56, 0, 0x98,
			0x91, 0x9e));
	/* 33 51 35.9 S = 121,895,900; 151 12 40 E = 544,360,000; the last value counts without its unit */
	check_rdata("@ 60 LOC 33 51 35.9 S 151 12 40 E 58.25m 2m 40m 5\n",
		BYTES(0, 0x22, 0x43, 0x52, 0x78, 0xbc, 0x04, 0x24, 0xa0, 0x72, 0x46, 0x40, 0, 0x98,
			0xad, 0x41));
}

#define BAD_LATITUDE                                                                               \
	"is not part of a latitude (expected degrees to 90, minutes and seconds below 60, N or "   \
	"S)\n"
#define BAD_LONGITUDE                                                                              \
	"is not part of a longitude (expected degrees to 180, minutes and seconds below 60, E or " \
	"W)\n"

TEST(a_loc_out_of_range_or_without_blanks_is_refused)
{
	check_refused("@ 60 LOC 95 S 0 E 0m\n", "1:10: '95' " BAD_LATITUDE);
	check_refused("@ 60 LOC 0 N 181 W 0m\n", "1:14: '181' " BAD_LONGITUDE);
	check_refused("@ 60 LOC 45 60 N 0 E 0m\n", "1:13: '60' " BAD_LATITUDE);
	check_refused("@ 60 LOC 45 0 60 N 0 E 0m\n", "1:15: '60' " BAD_LATITUDE);
	check_refused("@ 60 LOC 45N 7E 0m\n", "1:10: '45N' " BAD_LATITUDE);
}

TEST(each_part_of_an_angle_has_its_own_limit)
{
	/* RFC 1876 sec 3 lets 59 minutes and 59.999 seconds stand behind 90 degrees, too. */
	check_rdata("@ 60 LOC 90 59 59.999 N 0 E 0m\n",
		BYTES(0, 0x12, 0x16, 0x13, 0x93, 0x86, 0xc7, 0x7f, 0x80, 0, 0, 0, 0, 0x98, 0x96,
			0x80));
	check_refused("@ 60 LOC 89 59 60.000 N 0 E 0m\n", "1:16: '60.000' " BAD_LATITUDE);
}

TEST(two_backslashes_in_a_rewrite_rule_are_one_on_the_wire_and_two_again_in_text)
{
	static const char text[] = "\"!^sip:(.+)@(.+)$!\\\\2-\\\\1!\"";
	static const char octets[] = "!^sip:(.+)@(.+)$!\\2-\\1!";
	static char line[256], again[RDATA_TEXT_MAX];

	/* RFC 3403 sec 4.1 */
	snprintf(line, sizeof(line), "@ 60 NAPTR 1 2 \"u\" \"E2U\" (\n %s . )\n", text);
	zone_kit_read(line, strlen(line));
	CHECK_S(zone_kit.diags, "");
	CHECK_U(zone_kit.rdata[10], sizeof(octets) - 1);
	CHECK_OCTETS(zone_kit.rdata + 11, zone_kit.rdata_len - 12, octets, sizeof(octets) - 1);
	rdata_text_print(RRTYPE_NAPTR, zone_kit.rdata, zone_kit.rdata_len, again, sizeof(again));
	CHECK(strstr(again, text) != NULL);
}

TEST(quotes_around_a_string_are_not_its_data)
{
	check_rdata("@ 60 HINFO \"RISC V\" linux\n",
		BYTES(6, 'R', 'I', 'S', 'C', ' ', 'V', 5, 'l', 'i', 'n', 'u', 'x'));
	check_rdata("@ 60 HINFO \"\" \"\\\"\"\n", BYTES(0, 1, '"'));
}

TEST(an_address_prefix_is_cut_behind_its_last_octet_that_is_not_zero)
{
	/* RFC 3123 sec 4, whatever the prefix length says */
	check_rdata("@ 60 APL 1:172.16.0.0/12\n", BYTES(0, 1, 12, 2, 172, 16));
	check_rdata("@ 60 APL !1:198.0.2.0/4\n", BYTES(0, 1, 4, 0x83, 198, 0, 2));
	check_rdata("@ 60 APL 2:2001:db8:40::/44\n",
		BYTES(0, 2, 44, 6, 0x20, 0x01, 0x0d, 0xb8, 0, 0x40));
	check_rdata("@ 60 APL !2:::1/0 1:0.0.0.0/0\n",
		BYTES(0, 2, 0, 0x90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0));
	check_rdata("@ 60 APL !2:::/0\n", BYTES(0, 2, 0, 0x80));
}

TEST(a_list_of_address_prefixes_may_be_empty)
{
	zone_kit_records(
		"@ 60 APL\nnext 60 A 198.51.100.1\n", "e. 60 APL \nnext.e. 60 A 198.51.100.1\n");
}

TEST(an_address_prefix_is_no_longer_than_its_family)
{
	static const char *const bad[] = {
		"1:172.16.0.0/33", "2:2001:db8::/129", "1:2001:db8::/32", "7:172.16.0.0/12"};
	char text[64], diags[256];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "@ 60 APL %s\n", bad[i]);
		snprintf(diags, sizeof(diags),
			"1:10: '%s' is not an address prefix (expected [!]1:IPv4/0 to 32 or "
			"[!]2:IPv6/0 to 128)\n",
			bad[i]);
		check_refused(text, diags);
	}
}

/* test_reading.c - however a text is cut, by windows or into pieces, the same comes out: records, complaints, their places
 * and their order.
 *
 * What one window that holds all of the text gives is the measure; the texts of test_zonefile.c say that it is right.
 */
#include "zonefile/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "os/textwindow.h"
#include "zonefile/zonefile.h"

#define LOG_MAX  (1u << 20)
#define TEXT_MAX (1u << 14)
#define PARTS    4u
#define RECORDS  (1u << 12)

static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};

/* What came of a reading, in the order in which it counts. */
struct log {
	enum status status;
	size_t len;
	char text[LOG_MAX];
};

static struct log expected, got;
static uint32_t pieces_joined; /* by the last reading in pieces, but for those in order */

static void put(struct log *log, const char *line)
{
	size_t len = strlen(line);

	CHECK(log->len + len < LOG_MAX);
	memcpy(log->text + log->len, line, len + 1);
	log->len += len;
}

static void describe(const struct zonefile_record *record, char *out, size_t cap)
{
	char owner[NAME_TEXT_MAX];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < record->rdata_len; i++) {
		sum = sum * 31 + record->rdata[i];
	}
	snprintf(out, cap, "%s %u %u %u/%u %s", name_to_text(record->owner, owner), record->ttl,
		record->type, record->rdata_len, sum, record->file);
}

static enum status log_record(void *context, const struct zonefile_record *record)
{
	char text[NAME_TEXT_MAX + 256], line[NAME_TEXT_MAX + 300];

	describe(record, text, sizeof(text));
	snprintf(line, sizeof(line), "%s %u:%u\n", text, record->line, record->column);
	put(context, line);
	return STATUS_OK;
}

static void log_diag(void *context, const struct diag *diag)
{
	char line[DIAG_TEXT_MAX + 256];

	snprintf(line, sizeof(line), "%s %s:%u:%u: %s\n",
		diag->level == DIAG_ERROR ? "error" : "warning", diag->file, diag->line,
		diag->column, diag->text);
	put(context, line);
}

static void read_windows(const char *text, size_t len, size_t window_len, struct log *log)
{
	const struct zonefile_sink sink = {
		.record = log_record, .context = log, .diag = {log_diag, log}};
	const struct reading reading = {
		.path = "z", .origin = &origin, .sink = &sink, .window_len = window_len};
	const struct textsource source = textsource_of(text, len);

	log->len = 0;
	log->text[0] = '\0';
	log->status = reading_run(&reading, &source);
}

/* What the threads of a reading in pieces gave, each its own. */
struct part_record {
	char *text; /* owns */
	uint32_t line, column;
};

static struct {
	struct part_record records[PARTS][RECORDS];
	uint32_t counts[PARTS];
	char diags[LOG_MAX];
	size_t diags_len;
	struct log *log;
} parted;

static enum status part_record(void *context, uint32_t part, const struct zonefile_record *record)
{
	char text[NAME_TEXT_MAX + 256];

	(void)context;
	CHECK(parted.counts[part] < RECORDS);
	describe(record, text, sizeof(text));
	parted.records[part][parted.counts[part]++] = (struct part_record){
		.text = strdup(text), .line = record->line, .column = record->column};
	return STATUS_OK;
}

static enum status order_record(void *context, const struct zonefile_record *record)
{
	return part_record(context, 0, record);
}

static uint64_t part_mark(void *context, uint32_t part)
{
	(void)context;
	return parted.counts[part];
}

static enum status part_join(void *context, const struct zonefile_piece *piece)
{
	char line[NAME_TEXT_MAX + 300];

	(void)context;
	for (uint64_t i = piece->from; i < piece->to; i++) {
		const struct part_record *record = &parted.records[piece->part][i];
		snprintf(line, sizeof(line), "%s %u:%u\n", record->text,
			record->line + piece->lines_before, record->column);
		put(parted.log, line);
	}
	pieces_joined += piece->part != 0 || piece->lines_before != 0;
	return STATUS_OK;
}

static void order_diag(void *context, const struct diag *diag)
{
	struct log *log = context;
	size_t before = log->len;

	log_diag(log, diag);
	/* Complaints stand before the records of their piece there; keep them apart. */
	size_t len = log->len - before;
	memcpy(parted.diags + parted.diags_len, log->text + before, len + 1);
	parted.diags_len += len;
	log->len = before;
	log->text[before] = '\0';
}

static void read_pieces(
	const char *text, size_t len, size_t piece_len, uint32_t threads, struct log *log)
{
	const struct zonefile_sink sink = {.record = order_record, .diag = {order_diag, log}};
	const struct zonefile_parts parts = {
		.count = threads, .record = part_record, .mark = part_mark, .join = part_join};
	const struct reading reading = {.path = "z",
		.origin = &origin,
		.sink = &sink,
		.parts = &parts,
		.window_len = 64,
		.piece_len = piece_len};
	const struct textsource source = textsource_of(text, len);

	log->len = 0;
	log->text[0] = '\0';
	parted.diags_len = 0;
	parted.diags[0] = '\0';
	parted.log = log;
	pieces_joined = 0;
	log->status = reading_run(&reading, &source);
	put(log, parted.diags);
	for (uint32_t part = 0; part < PARTS; part++) {
		while (parted.counts[part] > 0) {
			free(parted.records[part][--parted.counts[part]].text);
		}
	}
}

/* The records of a log, then its complaints, as read_pieces() has them. */
static void complaints_last(struct log *log)
{
	static char records[LOG_MAX], diags[LOG_MAX];
	size_t records_len = 0, diags_len = 0;

	for (const char *at = log->text; *at != '\0';) {
		const char *end = strchr(at, '\n') + 1;
		size_t len = (size_t)(end - at);
		bool is_diag = strncmp(at, "error ", 6) == 0 || strncmp(at, "warning ", 8) == 0;
		memcpy(is_diag ? diags + diags_len : records + records_len, at, len);
		*(is_diag ? &diags_len : &records_len) += len;
		at = end;
	}
	memcpy(log->text, records, records_len);
	memcpy(log->text + records_len, diags, diags_len);
}

/* Every construct once, with all that may stand astride an edge. */
static const char construct_text[] =
	"\xef\xbb\xbf$ORIGIN a.e.\n"
	"$TTL 1h ; one \" hour ( \n"
	"@ IN SOA ns host ( 1 ; \"serial\"\n"
	"\t2 3\n"
	"\n"
	" 4 5 ) ; done\n"
	"\tNS ns\n"
	"ns 300 IN A 192.0.2.1\n"
	"   \t AAAA 2001:db8::1\n"
	"same A 192.0.2.2\r\nsame A 192.0.2.3\r\nsame TXT \"a \\\" b\nover lines ( ; \\\\\n\" ( "
	"\"x\"y\n \"z\" )\n"
	"\\097\\.b A 192.0.2.4\n"
	"( paren 5 A 192.0.2.5 )\n"
	"(\nlater 5 A (192.0.2.5\n)) \n"
	"$GENERATE 1-3 g$ A 192.0.2.$\n"
	"$GENERATE 1-2 h$ TXT ( \"$\n\" )\n"
	"$ORIGIN b\n"
	"x 4294967295 A 192.0.2.6\n"
	"bad A 192.0.2.256\n"
	"bad2 A ( 192.0.2.256\n 1 2 3 \n ) \n"
	"u TYPE65280 \\# 3 ( 01\n 02 03 )\n"
	"u HIP 2 ( 200100107B1A74DF365639CC39F1D578\n AwEAAbdxyhNu ) rvs1\n"
	"long TXT \"0123456789012345678901234567890123456789012345678901234567890123456789\" "
	"\"b\"\n"
	"nul TXT a \"\n\"\n"
	"back \\\nslash A 192.0.2.7\n"
	"$UNKNOWN x ( \n ) \n"
	"$TTL 99\n"
	"y A 192.0.2.8\n"
	"  TXT \"open\n ";

TEST(every_window_gives_the_same)
{
	size_t len = sizeof(construct_text) - 1;

	read_windows(construct_text, len, len + 1, &expected);
	CHECK_U(expected.status, STATUS_REFUSED);
	CHECK(strstr(expected.text, "closing quote") != NULL);
	CHECK(strstr(expected.text, "h2.a.e.") != NULL);
	CHECK(strstr(expected.text, "warning z:") != NULL);
	for (size_t window_len = 1; window_len <= len; window_len++) {
		read_windows(construct_text, len, window_len, &got);
		CHECK_U(got.status, expected.status);
		CHECK_S(got.text, expected.text);
	}
}

TEST(an_entry_may_be_longer_than_any_window)
{
	static char text[1u << 20];
	size_t len = (size_t)snprintf(text, sizeof(text), "a 1 TXT ( ");

	while (len < sizeof(text) - 100) {
		len += (size_t)snprintf(text + len, 100, "; comment ) \"\n\n");
	}
	len += (size_t)snprintf(text + len, 100, "x )\nb 1 A 192.0.2.256\n");
	read_windows(text, len, sizeof(text) + 1, &expected);
	CHECK_U(expected.status, STATUS_REFUSED);
	CHECK(strstr(expected.text, "a.e. 1 16 2/") != NULL);
	read_windows(text, len, 4096, &got);
	CHECK_S(got.text, expected.text);
}

/* One line or entry of a random text; bad ones are rare, since each is the end of a guess. */
static size_t random_entry(char *out, size_t cap, const char *included)
{
	static const char *const plain[] = {"a%u 5 A 192.0.2.%u\n", "b%u.c NS d%u\n",
		" A 192.0.2.%u\n", "\tTXT \"t%u\" x\n", "e%u A 192.0.2.%u\r\n",
		"f%u 7 TXT \"a;b (%u\" ; c \"\n", "a1 A 192.0.2.%u ; %u\n", "a1 NS ns%u.\n"};
	static const char *const odd[] = {"m%u SOA a b ( 1 2\n 3\n4 %u )\n",
		"q%u TXT \"over\nlines%u\"\n", "\n", "; comment %u \" (\n", "$ORIGIN o%u.e.\n",
		"$TTL %u\n", "$GENERATE 1-%u g$ A 192.0.2.$\n", "(\nz%u 1 A 192.0.2.1 )\n",
		"\\097%u 1 A 192.0.2.1\n", "$ORIGIN e.\n", "p%u TXT (\na 1 A 192.0.2.1\n)\n",
		"s%u TXT \"\nb%u 1 A 192.0.2.1\n\"\n"};
	static const char *const bad[] = {"x%u A 192.0.2.256\n", "x%u BAD x\n",
		"x%u 4294967295 A 192.0.2.1\n", "x%u TXT )\n", "$NONE %u\n", "x%u A \\\n",
		"x%u A ( 1 2\n3 4 )\n", "x%u TXT ( open\n", "x%u TXT \"open\n",
		"x%u A 192.0.2.1 rest\n"};
	uint32_t kind = kit_random(100), a = 1 + kit_random(9), b = 1 + kit_random(9);
	const char *format = plain[kit_random(sizeof(plain) / sizeof(plain[0]))];

	if (kind < 2) {
		return (size_t)snprintf(out, cap, "$INCLUDE %s\n", included);
	}
	if (kind < 15) {
		format = odd[kit_random(sizeof(odd) / sizeof(odd[0]))];
	} else if (kind == 15 && kit_random(2) == 0) {
		format = bad[kit_random(sizeof(bad) / sizeof(bad[0]))];
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	return (size_t)snprintf(out, cap, format, a, b);
#pragma GCC diagnostic pop
}

static size_t random_text(char *text, const char *included)
{
	uint32_t count = 1 + kit_random(150);
	size_t len = kit_random(3) == 0 ? 0 : (size_t)snprintf(text, TEXT_MAX, "$TTL 3600\n");

	for (uint32_t i = 0; i < count && len < TEXT_MAX - 200; i++) {
		len += random_entry(text + len, TEXT_MAX - len, included);
	}
	return kit_random(4) == 0 ? len - 1 : len; /* now and then the last line is not ended */
}

TEST(windows_and_pieces_of_random_texts_give_the_same)
{
	static const char included[] = "$TTL 77\ni A 192.0.2.77\n$ORIGIN in.\nj NS k\n";
	static char text[TEXT_MAX];
	const char *path = kit_temp_file(included, sizeof(included) - 1);
	uint32_t good = 0, refused = 0, joined = 0;

	for (uint32_t round = 0; round < 3000; round++) {
		size_t len = random_text(text, path);
		read_windows(text, len, sizeof(text), &expected);
		read_windows(text, len, 1 + kit_random(200), &got);
		CHECK_U(got.status, expected.status);
		CHECK_S(got.text, expected.text);
		complaints_last(&expected);
		for (uint32_t cut = 0; cut < 3; cut++) {
			read_pieces(text, len, 1 + kit_random(300), 1 + kit_random(PARTS), &got);
			CHECK_U(got.status, expected.status);
			CHECK_S(got.text, expected.text);
			joined += pieces_joined;
		}
		good += expected.status == STATUS_OK;
		refused += expected.status == STATUS_REFUSED;
	}
	/* Or the texts test one half only, or the pieces are all read in order. */
	CHECK(good > 500);
	CHECK(refused > 500);
	CHECK(joined > 10000);
}

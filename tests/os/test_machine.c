/* test_machine.c - the command line as a shell reads it. */
#include "os/machine.h"

#include <string.h>

#include "kit/kit.h"

TEST(words_are_quoted_where_a_shell_needs_it)
{
	const struct {
		const char *words;
		size_t len;
		const char *text;
	} cases[] = {
		{"", 0, ""},
		{"saker", 6, "saker"},
		{"saker\0bench\0-d\0a b", 19, "saker bench -d 'a b'"},
		{"saker\0\0x", 9, "saker '' x"},
		{"it's", 5, "'it'\\''s'"},
		{"$x\0`y`\0*", 9, "'$x' '`y`' '*'"},
		{"a\nb", 4, "'a?b'"},
		{"cut", 2, "cu"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];

		KIT_NOTE(cases[i].text);
		machine_quote(cases[i].words, cases[i].len, text, sizeof(text));
		CHECK_S(text, cases[i].text);
	}
}

TEST(what_does_not_fit_is_cut)
{
	char text[8];

	machine_quote("12345\000678", 10, text, sizeof(text));
	CHECK_S(text, "12345 6");
	machine_quote("a b c d e f", 12, text, sizeof(text));
	CHECK_S(text, "'a b c ");
	machine_quote("x", 2, text, 1);
	CHECK_S(text, "");
}

TEST(this_machine_tells_of_itself)
{
	static struct machine machine;

	machine_read(&machine);
	CHECK(strncmp(machine.kernel, "Linux ", 6) == 0);
	CHECK(machine.processors >= 1);
	CHECK(machine.memory >= 1u << 24);
	CHECK(strstr(machine.command, "test_machine") != NULL);
}

"""tools/check_style.py finds one offence of each rule, names its line, and lets what is allowed pass."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))
import tap  # noqa: E402

CHECKER = pathlib.Path(__file__).resolve().parents[2] / "tools/check_style.py"
FORMAT = CHECKER.parent.parent / ".clang-format"


def complaints(**files):
    """Runs the checker over files given as folder__name_c="text"."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / ".clang-format").write_text(FORMAT.read_text())
        for name, text in files.items():
            path = root / "src" / (name.replace("__", "/")[:-2] + "." + name[-1])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
        lines = done.stdout.splitlines()
        tap.equal(done.returncode, 0 if lines[0].startswith("style: ok") else 1, done.stderr)
        return [line.split(": ")[:2] for line in lines] if done.returncode else []


@tap.case
def visible_names_carry_the_file_s_name():
    text = "int lark_sing(void)\n{\n\treturn 1;\n}\n\nint croak(void)\n{\n\treturn 0;\n}\n\nint feather = 1;\n"
    tap.equal(complaints(wire__lark_c=text), [["src/wire/lark.c:6", "rule 3"], ["src/wire/lark.c:11", "rule 3"]])
    tap.equal(complaints(wire__lark_c="static int croak(void)\n{\n\treturn 0;\n}\n\nint lark(void)\n{\n"
                                      "\treturn croak();\n}\n"), [])


@tap.case
def a_header_includes_what_it_uses():
    tap.equal(complaints(wire__lark_h="void lark_sing(uint32_t song);\n"), [["src/wire/lark.h:1", "rule 9"]])
    tap.equal(complaints(wire__lark_h="#include <stdint.h>\nvoid lark_sing(uint32_t song);\n"), [])


@tap.case
def macros_do_not_leave():
    text = "#define TRY(x)                                                                                     \\\n" \
           "\tif (x)                                                                                     \\\n" \
           "\treturn\n"
    tap.equal(complaints(wire__lark_c=text), [["src/wire/lark.c:3", "rule 13"]])
    tap.equal(complaints(wire__lark_c='#define NEST "return"\n'), [])


@tap.case
def slashes_and_bare_todos_are_found():
    text = 'static const char *const s = "http://nest.test";\n// soon\n/* TODO: later */\n/* TODO(#7): later */\n'
    tap.equal(complaints(wire__lark_c=text), [["src/wire/lark.c:2", "rule 32"], ["src/wire/lark.c:3", "rule 32"]])


@tap.case
def conditionals_live_where_the_kernel_does():
    text = "#ifdef NEST\n#endif\n"
    tap.equal(complaints(wire__lark_c=text), [["src/wire/lark.c:1", "rule 36"]])
    tap.equal(complaints(os__lark_c=text, wire__lark_avx2_c=text), [])
    tap.equal(complaints(wire__lark_h="#ifndef LARK_H\n#define LARK_H\n#endif\n"), [])


@tap.case
def form_is_clang_format_s():
    tap.equal(complaints(wire__lark_c="static int  x;\n"), [["src/wire/lark.c:1", "rule 34"]])


tap.main()

#!/usr/bin/env python3
"""Fail when a source file breaks one of the rules of STYLE.md that a program can see.

   3   a function or object visible outside its .c file starts with the file's basename (src)
   9   a header compiles alone
  13   no macro contains return, break, goto or continue
  32   no // comments; TODO names an issue: TODO(#12): text
  34   clang-format has nothing to change
  36   #if only in os/, base/check.h, base/publish.h and files made for one processor (src)

Floors, fences and unique basenames are check_floors.py's. usage: check_style.py [ROOT]
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDERS = ("src", "tests", "fuzz")
IF_FILES = {"base/check.h", "base/publish.h", "base/publish.c"}
IF_SUFFIXES = ("_avx2", "_avx512", "_sse2", "_neon", "_scalar")
WORKERS = max(2, os.cpu_count() or 2)
FILES_A_CALL = 16  # of a compiler or clang-format: starting one costs as much as a file

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
bad = []


def report(path, line, rule, what):
    bad.append(f"{path.relative_to(root)}:{line}: rule {rule}: {what}")


def blank(match):
    """What was matched, as blanks: offsets and lines stay."""
    return re.sub(r"[^\n]", " ", match[0])


TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)


def split(text):
    """-> the code with comments and the insides of strings blanked, the comments with their lines."""
    comments = []

    def keep(match):
        token = match[0]
        if token.startswith("/"):
            comments.append((text.count("\n", 0, match.start()) + 1, token))
            return blank(match)
        return token[0] + " " * (len(token) - 2) + token[-1]

    return TOKEN.sub(keep, text), comments


def check_comments(path, comments):
    for line, comment in comments:
        if comment.startswith("//"):
            report(path, line, 32, "a // comment")
        for found in re.finditer(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\): )", comment):
            report(path, line + comment.count("\n", 0, found.start()), 32, f"{found[1]} without TODO(#issue): text")


def check_macros(path, code):
    for macro in re.finditer(r"^[ \t]*#[ \t]*define\b((?:[^\n]*\\\n)*[^\n]*)", code, re.M):
        for word in re.finditer(r"\b(return|break|goto|continue)\b", macro[1]):
            report(path, code.count("\n", 0, macro.start(1) + word.start()) + 1, 13, f"a macro contains {word[1]}")


def check_conditionals(path, code):
    inside = path.relative_to(root / "src")
    if inside.parts[0] == "os" or str(inside) in IF_FILES or path.stem.endswith(IF_SUFFIXES):
        return
    guard = re.search(r"#[ \t]*ifndef[ \t]+(\w+)\n#[ \t]*define[ \t]+\1\n", code) if path.suffix == ".h" else None
    for found in re.finditer(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)\b", code, re.M):
        if guard is None or found.start() != guard.start():
            report(path, code.count("\n", 0, found.start()) + 1, 36, f"#{found[1]} here")


WORDS = r"(?:\b(?:MUST_USE|HOT|COLD|NORETURN|PRINTF\([^)]*\)|__attribute__\(\(.*?\)\)|_Alignas\([^)]*\))\s*)"
FUNCTION = re.compile(r"^(?!static\b|typedef\b|extern\b|TEST\b|#)(?:[A-Za-z_][\w ]*[\s*]+)(\w+)\((?:[^;{}]|\n)*\)\s*\n\{", re.M)
OBJECT = re.compile(r"^(?!static\b|typedef\b|extern\b|return\b|#)(?:[A-Za-z_][\w ]*[\s*]+)(\w+)(?:\[[^\]]*\])*\s*(?:=|;)", re.M)


def check_names(path, code):
    if path.suffix != ".c":
        return
    code = re.sub(WORDS, blank, code, flags=re.S)
    outside = re.sub(r"^\{.*?^\}", blank, code, flags=re.M | re.S)  # bodies of functions, of initialisers too
    names = [(m.start(1), m[1]) for m in FUNCTION.finditer(code)] + [(m.start(1), m[1]) for m in OBJECT.finditer(outside)]
    for start, name in sorted(names):
        if not name.startswith(path.stem):
            report(path, code.count("\n", 0, start) + 1, 3, f"{name} is visible outside {path.name}: static, or {path.stem}_...")


def run_all(command, paths, read):
    """Runs command over groups of paths at the same time, and gives each one's output to read."""
    groups = [paths[i:i + FILES_A_CALL] for i in range(0, len(paths), FILES_A_CALL)]
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for done in pool.map(lambda group: subprocess.run([*command, *group], capture_output=True, text=True), groups):
            read(done)


def check_headers(headers):
    compiler = os.environ.get("CC", "cc").split()
    with tempfile.TemporaryDirectory() as made:
        config = pathlib.Path(made) / "base/config.h"  # what meson makes, in its plainest form
        config.parent.mkdir()
        config.write_text('#define SAKER_VERSION "0"\n#define SAKER_DEBUG 0\n')
        command = [*compiler, "-std=gnu17", "-D_GNU_SOURCE", "-fsyntax-only", "-x", "c", "-I", str(root / "src"),
                   "-I", str(root / "tests"), "-I", made]

        def read(done):
            seen = set()
            for path, line, what in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error: (.*)", done.stderr, re.M):
                if path not in seen:
                    seen.add(path)
                    bad.append(f"{os.path.relpath(path, root)}:{line}: rule 9: does not compile alone: {what}")
            if done.returncode != 0 and not seen:
                bad.append(f"{compiler[0]}: {done.stderr.strip()}")

        run_all(command, [str(h) for h in headers], read)


def check_format(paths):
    if shutil.which("clang-format") is None:
        bad.append("clang-format: rule 34: is not installed (make setup does it)")
        return

    def read(done):
        seen = set()
        for path, line in re.findall(r"^(\S+?):(\d+):\d+: (?:error|warning): code should be clang-formatted", done.stderr, re.M):
            if path not in seen:
                seen.add(path)
                bad.append(f"{os.path.relpath(path, root)}:{line}: rule 34: clang-format would change this")

    run_all(["clang-format", "--dry-run", "--Werror"], [str(p) for p in paths], read)


def main():
    paths = sorted(p for folder in FOLDERS for p in (root / folder).rglob("*.[ch]"))
    for path in paths:
        text = path.read_text()
        code, comments = split(text)
        check_comments(path, comments)
        check_macros(path, code)
        if path.is_relative_to(root / "src"):
            check_conditionals(path, code)
            check_names(path, code)
    check_headers([p for p in paths if p.suffix == ".h"])
    check_format(paths)
    print("\n".join(bad) or f"style: ok, {len(paths)} files")
    return 1 if bad else 0


sys.exit(main())

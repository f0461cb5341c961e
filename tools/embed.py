#!/usr/bin/env python3
"""Makes a C file of a page, so that the program can write it without any file beside it. usage: embed.py PAGE OUT.c

In the page, `{{FILE}}` stands for what is in FILE (relative to the page), and `{{data}}` for what the program puts
there. OUT.c defines NAME_head and NAME_tail, the octets before and behind the data, and NAME_head_len, NAME_tail_len.
"""
import pathlib
import re
import sys

page, out = map(pathlib.Path, sys.argv[1:])
name = out.stem


def include(match):
    text = (page.parent / match[1]).read_text()
    if "</script" in text.lower() or "</style" in text.lower():
        sys.exit(f"{match[1]}: would end the element that it is put into")
    return text


head, tail = re.sub(r"\{\{([\w./-]+\.\w+|[\w./-]+/LICENSE)\}\}", include, page.read_text()).split("{{data}}")
lines = [f"/* {out.name} - made from {page.name} by tools/embed.py. */", f'#include "loadgen/{name}.h"', ""]
for part, text in (("head", head), ("tail", tail)):
    octets = text.encode()
    lines.append(f"const unsigned char {name}_{part}[] = {{")
    lines += [",".join(map(str, octets[at:at + 32])) + "," for at in range(0, len(octets), 32)]
    lines += ["};", f"const size_t {name}_{part}_len = sizeof({name}_{part});", ""]
out.write_text("\n".join(lines))

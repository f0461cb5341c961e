#!/usr/bin/env python3
"""Runs the external test kits against saker, where they are.

  run_kits.py SAKER [KIT...]     KIT: conformance, parser, cases, resolver (all)

The kits lie in the folder that SAKER_KITS names (default below: the one place that knows it). Where a kit is
missing, that is said and counted as one skipped test. Disagreements that we stand by are listed in
tests/conformance/disagreements.md, each with its reason: they count as skipped, and fail once they no longer
disagree. Prints what failed, and as its last line `N passed, N failed, N skipped`.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KITS = pathlib.Path(os.environ.get("SAKER_KITS", ROOT / "../shared")).resolve()
ADAPTER, CHECKER = ROOT / "tests/kits/adapter.sh", ROOT / "tests/kits/checker.sh"
RESOLVER = ROOT / "tests/kits/resolver.sh"
LISTED = ROOT / "tests/conformance/disagreements.md"
ROW = re.compile(r"^\| *`([^`]+)` *\| *(?:`([^`]*)`)? *\|")     # | `kit:case` | `query` | reason
SHOWN_MAX = 40                                                # failures printed in full for one kit
WAIT_S = 1500


def read_listed():
    rows = (ROW.match(line) for line in LISTED.read_text().splitlines())
    return {(row[1], row[2] or "") for row in rows if row}


def run(command, cwd):
    """-> output, exit status; its standard error goes to ours. What hangs is ended with all it has started."""
    process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:
        out, _ = process.communicate(timeout=WAIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 15)
        out, _ = process.communicate()
        out += f"\nended after {WAIT_S} s"
    return out, process.returncode


def run_conformance():
    """-> (case, query, verdict, why), output for when there are none"""
    with tempfile.NamedTemporaryFile(suffix=".json") as verdicts:
        out, _ = run([KITS / "conformance/run.py", "--adapter", ADAPTER, "--max-diff", "0",
                      "--json", verdicts.name], KITS / "conformance")
        rows = json.loads(pathlib.Path(verdicts.name).read_text() or "[]")
    return [(row["case"], row["query"], row["verdict"], "\n".join(row["diff"])) for row in rows], out


def run_parser():
    with tempfile.NamedTemporaryFile(suffix=".json") as verdicts:
        out, _ = run([KITS / "conformance/parser/run_parser.py", "--checker", CHECKER, "--max-diff", "0",
                      "--json", verdicts.name], KITS / "conformance/parser")
        rows = json.loads(pathlib.Path(verdicts.name).read_text() or "[]")
    return [(row["case"], "", row["verdict"], row["why"]) for row in rows], out


def run_cases():
    """This kit prints its verdicts: a line a case, what was wanted and what came behind it."""
    out, _ = run([KITS / "cases/run.py", "--adapter", ADAPTER, "--checker", CHECKER, "-v"], KITS / "cases")
    found = []
    for line in out.splitlines():
        row = re.match(r"(PASS|FAIL|SKIP)\w* +(case-\S+) (.*)", line, re.I)
        if row:
            found.append([row[2], "", row[1].lower(), row[3]])
        elif found and line.startswith((" ", "\t")):
            found[-1][3] += "\n" + line
    return [tuple(row) for row in found], out


def peers_of(scenario, kept={}):
    """How many of the kit's four peers pass a scenario."""
    if not kept:
        for line in (KITS / "resolver-kit/kept.txt").read_text().splitlines():
            if line and not line.startswith("#"):
                name, count = line.split()
                kept[name] = int(count)
    return kept.get(scenario, 0)


def run_resolver():
    """Where fewer than two of four peers agree with a scenario, a failure is disputed. Needs namespaces of its own."""
    found, out = [], ""
    for folder in ("deckard", "unbound"):
        scenarios = sorted((KITS / "resolver-kit/scenarios" / folder).glob("*.rpl"))
        with tempfile.NamedTemporaryFile(suffix=".tsv") as verdicts:
            text, _ = run([KITS / "resolver-kit/replay.py", "--adapter", RESOLVER, "-j", "3", "--tsv", verdicts.name,
                           *scenarios], KITS / "resolver-kit")
            out += text
            for line in pathlib.Path(verdicts.name).read_text().splitlines():
                name, verdict, why = (line.split("\t") + ["", ""])[:3]
                name = f"{folder}/{name}"
                disputed = verdict == "fail" and peers_of(name) < 2
                found.append((name, "", "disputed" if disputed else verdict, why))
    return found, out


def may_make_namespaces():
    return subprocess.run(["unshare", "--net", "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0


RUNNERS = {
    "conformance": ("conformance/run.py", run_conformance),
    "parser": ("conformance/parser/run_parser.py", run_parser),
    "cases": ("cases/run.py", run_cases),
    "resolver": ("resolver-kit/replay.py", run_resolver),
}


def judge(kit, rows, listed):
    """Prints failures; -> Counter of pass, fail, skip. Disputed ones, where no answer is known to be right, are skipped."""
    counts = collections.Counter()
    ours = {(case.split(":", 1)[1], query) for case, query in listed if case.split(":")[0] == kit}
    for case, query, verdict, why in rows:
        key = (case, query)
        if key in ours:
            ours.discard(key)
            if verdict == "pass":
                verdict, why = "fail", f"listed in {LISTED.name}, and no longer disagrees: take it off the list"
            elif verdict == "fail":
                verdict = "skip"
        verdict = verdict if verdict in ("pass", "fail") else "skip"
        counts[verdict] += 1
        if verdict == "fail" and counts["fail"] <= SHOWN_MAX:
            print(f"FAILED {kit}:{case}  {query}\n    " + why.replace("\n", "\n    "))
    if counts["fail"] > SHOWN_MAX:
        print(f"... and {counts['fail'] - SHOWN_MAX} more of {kit}")
    for case, query in sorted(ours):
        counts["fail"] += 1
        print(f"FAILED {kit}:{case}  {query}\n    listed in {LISTED.name}, and not in the kit")
    return counts


def main():
    os.environ["SAKER"] = str(pathlib.Path(sys.argv[1]).resolve())
    total, listed = collections.Counter(), read_listed()
    for kit in sys.argv[2:] or RUNNERS:
        script, runner = RUNNERS[kit]
        if not (KITS / script).exists():
            print(f"{kit}: skipped, there is no {script} in the folder of the kits (SAKER_KITS)")
            total["skip"] += 1
            continue
        if kit == "resolver" and not may_make_namespaces():
            print(f"{kit}: skipped, network namespaces cannot be made here (they want root)")
            total["skip"] += 1
            continue
        rows, out = runner()
        if not rows:
            print(f"FAILED {kit}: no verdicts came\n" + out[-2000:])
            total["fail"] += 1
            continue
        counts = judge(kit, rows, listed)
        print(f"{kit}: {counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped", flush=True)
        total += counts
    print(f"{total['pass']} passed, {total['fail']} failed, {total['skip']} skipped")
    return 1 if total["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())

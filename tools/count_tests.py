#!/usr/bin/env python3
"""Sums up what the parts of a CI run have counted.

  count_tests.py meson LOG      reads a meson testlog.json, says what failed, prints `N passed, N failed, N skipped`
  count_tests.py sum FILE...    sums the last such line of each file and prints it as its last line; exit 1 where
                                something failed, where a file has no such line, and where nothing was counted

A TAP test counts case by case, any other as one. A test program that crashed, timed out or printed fewer results
than it had planned fails once more for that.
"""
import json
import re
import sys

LINE = re.compile(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", re.M)
TAP = re.compile(r"^(ok|not ok)\b[ \t]*(\d+)?[ \t]*-?[ \t]*([^#\n]*)(#[ \t]*(SKIP|TODO)\b[^\n]*)?", re.M | re.I)
PLAN = re.compile(r"^1\.\.(\d+)", re.M)
SHOWN_MAX = 60  # lines of a failed test's output
GOOD = ("OK", "EXPECTEDFAIL", "SKIP")


def count_one(test):
    """-> passed, names of the failed, skipped"""
    out, result = test.get("stdout", ""), test["result"]
    plan, lines = PLAN.search(out), TAP.findall(out)
    if plan is None:
        if result == "SKIP":
            return 0, [], 1
        return (1, [], 0) if result in GOOD else (0, [result], 0)
    skipped = sum(1 for verdict, _, _, _, word in lines if word.upper() == "SKIP")
    failed = [f"{name.strip()}" for verdict, _, name, _, word in lines if verdict == "not ok" and not word]
    passed = len(lines) - skipped - len(failed)
    if len(lines) < int(plan[1]):
        failed.append(f"only {len(lines)} of {plan[1]} ran")
    elif result not in GOOD and not failed:
        failed.append(f"{result}, exit status {test.get('returncode')}")
    return passed, failed, skipped


def meson(path):
    total = [0, 0, 0]
    with open(path) as log:
        for line in log:
            test = json.loads(line)
            passed, failed, skipped = count_one(test)
            total = [total[0] + passed, total[1] + len(failed), total[2] + skipped]
            for what in failed:
                print(f"FAILED {test['name']}: {what}")
            if failed:
                print("\n".join("    " + text for text in (test.get("stdout", "") + test.get("stderr", "")).splitlines()[-SHOWN_MAX:]))
    return total


def add_up(paths):
    total = [0, 0, 0]
    for path in paths:
        with open(path, errors="replace") as file:
            found = LINE.findall(file.read())
        numbers = [int(n) for n in found[-1]] if found else [0, 1, 0]
        if not found:
            print(f"FAILED {path}: it says no count")
        total = [a + b for a, b in zip(total, numbers)]
    if sum(total) == 0:
        print("FAILED: nothing was counted")
        total[1] = 1
    return total


def main():
    total = meson(sys.argv[2]) if sys.argv[1] == "meson" else add_up(sys.argv[2:])
    print("%d passed, %d failed, %d skipped" % tuple(total))
    return 1 if total[1] else 0


sys.exit(main())

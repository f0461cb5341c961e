"""Small system tests in TAP, one `ok` line each, so that every one is counted.

    @tap.case
    def answers_are_counted(): ...
    tap.main()

An AssertionError or any other exception fails the case and is shown; tap.Skip skips it.
"""
import sys
import traceback

cases = []


class Skip(Exception):
    """This case cannot run here, and why."""


def case(function):
    cases.append(function)
    return function


def equal(got, want, what=""):
    if got != want:
        raise AssertionError(f"{what}: got {got!r}, want {want!r}")


def main():
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for number, function in enumerate(cases, 1):
        name = function.__name__
        try:
            function()
            print(f"ok {number} - {name}", flush=True)
        except Skip as why:
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {number} - {name}", flush=True)
            for line in traceback.format_exc().splitlines():
                print("# " + line, flush=True)
    sys.exit(1 if failed else 0)

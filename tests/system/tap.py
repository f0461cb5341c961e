"""System tests in TAP, one `ok` line each, so that every one is counted.

    @tap.case
    def answers_are_counted(): ...
    tap.main()

An AssertionError or any other exception fails the case and is shown; tap.Skip skips it. Tests written for unittest
are run by tap.main_unittest().
"""
import sys
import traceback
import unittest

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


class Result(unittest.TestResult):
    """What unittest found, as TAP."""

    def __init__(self):
        super().__init__()
        self.problems = []

    def stopTest(self, test):
        super().stopTest(test)
        name = test.id().split(".", 1)[-1]
        skip = f" # SKIP {self.skipped[-1][1]}" if self.skipped and self.skipped[-1][0] is test else ""
        print(f"{'not ok' if self.problems else 'ok'} {self.testsRun} - {name}{skip}", flush=True)
        for line in "".join(self.problems).splitlines():
            print("# " + line, flush=True)
        self.problems = []

    def addError(self, test, err):
        super().addError(test, err)
        self.problems.append("".join(traceback.format_exception(*err)))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.problems.append("".join(traceback.format_exception(*err)))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.problems.append(f"{subtest}\n" + "".join(traceback.format_exception(*err)))


def main_unittest():
    tests = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    print(f"1..{tests.countTestCases()}", flush=True)
    result = Result()
    tests.run(result)
    sys.exit(0 if result.wasSuccessful() else 1)

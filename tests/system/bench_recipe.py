"""saker bench recipe: figures of then and now, and nothing left behind."""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

import bench_kit as kit
import tap


@tap.case
def small_servers_are_compared_and_leave_nothing():
    for name, rows in (("front-2013", 8), ("drain-2006", 9)):
        with tempfile.TemporaryDirectory() as folder:
            done = kit.run_recipe([name, "-l", "0.1", "-n", "1"], folder)
            tap.equal((done.returncode, done.stderr, os.listdir(folder)), (0, "", []), name)
        now = done.stdout.split("now ", 1)[1].splitlines()[1:]
        tap.equal(len([line for line in now if "a wake-up" in line or "up to" in line or "until" in line]), rows)


def check_json(done, name, seconds, rounds):
    """One object with what was, each round and its medians; nothing on standard error."""
    tap.equal((done.returncode, done.stderr, done.stdout.count("\n")), (0, "", 1), name)
    report = json.loads(done.stdout)
    tap.equal((report["format"], report["recipe"], report["end"], report["settings"]),
              (1, name, "done", {"seconds": seconds, "rounds": rounds}), name)
    assert report["version"] and report["machine"]["processors"] > 0 and name in report["command"], report
    assert report["then"]["figures"] or report["then"]["remarks"], report["then"]
    for row in report["now"]:
        tap.equal(len(row["rounds"]), rounds, row)
        for key in ("rate", "cpu_us_an_answer", "lost_part"):
            values = sorted(figure[key] or 0 for figure in row["rounds"])
            tap.equal(row["median"][key] or 0, values[rounds // 2], (row["subject"], key))
        # A tenth of a second may be over before a busy machine lets an open loop send: the tool says that it was the limit.
        limited = row.get("offered") and row["median"]["tool_bottleneck"]
        # Who drains a flooded socket until it is empty may never come to the one beside it: what drain-2006 is about.
        starved = (row["subject"], row["setting"], row["median"]["lost_part"]) == ("until empty", "beside a flood", 1)
        assert row["median"]["rate"] > 0 or limited or starved, row
    return report


@tap.case
def figures_of_then_and_of_each_round_are_json():
    with tempfile.TemporaryDirectory() as folder:
        report = check_json(kit.run_recipe(["front-2013", "-l", "0.1", "-n", "3", "--json"], folder), "front-2013", 0.1, 3)
        rates = [old for old in report["then"]["figures"] if old["unit"] == "answers/s"]
        tap.equal([(old["subject"], old["value"]) for old in rates],
                  [("direct", 48766), ("through the front", 59869)])
        tap.equal([row["in_flight"] for row in report["now"]], [60] * 4 + [100] * 4)
        report = check_json(kit.run_recipe(["drain-2006", "-l", "0.1", "-n", "2", "--json"], folder), "drain-2006", 0.1, 2)
        tap.equal([row.get("processes") for row in report["now"]], [1] * 3 + [2] * 3 + [None] * 3)
        tap.equal([row["setting"] for row in report["now"]], [None] * 6 + ["beside a flood"] * 3)
        for name in ("udp-platforms-2006", "reverse-zone-2007", "drop-rate-2014"):
            done = kit.run_recipe([name, "-l", "0.1", "-n", "1", "--json"], folder)
            done.stderr = ""    # a peer that does not start is told, and left out
            report = check_json(done, name, 0.1, 1)
            assert "saker" in [row["subject"] for row in report["now"]], report


def on_terminal(arguments, folder):
    """-> exit status, what standard output got, what the terminal got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    with open(os.path.join(folder, "out"), "w+") as out:
        process = subprocess.Popen([kit.SAKER, "bench", "recipe", *arguments], stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=theirs, env={**os.environ, "TMPDIR": folder})
        os.close(theirs)
        seen = b""
        end = time.monotonic() + kit.WAIT_S
        while time.monotonic() < end:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                more = os.read(ours, 65536)
            except OSError:    # the other side is closed
                break
            seen += more
        status = process.wait(timeout=kit.WAIT_S)
        out.seek(0)
        os.close(ours)
        return status, out.read(), seen.decode()


@tap.case
def a_terminal_is_told_how_far_it_is():
    with tempfile.TemporaryDirectory() as folder:
        status, out, seen = on_terminal(["front-2013", "-l", "1.3", "-n", "2"], folder)
        tap.equal(status, 0)
        assert "\x1b" not in out and "round" not in out, out
        lines = [line.removesuffix("\x1b[K") for line in seen.split("\r")]
        tap.equal((lines[0], lines[-1]), ("", ""), seen)    # nothing stays
        assert max(len(line) for line in lines) < 120, lines
        parts = [int(line.split("%")[0]) for line in lines if "%" in line]
        assert parts == sorted(parts) and parts[0] == 0 and parts[-1] > 90, parts
        for line in ("round 1 of 2: direct, up to 64, in flight 60", "round 2 of 2: front, up to 64, in flight 100",
                     "round 2 of 2: starting front, up to 64", " s left", " answers a second"):
            assert line in seen, (line, seen)


@tap.case
def ctrl_c_tells_what_there_is():
    for json_too in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = pty.openpty()
            process = subprocess.Popen([kit.SAKER, "bench", "recipe", "front-2013", "-l", "0.3", "-n", "30",
                                        *(["--json"] if json_too else [])], stdin=subprocess.DEVNULL, text=True,
                                       stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TMPDIR": folder})
            os.close(theirs)
            seen = b""
            end = time.monotonic() + kit.WAIT_S
            while b"round 2 of" not in seen and time.monotonic() < end:
                if select.select([ours], [], [], 0.1)[0]:
                    seen += os.read(ours, 65536)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=kit.WAIT_S)
            os.close(ours)
            tap.equal((process.returncode, os.listdir(folder)), (1, []))
            if json_too:
                report = json.loads(out)
                tap.equal((report["end"], len(report["now"])), ("interrupted", 8))
            else:
                assert "ended early" in out and out.count("to 64 ") == 4, out


@tap.case
def saker_itself_and_its_peers_answer():
    with tempfile.TemporaryDirectory() as folder:
        done = kit.run_recipe(["udp-platforms-2006", "-l", "0.1", "-n", "1"], folder)
        tap.equal((done.returncode, os.listdir(folder)), (0, []), done.stderr)
    line = next(line for line in done.stdout.splitlines() if line.split()[:1] == ["saker"])
    assert float(line.split()[1]) > 0, done.stdout


@tap.case
def ctrl_c_ends_the_children_and_removes_the_folder():
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([kit.SAKER, "bench", "recipe", "front-2013", "-l", "60"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "TMPDIR": folder})
        children = []
        deadline = time.monotonic() + kit.WAIT_S
        while not children and time.monotonic() < deadline:
            children = kit.children_of(process.pid)
            time.sleep(0.05)
        assert children
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=kit.WAIT_S)
        tap.equal((process.returncode, os.listdir(folder)), (1, []))
        assert not any(os.path.exists(f"/proc/{pid}") for pid in children), children


@tap.case
def a_wrong_command_line_exits_2():
    with tempfile.TemporaryDirectory() as folder:
        for arguments in ([], ["nonsense"], ["front-2013", "more"], ["front-2013", "-l", "x"], ["-n", "0", "front-2013"],
                          ["-z"]):
            done = kit.run_recipe(arguments, folder)
            tap.equal((done.returncode, done.stdout), (2, ""), arguments)
            assert done.stderr, arguments


tap.main()

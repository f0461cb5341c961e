"""saker bench recipe: figures of then and now, and nothing left behind."""
import os
import signal
import subprocess
import tempfile
import time

import bench_kit as kit
import tap


def run(arguments, folder):
    return subprocess.run([kit.SAKER, "bench", "recipe", *arguments], capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder})


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


@tap.case
def small_servers_are_compared_and_leave_nothing():
    for name, rows in (("front-2013", 8), ("drain-2006", 9)):
        with tempfile.TemporaryDirectory() as folder:
            done = run([name, "-l", "0.1", "-n", "1"], folder)
            tap.equal((done.returncode, done.stderr, os.listdir(folder)), (0, "", []), name)
        now = done.stdout.split("now ", 1)[1].splitlines()[1:]
        tap.equal(len([line for line in now if "a wake-up" in line or "up to" in line or "until" in line]), rows)


@tap.case
def saker_itself_and_its_peers_answer():
    with tempfile.TemporaryDirectory() as folder:
        done = run(["udp-platforms-2006", "-l", "0.1", "-n", "1"], folder)
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
            children = children_of(process.pid)
            time.sleep(0.05)
        assert children
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=kit.WAIT_S)
        tap.equal((process.returncode, os.listdir(folder)), (1, []))
        assert not any(os.path.exists(f"/proc/{pid}") for pid in children), children


@tap.case
def resolvers_are_asked_from_a_cold_and_a_warm_cache():
    with tempfile.TemporaryDirectory() as folder:
        done = run(["threads-2007", "-l", "0.1", "-n", "1"], folder)
        tap.equal((done.returncode, os.listdir(folder)), (0, []), done.stderr)
    rows = [line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["saker"]]
    tap.equal([row[1] for row in rows], ["1", "2", "4", "8"], done.stdout)
    for row in rows:
        figures = [float(word) for word in row[2:8]]
        assert min(figures) > 0, done.stdout
        # What is asked again comes out of the cache: the Internet is not asked.
        assert figures[1] < figures[3], done.stdout
        assert "errors" not in row, done.stdout


@tap.case
def ctrl_c_ends_the_resolver_and_its_internet():
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([kit.SAKER, "bench", "recipe", "threads-2007", "-l", "60"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "TMPDIR": folder})
        children = []
        deadline = time.monotonic() + kit.WAIT_S
        while len(children) < 2 and time.monotonic() < deadline:
            children = children_of(process.pid)
            time.sleep(0.05)
        tap.equal(len(children), 2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=kit.WAIT_S)
        tap.equal((process.returncode, os.listdir(folder)), (1, []))
        assert not any(os.path.exists(f"/proc/{pid}") for pid in children), children


@tap.case
def a_wrong_command_line_exits_2():
    with tempfile.TemporaryDirectory() as folder:
        for arguments in ([], ["nonsense"], ["front-2013", "more"], ["front-2013", "-l", "x"], ["-n", "0", "front-2013"],
                          ["-z"]):
            done = run(arguments, folder)
            tap.equal((done.returncode, done.stdout), (2, ""), arguments)
            assert done.stderr, arguments


tap.main()

"""saker bench --live: the terminal is as it was on every way out, and where there is none nothing is drawn."""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import bench_kit as kit
import tap

ENTER, LEAVE = b"\x1b[?1049h\x1b[?25l", b"\x1b[?25h\x1b[?1049l"


def good(query, nth):
    return [(0, kit.reply(query))]


class Terminal:
    """A run with --live on a terminal of its own."""

    def __init__(self, *arguments, columns=80, rows=24, shell=()):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["LC_ALL"] = "C.UTF-8"
            time.sleep(0.05)    # until the size is set
            words = [*shell, kit.SAKER, "bench", *arguments, "--live"]
            os.execv(words[0], words)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read_until(self, want):
        """Until want(what was seen) holds; False where the process ends before."""
        end = time.monotonic() + kit.WAIT_S
        while not want(self.seen):
            assert time.monotonic() < end, self.seen[-500:]
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    more = os.read(self.fd, 65536)
                except OSError:    # the other side is closed
                    more = b""
                if not more:
                    return False
                self.seen += more
        return True

    def finish(self):
        self.read_until(lambda seen: False)    # a process that does not end fails there
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return status

    def frames(self):
        return self.seen.count(b"\x1b[J")


def check_left(terminal):
    """Every screen that was entered was left, in order, and nothing is drawn behind."""
    seen = terminal.seen
    tap.equal(seen.count(ENTER), seen.count(LEAVE), seen[-300:])
    assert seen.rfind(ENTER) < seen.rfind(LEAVE), seen[-300:]
    assert b"\x1b" not in seen[seen.rfind(LEAVE) + len(LEAVE):], seen[-300:]


def start(server, queries, **how):
    return Terminal("rate", "--server", server.at, "-d", queries, "-R", "200", "-l", "30", "-t", "1", **how)


@tap.case
def a_run_that_ends_gives_the_terminal_back_and_reports():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        terminal = Terminal("rate", "--server", server.at, "-d", queries, "-R", "200", "-l", "2.5", "-t", "0.5")
        tap.equal(terminal.finish(), 0)
    check_left(terminal)
    assert terminal.frames() >= 3, terminal.frames()
    assert "█".encode() in terminal.seen and b"saker bench rate: 127.0.0.1" in terminal.seen
    assert b"The tool was" in terminal.seen[terminal.seen.rfind(LEAVE):]


@tap.case
def control_c_ends_the_run_early_and_reports():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        terminal = start(server, queries)
        assert terminal.read_until(lambda seen: seen.count(b"\x1b[J") >= 2)
        os.write(terminal.fd, b"\x03")
        tap.equal(terminal.finish(), 0)
    check_left(terminal)
    assert b"Ended early" in terminal.seen


@tap.case
def signals_that_kill_leave_the_screen_first():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT, signal.SIGSEGV):
            terminal = start(server, queries)
            assert terminal.read_until(lambda seen: b"\x1b[J" in seen)
            os.kill(terminal.pid, number)
            status = terminal.finish()
            tap.equal((os.WIFSIGNALED(status), os.WTERMSIG(status)), (True, number))
            check_left(terminal)


# What a shell does: the run is a job of its own in the foreground, and somebody of the same session waits for it.
SHELL = """
import os, signal, subprocess, sys
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
# It comes to the foreground before it begins: a Ctrl-Z in between would go to nobody.
job = subprocess.Popen(sys.argv[1:], process_group=0, preexec_fn=lambda: os.tcsetpgrp(0, os.getpid()))
_, status = os.waitpid(job.pid, os.WUNTRACED)
print("stopped" if os.WIFSTOPPED(status) else "ended", flush=True)
os.killpg(job.pid, signal.SIGCONT)
print("exit", os.waitstatus_to_exitcode(os.waitpid(job.pid, 0)[1]), flush=True)
"""


@tap.case
def a_run_that_is_stopped_comes_back():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        terminal = start(server, queries, shell=[sys.executable, "-c", SHELL])
        assert terminal.read_until(lambda seen: b"\x1b[J" in seen)
        os.write(terminal.fd, b"\x1a")    # Ctrl-Z
        assert terminal.read_until(lambda seen: seen.count(ENTER) == 2), terminal.seen[-500:]
        frames = terminal.frames()
        assert terminal.read_until(lambda seen: terminal.frames() > frames)
        os.write(terminal.fd, b"\x03")
        terminal.finish()
    between = terminal.seen[terminal.seen.find(LEAVE):terminal.seen.rfind(ENTER)]
    assert b"stopped" in between, terminal.seen[-500:]
    assert b"exit 0" in terminal.seen, terminal.seen[-500:]
    check_left(terminal)


@tap.case
def an_error_at_the_start_gives_the_terminal_back():
    with kit.query_file("a.test A\n") as queries:
        terminal = Terminal("run", "--server", "127.0.0.1:1", "-d", queries)
        tap.equal(os.WEXITSTATUS(terminal.finish()), 1)
    check_left(terminal)
    assert b"no answer from" in terminal.seen[terminal.seen.rfind(LEAVE):]


@tap.case
def a_small_terminal_is_not_scrolled():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        terminal = start(server, queries, columns=20, rows=5)
        assert terminal.read_until(lambda seen: seen.count(b"\x1b[J") >= 3)
        os.write(terminal.fd, b"\x03")
        terminal.finish()
    frame = terminal.seen.split(b"\x1b[H")[-1].split(b"\x1b[J")[0]
    tap.equal(frame.count(b"\n"), 4)
    assert all(len(line.replace(b"\x1b[K", b"").decode().strip("\r")) <= 20 for line in frame.split(b"\n")), frame


@tap.case
def without_a_terminal_nothing_is_drawn():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        done = subprocess.run([kit.SAKER, "bench", "rate", "--server", server.at, "-d", queries, "-R", "100", "-l", "1.5",
                               "--live"], capture_output=True, timeout=kit.WAIT_S)
    tap.equal((done.returncode, done.stderr), (0, b""))
    assert done.stdout.startswith(b"The tool was") and b"\x1b" not in done.stdout, done.stdout


tap.main()

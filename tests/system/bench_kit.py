"""Servers that misbehave on purpose, and a way to run the load tool against them.

A server is given a function from a query to what is to be done: a list of (delay in seconds, octets).
It keeps the queries that it saw. All sockets are on loopback with ports that the system chose.
"""
import contextlib
import heapq
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

SAKER = os.environ.get("SAKER", sys.argv[1] if len(sys.argv) > 1 else "build/saker")
WAIT_S = 60  # a run that takes longer than this hangs


def run_recipe(arguments, folder):
    """`saker bench recipe`, with its own folder as the temporary one."""
    return subprocess.run([SAKER, "bench", "recipe", *arguments], capture_output=True, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder})


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


def reply(query, rcode=0, flags=0, question=None):
    """An answer without records to query: its ID and, unless another is given, its question."""
    if question is None:
        question = query[12:12 + question_len(query)]
    return query[:2] + struct.pack("!5H", 0x8000 | flags | rcode, 1, 0, 0, 0) + question


def question_len(query):
    at = 12
    while query[at] != 0:
        at += query[at] + 1
    return at + 5 - 12


def qname(query):
    return query[12:12 + question_len(query) - 4]


class UdpServer:
    """Answers datagrams; act(query, nth) -> [(delay, octets), ...], nth counts from 0."""

    def __init__(self, act, host="127.0.0.1"):
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.bind((host, 0))
        self.port = self.socket.getsockname()[1]
        self.at = f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"
        self.act = act
        self.queries = []   # (octets, peer) in order of arrival
        self.ending = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        waiting, order = [], 0
        while not self.ending:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, octets, peer = heapq.heappop(waiting)
                self.socket.sendto(octets, peer)
            pause = min(0.05, max(0, waiting[0][0] - now)) if waiting else 0.05
            if not select.select([self.socket], [], [], pause)[0]:
                continue
            query, peer = self.socket.recvfrom(65535)
            self.queries.append((query, peer))
            for delay, octets in self.act(query, len(self.queries) - 1):
                if delay == 0:
                    self.socket.sendto(octets, peer)
                else:
                    heapq.heappush(waiting, (time.monotonic() + delay, order, octets, peer))
                    order += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ending = True
        self.thread.join()
        self.socket.close()


class TcpServer:
    """Serves each connection in a thread of its own: serve(connection, nth connection)."""

    def __init__(self, serve, host="127.0.0.1"):
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
        self.socket.bind((host, 0))
        self.socket.listen(64)
        self.socket.settimeout(0.05)
        self.port = self.socket.getsockname()[1]
        self.at = f"{host}:{self.port}"
        self.serve = serve
        self.connection_count = 0
        self.ending = False
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def accept(self):
        while not self.ending:
            try:
                connection, _ = self.socket.accept()
            except TimeoutError:
                continue
            connection.settimeout(WAIT_S)
            nth = self.connection_count
            self.connection_count += 1
            threading.Thread(target=self.guard, args=(connection, nth), daemon=True).start()

    def guard(self, connection, nth):
        with contextlib.suppress(OSError, EOFError):
            self.serve(connection, nth)
        connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ending = True
        self.thread.join()
        self.socket.close()


def take(connection, count):
    octets = b""
    while len(octets) < count:
        more = connection.recv(count - len(octets))
        if not more:
            raise EOFError
        octets += more
    return octets


def take_query(connection):
    return take(connection, struct.unpack("!H", take(connection, 2))[0])


def framed(octets):
    return struct.pack("!H", len(octets)) + octets


@contextlib.contextmanager
def query_file(text):
    with tempfile.NamedTemporaryFile("w", suffix=".queries") as file:
        file.write(text)
        file.flush()
        yield file.name


def lines(count):
    return "".join(f"host{i}.example.test A\n" for i in range(count))


def start(arguments, queries, mode="run", **how):
    return subprocess.Popen([SAKER, "bench", mode, "--json", "-d", queries, *arguments],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **how)


def finish(process):
    """-> exit status, report or None, standard error; what is always true of a report is checked here."""
    out, err = process.communicate(timeout=WAIT_S)
    report = json.loads(out) if out else None
    if report is not None:
        check(report)
    return process.returncode, report, err


def run(arguments, text):
    with query_file(text) as queries:
        return finish(start(arguments, queries))


def check(report):
    assert report["sent"] == report["answered"] + report["lost"] + report["interrupted"], report
    assert sum(report["rcodes"].values()) == report["answered"], report
    assert report["late"] <= report["lost"], report
    numbers = [v for v in report.values() if isinstance(v, (int, float))]
    latency = report["latency_us"]
    assert (latency is None) == (report["answered"] == 0), report
    if latency is not None:
        order = [latency[k] for k in ("min", "p50", "p90", "p99", "p99_9", "max")]
        assert order == sorted(order), report
        assert latency["min"] <= latency["mean"] <= latency["max"], report
        assert latency["max"] <= report["settings"]["timeout_s"] * 1e6, report
        numbers += order
    assert all(n >= 0 for n in numbers), report  # also false for a NaN


def interrupt(process):
    process.send_signal(signal.SIGINT)

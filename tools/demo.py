#!/usr/bin/env python3
"""Serves the zones of the 2006 and 2007 experiments on loopback and asks for them: `make demo`.

usage: demo.py SAKER [SECONDS]     SECONDS a run, four runs (5)
"""
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

DEMO = pathlib.Path(__file__).resolve().parent.parent / "demo"
ZONES = {"foo.bar": "2006: nine delegations", "1.10.in-addr.arpa": "2007: 65,536 PTR by $GENERATE"}
READY_S = 20
COLUMNS = "{:30} {:4} {:>12} {:>8} {:>8} {:>8} {:>8} {:>10}  {}"


def free_port():
    """A port that is free for UDP and TCP; both sockets are closed again before the server takes it."""
    for _ in range(100):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp, \
                socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
            tcp.bind(("127.0.0.1", 0))
            try:
                udp.bind(tcp.getsockname())
            except OSError:
                continue
            return tcp.getsockname()[1]
    sys.exit("demo: no free port")


def bench(saker, at, queries, *more):
    """-> the report, or None where nothing was answered"""
    done = subprocess.run([saker, "bench", "run", "--json", "--server", at, "-d", queries, *more],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


def wait_until_served(saker, at, server, probes):
    """Until every zone answers without an error."""
    end = time.monotonic() + READY_S
    while True:
        reports = [bench(saker, at, probe, "-t", "0.5") for probe in probes]
        if all(r and r["rcodes"].get("NOERROR") == r["sent"] for r in reports):
            return
        if server.poll() is not None:
            sys.exit(f"demo: the server ended with status {server.returncode}")
        if time.monotonic() > end:
            sys.exit(f"demo: no answers after {READY_S} s")
        time.sleep(0.1)


def show(name, transport, report):
    latency = report["latency_us"]
    print(COLUMNS.format(name, transport, f"{report['rate']:,.0f}", *(f"{latency[k]:,.0f}" for k in ("p50", "p99", "max")),
                         report["lost"], f"{report['tool_cpu_us_a_query']:.2f}",
                         "the tool" if report["tool_bottleneck"] else "the server"), flush=True)


def run(saker, at, server, folder, seconds):
    addresses = folder / "addresses.queries"
    addresses.write_text("".join(f"{i % 256}.{i // 256}.1.10.in-addr.arpa PTR\n"
                                 for i in sorted(range(65536), key=lambda i: i * 40503 % 65536)))
    queries = {"foo.bar": DEMO / "foo.bar.queries", "1.10.in-addr.arpa": addresses}
    probes = []
    for zone in ZONES:
        probes.append(folder / f"{zone}.probe")
        probes[-1].write_text(f"{zone} SOA\n")
    wait_until_served(saker, at, server, probes)
    print("\n" + COLUMNS.format("zone", "over", "answers/s", "p50 us", "p99 us", "max us", "lost", "tool us/q", "limit"))
    lost = 0
    for zone, name in ZONES.items():
        for transport, flags in (("UDP", []), ("TCP", ["--tcp"])):
            report = bench(saker, at, queries[zone], "-l", str(seconds), "-c", "4", *flags)
            if report is None:
                sys.exit(f"demo: no answer over {transport}")
            show(name, transport, report)
            lost += report["answered"] == 0 or set(report["rcodes"]) != {"NOERROR"}
    print("\nServer and load tool share this machine's processors and its loopback: compare the rows, not the figures.")
    return 1 if lost else 0


def main():
    saker = str(pathlib.Path(sys.argv[1]).resolve())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    at = f"127.0.0.1:{free_port()}"
    zones = [f"--zone={zone}={DEMO / (zone + '.zone')}" for zone in ZONES]
    print(f"saker serve --listen {at} with the zones in demo/")
    server = subprocess.Popen([saker, "serve", "--listen", at, *zones], stdin=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return run(saker, at, server, pathlib.Path(folder), seconds)
    finally:
        server.terminate()
        server.wait()


sys.exit(main())

#!/usr/bin/env python3
"""What is lost and how old the answers are, against the rate that is offered; servers with default settings.

The server runs on processor 0, an open loop (offer.c) on processor 1: it sends at a fixed rate whatever comes back.
First the capacity of each server is sought with far more than it can answer; then it is offered shares of that.
An answer's age is from the time just before the call that sent its query to the kernel's stamp of its arrival:
the time in the queue, and what the server takes for the batch.

  bench/overload.py [--peers nsd,knot,named] [--candidate NAME=COMMAND] [--workload reverse]
"""
import argparse
import os
import sys
import tempfile
import time

import kit
import plot
import workloads

SHARES = [0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0]
FLOOD = 2_000_000   # a second: more than any server answers on one processor of today
DRAIN_S = 0.5        # that offer.c waits for the last answers
PORT = 5420


def measure(server, offer, workload, rate, arguments):
    before, since = kit.cpu_seconds(server.pid), time.monotonic()
    got = kit.generate(offer, server.address, server.port, workload["queries"], arguments.seconds, int(rate),
                       workload["mode"], arguments.sockets)
    cpu = kit.cpu_seconds(server.pid) - before
    got["answered_a_cpu_second"] = round(got["answered_all"] / max(cpu, 1e-3))
    got["cpu_share"] = round(cpu / (time.monotonic() - since - DRAIN_S), 2)
    return got


def merge(server, share, tries):
    """The machine has other users: of the rounds the one with the youngest answers was disturbed least."""
    row = min(tries, key=lambda r: r["p99_us"]) | {"server": server.name, "share": share}
    row["worst_p99_us"] = max(r["p99_us"] for r in tries)
    row["best_answered"] = max(r["answered"] for r in tries)
    row["answered_a_cpu_second"] = max(r["answered_a_cpu_second"] for r in tries)
    print(f'{share:4.2f} {server.name:8} offered {row["offered"]:8.0f}  answered {row["answered"]:8.0f}  '
          f'lost {row["lost_percent"]:6.2f} %  age {row["p50_us"] / 1e3:7.2f} ms, of 99 % below '
          f'{row["p99_us"] / 1e3:7.2f} ms (worst round {row["worst_p99_us"] / 1e3:.2f})  '
          f'on the processor {row["cpu_share"]:.2f}  behind {row["behind_ms"]:.1f} ms'
          f'{"  own drops %d" % row["own_drops"] if row["own_drops"] else ""}', flush=True)
    return row


def sweep(servers, offer, workload, arguments):
    """-> {name: rows, the last of them at the most that was offered}; servers take turns in each round."""
    capacity = {s.name: max(measure(s, offer, workload, FLOOD, arguments)["answered"] for _ in range(2))
                for s in servers}
    rows = {s.name: [] for s in servers}
    for share in SHARES:
        tries = {s.name: [] for s in servers}
        for _ in range(arguments.rounds):
            for s in servers:
                tries[s.name].append(measure(s, offer, workload, share * capacity[s.name], arguments))
        for s in servers:
            rows[s.name].append(merge(s, share, tries[s.name]))
    return rows


def verdict(rows):
    """At twice the capacity: shares of its own peak, and ages."""
    last = rows[-1]
    peak = max(r["best_answered"] for r in rows)
    peak_cpu = max(r["answered_a_cpu_second"] for r in rows if r["share"] >= 0.75)   # below, batches are small
    return [last["server"], f'{last["best_answered"] / peak:.2f}', f'{last["answered_a_cpu_second"] / peak_cpu:.2f}',
            f'{last["p50_us"] / 1e3:.1f}', f'{last["p99_us"] / 1e3:.1f}', f'{last["worst_p99_us"] / 1e3:.1f}',
            f'{peak:.0f}', f'{last["offered"] / peak:.1f}']


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kit.add_arguments(p, "nsd,knot,named")
    p.add_argument("--workload", default="reverse")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=float, default=2, help="that count; one before them does not")
    p.add_argument("--sockets", type=int, default=8)
    p.add_argument("--plots", metavar="FOLDER", help="write two plots there")
    a = p.parse_args()
    workload = workloads.build(a.data)[a.workload]
    work = tempfile.mkdtemp(prefix="dns-bench-")
    offer = kit.compile_tools(work)["offer"]
    running = []
    try:
        for i, (name, command) in enumerate(kit.commands(a).items()):
            running.append(kit.Server(name, command, work, PORT + i, [workload]))
            running[-1].wait([workload])
        rows = sweep(running, offer, workload, a)
    finally:
        for server in running:
            server.stop()
    text = kit.table(["offered twice its capacity", "answers a second, of its peak", "the same a second of processor time",
                      "age, median, ms", "99 %, ms", "99 %, worst round, ms", "peak, a second", "offered, of the peak"],
                     [verdict(r) for r in rows.values()])
    every = kit.table(["share of capacity"] + [f"{n}: {what}" for n in rows for what in ("lost, %", "99 %, ms")],
                      [[share] + [x for r in rows.values() for x in
                                  (f'{r[k]["lost_percent"]:.1f}', f'{r[k]["p99_us"] / 1e3:.1f}')]
                       for k, share in enumerate(SHARES)])
    print(f"\n{text}\n\n{every}")
    if a.plots:
        for name, title, y_name, key, by, log in (
                ("overload-drops", "Queries without an answer", "percent", "lost_percent", 1, False),
                ("overload-age", "Age of the answers, 99th percentile", "ms", "p99_us", 1e-3, True)):
            plot.lines(os.path.join(a.plots, name + ".svg"), title, "offered, thousands a second", y_name,
                       {n: [(r["offered"] / 1e3, r[key] * by) for r in rs] for n, rs in rows.items()}, log)
    kit.finish(a, "overload", rows, f"{text}\n\n{every}")


if __name__ == "__main__":
    sys.exit(main())

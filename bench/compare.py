#!/usr/bin/env python3
"""Side-by-side measurement of authoritative servers over kernel UDP, one worker each.

The server runs on processor 0, the generator on processor 1. The figure to quote is the processor time that a
server spends on one answer (user + system, all its threads and children), as a ratio to `echo`, a program that
only receives and sends in batches. Ratios hold on a noisy machine; absolute rates do not. Servers take turns
inside each round, so drift hits all of them alike; of several rounds the least counts.

  bench/compare.py                                              all workloads, all peers that are installed
  bench/compare.py --workload tld --peers nsd,knot
  bench/compare.py --peers knot,knot=other/knotd                (a second build of a peer, shown as knot')
  bench/compare.py --candidate 'main=../main/build/saker serve --workers 1 --listen {address}:{port} --zone {zone}={file}'

Prints, for each server, seconds of processor time and memory to load, then the ratios, then the rest.
"""
import argparse
import statistics
import sys
import tempfile
import time

import kit
import workloads

WORKLOADS = ["delegations", "reverse", "mixed", "tld", "signed", "root"]
PORT = 5400


def start(command, work, zones):
    running = []
    for i, (name, how) in enumerate(command.items()):   # one after the other, so that loading is measured alone
        server = kit.Server(name, how, work, PORT + i, zones)
        running.append(server)
        if name == "echo":
            time.sleep(0.3)
            continue
        server.wait(zones)
        print(f"{name:12} loaded: {server.load_cpu:7.2f} s of processor time, {server.load_bytes / 2**20:8.1f} MiB",
              flush=True)
    return running


def measure(server, gen, workload, arguments):
    before = kit.cpu_seconds(server.pid)
    got = kit.generate(gen, server.address, server.port, workload["queries"], arguments.seconds, arguments.window,
                       workload["mode"])
    got["us"] = (kit.cpu_seconds(server.pid) - before) / max(got["received"], 1) * 1e6
    return got


def summary(workload, server, rounds, floor):
    best = min(r["us"] for r in rounds)
    return {"workload": workload, "server": server, "times_echo": round(best / floor, 2),
            "cpu_us_per_answer": round(best, 3), "median_us": round(statistics.median(r["us"] for r in rounds), 3),
            "best_qps": max(r["qps"] for r in rounds), "lost_percent": max(r["lost_percent"] for r in rounds),
            "bytes": rounds[-1]["bytes"], "rcodes": rounds[-1]["rcodes"]}


def ratios(rows, names):
    by = {(r["workload"], r["server"]): r for r in rows}
    wanted = list(dict.fromkeys(r["workload"] for r in rows))
    head = ["x echo"] + [n for n in names if n != "echo"] + ["echo, us"]
    return kit.table(head, [[w] + [f'{by[w, n]["times_echo"]:.2f}' for n in names if n != "echo"]
                            + [f'{by[w, "echo"]["cpu_us_per_answer"]:.2f}'] for w in wanted])


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--workload", action="append", choices=WORKLOADS)
    kit.add_arguments(p, "nsd,knot,named,pdns")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=float, default=2)
    p.add_argument("--window", type=int, default=512)
    p.add_argument("--tld-size", type=int, default=1_000_000)
    a = p.parse_args()
    every = workloads.build(a.data, a.tld_size)
    wanted = [w for w in a.workload or WORKLOADS if w in every]
    if not wanted:
        raise SystemExit("no workload is left")
    zones = list({every[w]["zone"]: every[w] for w in wanted}.values())
    work = tempfile.mkdtemp(prefix="dns-bench-")
    tools = kit.compile_tools(work)
    command = {"echo": lambda run, address, port, zones: [tools["echo"], address, str(port)]} | kit.commands(a)
    running = start(command, work, zones)
    try:
        got = {}
        for _ in range(a.rounds):
            for w in wanted:
                for s in running:
                    got.setdefault((w, s.name), []).append(measure(s, tools["gen"], every[w], a))
    finally:
        for s in running:
            s.stop()
    rows = []
    for w in wanted:
        floor = min(r["us"] for r in got[w, "echo"])
        rows += [summary(w, s.name, got[w, s.name], floor) for s in running]
    text = ratios(rows, [s.name for s in running])
    loads = {s.name: {"cpu_s": round(s.load_cpu, 2), "mib": round(s.load_bytes / 2**20, 1)}
             for s in running if s.name != "echo"}
    loads_text = kit.table(["to load these zones", "processor time, s", "memory, MiB"],
                           [[name, x["cpu_s"], x["mib"]] for name, x in loads.items()])
    print(f"\n{text}\n\n{loads_text}\n")
    for r in rows:
        print(f'{r["workload"]:12} {r["server"]:10} {r["cpu_us_per_answer"]:7.2f} us an answer (median '
              f'{r["median_us"]:.2f})  best {r["best_qps"]:9.0f} qps  lost {r["lost_percent"]:.3f} %  '
              f'{r["bytes"]:.0f} octets  rcodes {r["rcodes"]}')
    kit.finish(a, "compare", {"load": loads, "answers": rows}, f"{text}\n\n{loads_text}")


if __name__ == "__main__":
    sys.exit(main())

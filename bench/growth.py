#!/usr/bin/env python3
"""How a zone of delegations grows: processor time to load and to start again, memory, and what an answer costs beside echo.

Zones of the shape of `tld` (workloads.py: three records a delegation), one worker, kept with --state. Each size is a run.

  bench/growth.py [--sizes 10000,100000,1000000,10000000] [--plots FOLDER]
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import kit
import plot
import servers
import workloads

PORT = 5480
QUERIES = 500_000
IMAGE_WAIT_S = 120


def serve(a, work, port, zone, state):
    template = kit.SAKER.format(saker=os.path.abspath(a.saker), workers=1) + f" --state {state}"
    server = kit.Server(f"saker-{port}", servers.template(template), work, port, [zone], processor=None)
    server.wait([zone], seconds=600)
    return server


def build(folder, size):
    """-> the workload of one size: zone and queries."""
    zone, queries = os.path.join(folder, "tld.zone"), os.path.join(folder, "tld.q")
    workloads._write(zone, workloads._tld("tld", size))
    workloads._write(queries, workloads._tld_queries("tld", QUERIES, size, 0.2, random.Random(size)))
    return {"zone": "tld", "file": zone, "flat": zone, "queries": queries, "mode": "plain"}


def cost(server, gen, workload, a):
    """Microseconds of processor time an answer, the least of some rounds."""
    best = None
    for _ in range(a.rounds):
        before = kit.cpu_seconds(server.pid)
        got = kit.generate(gen, server.address, server.port, workload["queries"], a.seconds, 256, workload["mode"],
                           processor=None)
        us = (kit.cpu_seconds(server.pid) - before) * 1e6 / got["received"]
        best = us if best is None else min(best, us)
    return best


def wait_for_image(state):
    """It is written behind the first answer, under another name until it is whole."""
    deadline = time.monotonic() + IMAGE_WAIT_S
    while not any(name == "pack" or name.endswith(".image") for name in os.listdir(state)):
        if time.monotonic() > deadline:
            sys.exit(f"{state}: no image in {IMAGE_WAIT_S} s")
        time.sleep(0.1)
    time.sleep(0.5)


def measure(a, size, tools, port):
    folder = tempfile.mkdtemp(prefix="saker-growth-", dir=a.folder)
    running = []
    try:
        workload = build(folder, size)
        os.sync()       # else the image waits for the disk behind the zone
        time.sleep(4)   # a file that was changed a moment ago is not taken for unchanged
        state = os.path.join(folder, "state")
        first = serve(a, folder, port, workload, state)
        running.append(first)
        wait_for_image(state)
        row = {"delegations": size, "load_s": first.load_cpu, "memory": kit.resident(first.pid)}
        first.stop()
        running = [serve(a, folder, port + 1, workload, state)]
        row["again_s"] = running[0].load_cpu
        echo = kit.Server("echo", lambda run, address, port, zones: [tools["echo"], address, str(port), "52"], folder,
                          port + 2, [], processor=None)
        running.append(echo)
        time.sleep(0.3)
        row["times_echo"] = cost(running[0], tools["gen"], workload, a) / cost(echo, tools["gen"], workload, a)
        stats = subprocess.run([a.saker, "check", "zone", "tld", workload["file"], "--stats", "--json"],
                               capture_output=True, text=True, check=True).stdout
        stats = json.loads(stats)
        row |= {"records": stats["records"], "octets_a_record": stats["octets-a-record"]}
        return row
    finally:
        for server in running:
            server.stop()
        shutil.rmtree(folder)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kit.add_arguments(p, None)
    p.add_argument("--sizes", default="10000,100000,1000000,10000000")
    p.add_argument("--rounds", type=int, default=4)
    p.add_argument("--seconds", type=float, default=1)
    p.add_argument("--folder", default=tempfile.gettempdir(), help="for zones: 1.5 GB at ten million")
    p.add_argument("--plots", metavar="FOLDER", help="write two plots there")
    a = p.parse_args()
    work = tempfile.mkdtemp(prefix="saker-growth-")
    tools = kit.compile_tools(work)
    rows = []
    for i, size in enumerate(int(n) for n in a.sizes.split(",")):
        rows.append(measure(a, size, tools, PORT + 3 * i))
        print(rows[-1], flush=True)
    text = kit.table(["delegations", "records", "load from text, s", "second start, s", "memory, MiB", "octets a record",
                      "an answer, times echo"],
                     [[f"{r['delegations']:,}", f"{r['records']:,}", f"{r['load_s']:.2f}", f"{r['again_s']:.2f}",
                       f"{r['memory'] / (1 << 20):.0f}", f"{r['octets_a_record']:.1f}", f"{r['times_echo']:.2f}"]
                      for r in rows])
    print(text)
    if a.plots:
        xs = [r["delegations"] for r in rows]
        plot.lines(os.path.join(a.plots, "growth-start.svg"), "Processor time until a zone is served", "delegations", "s",
                   {"from text": [(x, max(r["load_s"], 0.005)) for x, r in zip(xs, rows)],
                    "from its image": [(x, max(r["again_s"], 0.005)) for x, r in zip(xs, rows)]}, log_y=True, log_x=True)
        plot.lines(os.path.join(a.plots, "growth-answer.svg"), "An answer out of a zone of that size", "delegations",
                   "times echo", {"saker": [(x, r["times_echo"]) for x, r in zip(xs, rows)]}, log_x=True)
    kit.finish(a, "growth", rows, text)


if __name__ == "__main__":
    main()

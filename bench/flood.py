#!/usr/bin/env python3
"""A resolver under a flood of random names: does its memory stay under the cap, and is who asks for what is cached answered?

In the simulated internet of the resolver kit (as bench/recursion.py). The cache is small, so that the flood fills it. Clients
ask for popular names at a fixed rate: before, while one of another prefix asks for names that do not exist as fast as answers
come, and after.

  bench/flood.py [--cache 64] [--rate 10000] [--seconds 30]
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import kit
from recursion import ADAPTER, ADDRESS, PORT, SIM, adapter_environment, make_internet, shell

FLOOD_NAMES = 1_000_000
PROBE_S = 3
CLIENTS, FLOODER = "127.1.0.0/28", "127.66.0.1"
EXCESS_MOST = 1.05  # memory beyond that of an empty cache, by the cap


def flood_list(path, queries):
    """Random labels below zones that exist."""
    dice = random.Random(1)
    zones = sorted({line.split()[0].rstrip(".").split(".", 1)[1] for line in open(queries) if line.count(".") > 1})
    with open(path, "w") as file:
        for _ in range(FLOOD_NAMES):
            file.write(f"{dice.getrandbits(60):015x}.{dice.choice(zones)}. A\n")


def bench(a, mode, queries, *options):
    command = [a.saker, "bench", mode, "--server", f"{ADDRESS}:{PORT}", "-d", queries, "--json", *map(str, options)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def report(process):
    return json.loads(process.communicate()[0])


def probe(a, seconds=PROBE_S):
    """The popular names at a fixed rate -> what became of them."""
    got = report(bench(a, "rate", f"{a.sim}/queries.txt", "-R", a.rate, "-l", seconds, "-c", 16, "-t", 2,
                       "-a", CLIENTS))
    latency = got["latency_us"]
    return {"sent": got["sent"], "answered": got["answered"], "servfail": got["rcodes"].get("SERVFAIL", 0),
            "p50_us": latency["p50"], "p99_us": latency["p99"]}


def inside(a):
    with tempfile.TemporaryDirectory(prefix="saker-flood-") as work:
        flood_list(f"{work}/flood.txt", f"{a.sim}/queries.txt")
        server = subprocess.Popen([ADAPTER], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, **adapter_environment(a.sim, work), "SAKER_CACHE": f"{a.cache}M"})
        flood = None
        try:
            time.sleep(1)
            memory = {"empty": kit.resident(server.pid)}
            report(bench(a, "run", f"{a.sim}/queries.txt", "-q", 100, "-c", 16, "-l", 4))
            phases = {"before": probe(a)}
            flood = bench(a, "run", f"{work}/flood.txt", "-q", a.flood, "-c", 16, "-l", a.seconds + 1, "-a", FLOODER)
            with concurrent.futures.ThreadPoolExecutor() as other:
                asking = other.submit(probe, a, a.seconds)
                most = 0
                while not asking.done():
                    most = max(most, kit.resident(server.pid))
                    time.sleep(0.2)
            phases["meanwhile"] = asking.result()
            asked = report(flood)
            memory |= {"most": max(most, kit.resident(server.pid))}
            phases["after"] = probe(a)
            print(json.dumps({"memory": memory, "phases": phases, "flood": asked["answered"], "flood_lost": asked["lost"]}))
        finally:
            for process in (flood, server):
                if process is not None and process.poll() is None:
                    process.kill()
                    process.wait()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kit.add_arguments(p, None)
    p.add_argument("--sim", default=os.path.join(tempfile.gettempdir(), "saker-sim"), help="folder of the internet")
    p.add_argument("--cache", type=int, default=64, help="MiB (default 64)")
    p.add_argument("--rate", type=int, default=10000, help="popular names a second (default 10000)")
    p.add_argument("--flood", type=int, default=400, help="random names in flight (default 400)")
    p.add_argument("--seconds", type=int, default=30, help="of flood (default 30)")
    p.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.inside:
        inside(a)
        return
    make_internet(a.sim)
    a.saker = os.environ["SAKER"] = os.path.abspath(a.saker)
    figures = json.loads(shell(a.sim, sys.executable, pathlib.Path(__file__).resolve(), "--saker", a.saker, "--inside", "--sim",
                               a.sim, "--cache", a.cache, "--rate", a.rate, "--flood", a.flood, "--seconds", a.seconds))
    memory, cap = figures["memory"], a.cache << 20
    rows = [[name, f["sent"], f"{100 * (f['sent'] - f['answered']) / f['sent']:.2f} %", f["servfail"], f"{f['p50_us']:.0f}",
             f"{f['p99_us']:.0f}"] for name, f in figures["phases"].items()]
    text = kit.table(["popular names", "asked", "unanswered", "SERVFAIL", "median, us", "99 %, us"], rows)
    grown = (memory["most"] - memory["empty"]) / cap
    text += (f"\n\nMemory: {memory['empty'] / 1e6:.1f} MB with an empty cache, at most {memory['most'] / 1e6:.1f} MB: "
             f"{grown:.3f} of the cap of {a.cache} MiB more, must {EXCESS_MOST}. "
             f"{figures['flood']} random names were answered meanwhile, {figures['flood_lost']} were not.")
    print(text)
    print(f"memory: {'holds' if grown <= EXCESS_MOST else 'MISSED'}")
    kit.finish(a, "flood", figures, text)


if __name__ == "__main__":
    main()

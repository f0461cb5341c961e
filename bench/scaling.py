#!/usr/bin/env python3
"""What more workers cost: answers a second of the server's processor time, saker beside echo with as many sockets.

Nothing is pinned. 256 source ports, so that every socket of the server gets some. Each of the two is held against
its own best; saker is to keep at least 0.95 of the share that echo keeps.

  bench/scaling.py [--workers 1,2,4,8,24] [--workload reverse]
"""
import argparse
import sys
import tempfile
import time

import kit
import servers
import workloads

PORT = 5440
MUST = 0.95   # of echo's own ratio


def measure(server, gen, workload, arguments):
    before = kit.cpu_seconds(server.pid)
    got = kit.generate(gen, server.address, server.port, workload["queries"], arguments.seconds, arguments.window,
                       workload["mode"], arguments.ports, processor=None)
    return got["received"] / (kit.cpu_seconds(server.pid) - before)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kit.add_arguments(p, None)
    p.add_argument("--workers", default="1,2,4,8,24")
    p.add_argument("--workload", default="reverse")
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--seconds", type=float, default=2)
    p.add_argument("--window", type=int, default=2048, help="queries in flight, over all ports")
    p.add_argument("--ports", type=int, default=256, help="source ports in all")
    a = p.parse_args()
    counts = [int(n) for n in a.workers.split(",")]
    workload = workloads.build(a.data)[a.workload]
    work = tempfile.mkdtemp(prefix="dns-bench-")
    tools = kit.compile_tools(work)
    running, got, port = {}, {}, PORT
    try:
        for n in counts:
            for kind, command in (
                    ("echo", lambda run, address, port, zones, n=n: [tools["echo"], address, str(port), "0", str(n)]),
                    ("saker", servers.template(kit.SAKER.format(saker=a.saker, workers=n)))):
                server = kit.Server(f"{kind}-{n}", command, work, port, [workload], processor=None)
                port += 1
                running[kind, n] = server
                if kind == "saker":
                    server.wait([workload])
        time.sleep(0.3)
        for _ in range(a.rounds):
            for key, server in running.items():
                got.setdefault(key, []).append(measure(server, tools["gen"], workload, a))
    finally:
        for server in running.values():
            server.stop()
    best = {key: max(rates) for key, rates in got.items()}
    top = {kind: max(best[kind, n] for n in counts) for kind in ("echo", "saker")}
    rows = []
    for n in counts:
        share = {kind: best[kind, n] / top[kind] for kind in top}
        rows.append({"workers": n, "echo": round(best["echo", n]), "saker": round(best["saker", n]),
                     "echo_share": round(share["echo"], 3), "saker_share": round(share["saker"], 3),
                     "saker_of_echo": round(share["saker"] / share["echo"], 3)})
    text = kit.table(["workers", "saker's share of its best, by echo's", "echo, of its best", "saker, of its best",
                      "echo, answers a second of processor time", "saker"],
                     [[r["workers"], f'{r["saker_of_echo"]:.2f}', f'{r["echo_share"]:.2f}', f'{r["saker_share"]:.2f}',
                       r["echo"], r["saker"]] for r in rows])
    print(text)
    missed = [r["workers"] for r in rows if r["saker_of_echo"] < MUST]
    print(f"below {MUST}: {missed or 'none'}")
    kit.finish(a, "scaling", rows, text)


if __name__ == "__main__":
    sys.exit(main())

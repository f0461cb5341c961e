#!/usr/bin/env python3
"""Recursion against a simulated internet: processor time an answer, cold and warm cache, saker beside other resolvers; and
what more workers keep of it.

The internet, its query list and the ways to start the peers are the resolver kit's (SAKER_KITS, default ../shared:
resolver-kit/sim); all traffic stays in a network namespace, so this wants root. One worker or thread each. Echo, a program
that only sends datagrams back, shows what the kernel takes for itself.

  bench/recursion.py [--rounds 3] [--peers unbound,pdns_recursor,kresd,named] [--workers 1,2,4,8]
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import kit

ROOT = pathlib.Path(__file__).resolve().parent.parent
KIT = pathlib.Path(os.environ.get("SAKER_KITS", ROOT / "../shared")).resolve() / "resolver-kit"
SIM = KIT / "sim/sim.py"
ADAPTER = ROOT / "tests/kits/resolver.sh"
ADDRESS, PORT = "198.18.53.53", 5301       # where the kit's resolvers listen
LINE = re.compile(r"run \d+ (cold|warm) +(\d+) qps +lost (\d+) .*cpu [\d.]+ s = ([\d.]+) us/query +(.*)")
MUST = {"cold": 0.8, "warm": 0.5}          # of the best peer
KEEP = 0.95                                # of echo's own ratio
SOCKETS = 256


def shell(folder, *command):
    """Runs a command inside the simulated internet; its output."""
    return subprocess.run([SIM, "shell", folder, *map(str, command)], capture_output=True, text=True, check=True).stdout


def one(adapter, folder):
    """-> {phase: figures} of one resolver, started afresh."""
    out = subprocess.run([SIM, "bench", "--adapter", adapter, "--runs", "1", folder], capture_output=True,
                         text=True).stdout
    return {m[1]: {"qps": int(m[2]), "lost": int(m[3]), "us": float(m[4]), "answers": m[5]} for m in LINE.finditer(out)}


def make_internet(folder):
    """Where it is not there yet."""
    if not SIM.exists():
        raise SystemExit(f"no resolver-kit/sim in {KIT.parent} (SAKER_KITS names the folder of the kits)")
    if not os.path.exists(os.path.join(folder, "queries.txt")):
        print(f"making the internet in {folder}, a minute or two", file=sys.stderr, flush=True)
        subprocess.run([SIM, "gen", folder], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([SIM, "list", folder, "--queries", "50000"], stdout=subprocess.DEVNULL)


def adapter_environment(folder, work):
    """What the kit tells an adapter of a resolver in the internet of folder; work: the resolver's own folder."""
    return {"RPL_LISTEN": ADDRESS, "RPL_LISTEN4": ADDRESS, "RPL_LISTEN6": "", "RPL_PORT": str(PORT), "RPL_DIR": work,
            "RPL_QMIN": "0", "RPL_IP4": "1", "RPL_IP6": "0", "RPL_FORWARD": "", "RPL_INSECURE": "", "RPL_LOCALHOST": "0",
            "RPL_HINTS": f"{folder}/root.hints", "RPL_ANCHORS": f"{folder}/anchor.ds",
            "RPL_DS_ANCHORS": f"{folder}/anchor.ds", "RPL_AGGRESSIVE": "1", "RPL_BENCH": "1"}


def inside(a):
    """In the namespace: processor time an answer of a command that listens there, once warm."""
    work = tempfile.mkdtemp(prefix="saker-recursion-")
    server = subprocess.Popen(a.command, cwd=work, env={**os.environ, **adapter_environment(a.inside, work)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        for count in (a.warm_up, a.seconds):
            before = kit.cpu_seconds(server.pid)
            out = subprocess.run([a.saker, "bench", "run", "--server", f"{ADDRESS}:{PORT}", "-d",
                                  f"{a.inside}/queries.txt", "-q", "512", "-c", str(SOCKETS), "-l", str(count), "--json"],
                                 capture_output=True, text=True).stdout
            used = kit.cpu_seconds(server.pid) - before
        report = json.loads(out)
        answered = report.get("answered") or report["counts"]["answered"]
        print(f"us {used * 1e6 / answered:.3f} answered {answered}")
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(work)


def ask_inside(a, folder, warm_up, seconds, command, workers=1):
    os.environ["SAKER_WORKERS"] = str(workers)
    out = shell(folder, sys.executable, os.path.abspath(__file__), "--saker", os.path.abspath(a.saker), "--inside", folder,
                "--warm-up", warm_up, "--seconds", seconds, "--", *command)
    return float(re.search(r"us ([\d.]+)", out)[1])


def compare(a, folder, echo):
    adapters = {"saker": ADAPTER}
    for peer in filter(None, a.peers.split(",")):
        if shutil.which(peer, path=os.environ["PATH"] + ":/usr/sbin") is None:
            print(f"left out, since it is not installed: {peer}; {kit.PEERS_HINT}", flush=True)
        else:
            adapters[peer] = KIT / "adapters" / peer
    rounds = {name: [] for name in adapters}
    floor = []
    for number in range(a.rounds):
        for name, adapter in adapters.items():
            rounds[name].append(one(adapter, folder))
        floor.append(ask_inside(a, folder, 0.5, 2, [echo, ADDRESS, PORT, "40"]))
        print(f"round {number + 1} of {a.rounds}", file=sys.stderr, flush=True)
    figures = {"echo": {"warm": {"us": min(floor)}}}
    for name, runs in rounds.items():
        figures[name] = {phase: min((run[phase] for run in runs), key=lambda f: f["us"]) for phase in MUST}
    best = {phase: min(f[phase]["us"] for name, f in figures.items() if name not in ("saker", "echo"))
            for phase in MUST} if len(adapters) > 1 else {}
    rows = []
    for name in [*adapters, "echo"]:
        got = figures[name]
        row = [name]
        for phase in ("warm", "cold"):
            us = got.get(phase, {}).get("us")
            row += ["-", "-"] if us is None else [f"{us:.1f}", f"{us / best[phase]:.2f}" if best else "-"]
        rows.append(row + [got["cold"]["lost"] if "cold" in got else "-", got.get("cold", {}).get("answers", "-")])
    text = kit.table(["", "warm: us an answer", "of the best peer's", "cold: us an answer", "of the best peer's",
                      "lost, cold", "answers, cold"], rows)
    print(text)
    for phase, limit in MUST.items():
        if best:
            ratio = figures["saker"][phase]["us"] / best[phase]
            print(f"{phase}: {ratio:.2f} of the best peer, must {limit}: {'holds' if ratio <= limit else 'MISSED'}")
    return figures, text


def scale(a, folder, echo):
    counts = [int(n) for n in a.workers.split(",")]
    got = {("saker", n): [] for n in counts} | {("echo", n): [] for n in counts}
    for _ in range(a.rounds):
        for n in counts:
            got["saker", n].append(1 / ask_inside(a, folder, 3, 2, [ADAPTER], n))
            got["echo", n].append(1 / ask_inside(a, folder, 0.5, 2, [echo, ADDRESS, PORT, "40", n]))
    best = {key: max(rates) for key, rates in got.items()}
    top = {kind: max(best[kind, n] for n in counts) for kind in ("saker", "echo")}
    rows, figures = [], []
    for n in counts:
        share = {kind: best[kind, n] / top[kind] for kind in top}
        ratio = share["saker"] / share["echo"]
        figures.append({"workers": n, "saker_share": share["saker"], "echo_share": share["echo"], "ratio": ratio})
        rows.append([n, f"{ratio:.2f}", f'{share["echo"]:.2f}', f'{share["saker"]:.2f}'])
    text = kit.table(["workers", "saker's share of its best, by echo's", "echo, of its best", "saker, of its best"], rows)
    print(text)
    print(f"below {KEEP}: {[f['workers'] for f in figures if f['ratio'] < KEEP] or 'none'}")
    return figures, text


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kit.add_arguments(p, None)
    p.add_argument("--peers", default="unbound,pdns_recursor,kresd,named")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--workers", default="1,2,4,8", help="empty: leave that part out")
    p.add_argument("--sim", default=os.path.join(tempfile.gettempdir(), "saker-sim"), help="folder of the internet")
    p.add_argument("--inside", help=argparse.SUPPRESS)
    p.add_argument("--warm-up", type=float, help=argparse.SUPPRESS)
    p.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    p.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    a = p.parse_args()
    if a.inside:
        inside(a)
        return
    make_internet(a.sim)
    os.environ["SAKER"] = os.path.abspath(a.saker)
    work = tempfile.mkdtemp(prefix="saker-recursion-")
    echo = kit.compile_tools(work)["echo"]
    figures, text = compare(a, a.sim, echo)
    result = {"compare": figures}
    if a.workers:
        print()
        result["scaling"], more = scale(a, a.sim, echo)
        text += "\n\nWorkers, warm cache, 256 source ports:\n\n" + more
    kit.finish(a, "recursion", result, text)


if __name__ == "__main__":
    main()

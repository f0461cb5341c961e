#!/usr/bin/env python3
"""On loopback: serves the zones of the 2006 and 2007 experiments, puts load on them, and resolves names of a small signed
internet (demo/internet) that a second server holds: `make demo`.

usage: demo.py SAKER [SECONDS]     SECONDS a run, five runs (3)
"""
import json
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import time

DEMO = pathlib.Path(__file__).resolve().parent.parent / "demo"
ZONES = {"foo.bar": "2006: nine delegations", "1.10.in-addr.arpa": "2007: 65,536 PTR by $GENERATE"}
INTERNET = {".": "root", **{name: name for name in ("example", "shop.example", "broken.example", "plain.example")}}
# Asked of the resolver: a name, and what there is to see.
RECURSION = [("alias.example", "an alias into another zone, all of it validated"),
             ("nothing.shop.example", "no such name, and proven"),
             ("www.plain.example", "a zone that is not signed, which is proven"),
             ("www.broken.example", "somebody has changed the address")]
TYPES = {"A": 1, "NS": 2, "PTR": 12}
RCODES = {0: "NOERROR", 2: "SERVFAIL", 3: "NXDOMAIN", 5: "REFUSED"}
READY_S = 20
ASK_S = 10
COLUMNS = "{:30} {:4} {:>12} {:>8} {:>8} {:>8} {:>8} {:>10}  {}"
HEAD = COLUMNS.format("zone", "over", "answers/s", "p50 us", "p99 us", "max us", "lost", "tool us/q", "limit")


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


def read_name(octets, at):
    """-> the name at an offset, and where it ends"""
    labels, end = [], None
    while octets[at] != 0:
        if octets[at] >= 0xc0:
            end = end or at + 2
            at = (octets[at] & 0x3f) << 8 | octets[at + 1]
            continue
        labels.append(octets[at + 1:at + 1 + octets[at]].decode("ascii"))
        at += 1 + octets[at]
    return ".".join(labels) + ".", end or at + 1


def read_rdata(octets, rtype, at, length):
    if rtype == TYPES["A"]:
        return socket.inet_ntoa(octets[at:at + 4])
    if rtype == 41:   # OPT: the text of an extended error, RFC 8914
        code, size = struct.unpack_from("!HH", octets, at) if length >= 6 else (0, 0)
        return octets[at + 6:at + 4 + size].decode() if code == 15 else ""
    return read_name(octets, at)[0] if rtype in (2, 5, 12) else ""


def ask(at, name, rtype):
    """-> RCODE, flags as dig writes them, RDATA of the answer section, RDATA of the authority section's NS, the reason"""
    host, port = at.split(":")
    query = struct.pack("!6H", random.getrandbits(16), 0x0120, 1, 0, 0, 1)   # RD and AD
    query += b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    query += struct.pack("!BHHBHHIH", 0, TYPES[rtype], 1, 0, 41, 1232, 0, 0)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(ASK_S)
        client.connect((host, int(port)))
        client.send(query)
        octets = client.recv(4096)
    _, flags, _, *counts = struct.unpack_from("!6H", octets)
    end = read_name(octets, 12)[1] + 4
    records = []
    for section, count in enumerate(counts):
        for _ in range(count):
            end = read_name(octets, end)[1]
            found, _, _, length = struct.unpack_from("!HHIH", octets, end)
            records.append((section, found, read_rdata(octets, found, end + 10, length)))
            end += 10 + length
    names = [word for bit, word in ((0x0400, "aa"), (0x0080, "ra"), (0x0020, "ad")) if flags & bit]
    return (RCODES.get(flags & 15, str(flags & 15)), " ".join(names), [data for where, _, data in records if where == 0],
            [data for where, kind, data in records if where == 1 and kind == 2],
            "".join(data for _, kind, data in records if kind == 41))


def show_answer(at, name, rtype, about):
    code, flags, answer, servers, reason = ask(at, name, rtype)
    what = " ".join(answer) or " ".join("to " + server for server in servers) or reason
    print(f"  {name:24} {rtype:4} {code:9} {flags:6} {what:42} {about}", flush=True)
    return code


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


def make_zones(saker, folder, at):
    """The servers of the small internet, and a resolver that begins there. -> their processes"""
    outside, here = f"127.0.0.1:{free_port()}", DEMO / "internet"
    zones = [f"--zone={zone}={here / file}.zone" for zone, file in INTERNET.items()]
    config = folder / "resolver.yaml"
    config.write_text(f"server: {{listen: ['{at}']}}\n"
                      f"resolver: {{enabled: true, cache: {{size: 64M}}, trust-anchors: {here / 'anchor'},\n"
                      f"  stub: [{{zone: ., to: ['{outside}']}}]}}\nlog: {{level: warning}}\n")
    quiet = folder / "quiet.yaml"
    quiet.write_text("log: {level: warning}\n")
    print(f"\nsaker serve --listen {outside} with a signed internet of {len(INTERNET)} zones (demo/internet), and\n"
          f"saker serve -c resolver.yaml at {at}:\n  " + config.read_text().rstrip().replace("\n", "\n  "), flush=True)
    return [subprocess.Popen([saker, "serve", *words], stdin=subprocess.DEVNULL)
            for words in (["-c", quiet, "--listen", outside, "--workers", "1", *zones], ["-c", config])]


def recursion(saker, folder, seconds):
    """-> True where all is as it has to be"""
    at = f"127.0.0.1:{free_port()}"
    servers = make_zones(saker, folder, at)
    try:
        probe = folder / "internet.probe"
        probe.write_text("www.shop.example A\n")
        wait_until_served(saker, at, servers[1], [probe])
        print("\nrecursion, validated (ad: all of it is signed)")
        codes = [show_answer(at, name, "A", about) for name, about in RECURSION]
        report = bench(saker, at, probe, "-l", str(seconds), "-c", "4")
        if report is None:
            sys.exit("demo: no answer from the resolver")
        print("\n" + HEAD)
        show("recursion: from the cache", "UDP", report)
        return codes == ["NOERROR", "NXDOMAIN", "NOERROR", "SERVFAIL"] and report["rcodes"].get("NOERROR", 0) > 0
    finally:
        for server in servers:
            server.terminate()
            server.wait()


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
    print("\nauthoritative")
    show_answer(at, "ns.foo.bar", "A", "an answer out of the zone (aa)")
    show_answer(at, "test1.foo.bar", "A", "a referral to the servers of a delegation")
    show_answer(at, "7.5.1.10.in-addr.arpa", "PTR", "one of 65,536 that a line made")
    print("\n" + HEAD)
    lost = 0
    for zone, name in ZONES.items():
        for transport, flags in (("UDP", []), ("TCP", ["--tcp"])):
            report = bench(saker, at, queries[zone], "-l", str(seconds), "-c", "4", *flags)
            if report is None:
                sys.exit(f"demo: no answer over {transport}")
            show(name, transport, report)
            lost += report["answered"] == 0 or set(report["rcodes"]) != {"NOERROR"}
    return lost == 0


def main():
    saker = str(pathlib.Path(sys.argv[1]).resolve())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 3
    at = f"127.0.0.1:{free_port()}"
    zones = [f"--zone={zone}={DEMO / (zone + '.zone')}" for zone in ZONES]
    print(f"saker serve --listen {at} with the zones in demo/")
    server = subprocess.Popen([saker, "serve", "--listen", at, *zones], stdin=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            good = run(saker, at, server, folder, seconds)
            good &= recursion(saker, folder, seconds)
    finally:
        server.terminate()
        server.wait()
    print("\nServer and load tool share this machine's processors and its loopback: compare the rows, not the figures.")
    return 0 if good else 1


sys.exit(main())

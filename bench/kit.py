"""What the measurements share: tools, servers as processes, their processor time and memory, tables and files."""
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import servers

HERE = pathlib.Path(__file__).resolve().parent
HZ = os.sysconf("SC_CLK_TCK")
DATA = os.path.join(tempfile.gettempdir(), "dns-bench-data")
SAKER = "{saker} serve --workers {workers} --listen {{address}}:{{port}} --zone {{zone}}={{file}}"
PEERS_HINT = "to install what is missing: tools/setup.sh peers"

# Ended from outside, a measurement still ends the servers that it started.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def compile_tools(work):
    """-> {name: program} of the C programs beside this file."""
    tools = {}
    for source in sorted(HERE.glob("*.c")):
        tools[source.stem] = os.path.join(work, source.stem + ".bin")
        subprocess.run(["cc", "-O2", "-Wall", "-pthread", "-o", tools[source.stem], str(source)], check=True)
    return tools


def family(pid):
    """pid and all its descendants."""
    found = [pid]
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            for child in open(f"/proc/{pid}/task/{task}/children").read().split():
                found += family(int(child))
    except (FileNotFoundError, ProcessLookupError):
        pass
    return found


def cpu_seconds(pid):
    """Processor time of the family so far, in steps of a tick."""
    total = 0
    for p in family(pid):
        try:
            fields = open(f"/proc/{p}/stat").read().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total / HZ


def resident(pid):
    """Octets of memory that the family keeps, shared pages counted once by proportional set size."""
    total = 0
    for p in family(pid):
        try:
            for line in open(f"/proc/{p}/smaps_rollup"):
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except (FileNotFoundError, ProcessLookupError):
            pass
    return total


class Server:
    """A server in the foreground, on one processor or (None) on all."""

    def __init__(self, name, command, work, port, zones, processor=0):
        self.name, self.address, self.port = name, "127.0.0.1", port
        run = os.path.join(work, name)
        os.makedirs(run, exist_ok=True)
        pin = [] if processor is None else ["taskset", "-c", str(processor)]
        with open(os.path.join(run, "output"), "w") as log:
            self.process = subprocess.Popen(pin + command(run, self.address, port, zones), stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, cwd=run)
        self.pid = self.process.pid
        self.output = log.name

    def wait(self, zones, seconds=300):
        """Until it answers for all zones."""
        until = time.time() + seconds
        for zone in zones:
            while not self.answers(zone["zone"]):
                if self.process.poll() is not None:
                    raise SystemExit(f"{self.name} ended with status {self.process.returncode}, see {self.output}")
                if time.time() > until:
                    raise SystemExit(f"{self.name} did not answer {zone['zone']} SOA in {seconds} s")
                time.sleep(0.1)
        self.load_cpu, self.load_bytes = cpu_seconds(self.pid), resident(self.pid)

    def answers(self, zone):
        dig = ["dig", f"@{self.address}", "-p", str(self.port), zone, "SOA", "+norec", "+time=1", "+tries=1"]
        return "status: NOERROR" in subprocess.run(dig, capture_output=True, text=True).stdout

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def generate(program, *words, processor=1):
    """Runs a generator, returns what its line says. processor None: where it likes."""
    pin = [] if processor is None else ["taskset", "-c", str(processor)]
    out = subprocess.run(pin + [program, *map(str, words)], capture_output=True, text=True, check=True).stdout
    return json.loads(out)


def add_arguments(parser, peers):
    parser.add_argument("--saker", default="build/saker", help="the program (default build/saker)")
    if peers:
        parser.add_argument("--peers", default=peers, help=f"comma-separated, empty for none (default {peers})")
        parser.add_argument("--candidate", action="append", default=[], metavar="NAME=COMMAND",
                            help="a server given as one command line, see servers.py")
    parser.add_argument("--data", default=DATA, help=f"folder of zones and queries (default {DATA})")
    parser.add_argument("--json", metavar="FILE", help="write the figures there")
    parser.add_argument("--page", metavar="FILE", help="write the tables there, between their markers")


def commands(arguments):
    """-> {name: function(run, address, port, zones) -> command}: saker, and the peers that are installed."""
    wish = {"saker": servers.template(SAKER.format(saker=os.path.abspath(arguments.saker), workers=1))}
    missing = []
    for peer in filter(None, arguments.peers.split(",")):
        kind, _, binary = peer.partition("=")
        if kind not in servers.PEERS:
            raise SystemExit(f"--peers {kind}: expected some of {', '.join(servers.PEERS)}")
        start = servers.PEERS[kind]
        path = shutil.which(os.path.abspath(binary) if binary else servers.BINARIES[kind],
                            path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
        if path is None:
            missing.append(binary or servers.BINARIES[kind])
        else:
            wish[kind + "'" if binary else kind] = functools.partial(start, binary=path)
    for candidate in arguments.candidate:
        name, _, text = candidate.partition("=")
        wish[name] = servers.template(text)
    if missing:
        print(f"left out, since they are not installed: {', '.join(missing)}; {PEERS_HINT}", flush=True)
    return wish


def table(head, rows):
    """Markdown, the first column to the left and the others to the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def machine():
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return f"{os.cpu_count()} processors ({model[1] if model else 'unknown'}), Linux {os.uname().release}"


def finish(arguments, name, figures, text):
    """Writes figures as JSON, and text into the page between the markers of name."""
    stamp = time.strftime("%Y-%m-%d")
    if arguments.json:
        os.makedirs(os.path.dirname(os.path.abspath(arguments.json)), exist_ok=True)
        with open(arguments.json, "w") as file:
            json.dump({"bench": name, "date": stamp, "machine": machine(), "figures": figures}, file, indent=1)
    if arguments.page:
        page = pathlib.Path(arguments.page)
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, found, rest = page.read_text().partition(begin)
        if not found or end not in rest:
            raise SystemExit(f"{page}: no markers for {name}")
        after = rest.partition(end)[2]
        page.write_text(f"{before}{begin}\n{text}\n\nMeasured {stamp} on {machine()}.\n\n{end}{after}")

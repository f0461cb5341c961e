"""How each server is started in the foreground, one worker, on one address and port, with a set of zones.

Each function writes its configuration under `run` and returns the command (a list). `zones` is the list that
workloads.build() returns, as dictionaries; a server that has no $GENERATE is given the "flat" file."""
import os


def _put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    return path


def nsd(run, address, port, zones, binary="nsd"):
    conf = f"""server:
  ip-address: {address}@{port}
  server-count: 1
  username: ""
  chroot: ""
  zonesdir: "{run}"
  pidfile: "{run}/pid"
  database: ""
  zonelistfile: "{run}/list"
  xfrdfile: "{run}/xfrd"
  logfile: "{run}/log"
  rrl-ratelimit: 0
remote-control:
  control-enable: no
""" + "".join(f'zone:\n  name: {z["zone"]}\n  zonefile: {z["flat"]}\n' for z in zones)
    return [binary, "-d", "-c", _put(f"{run}/nsd.conf", conf)]


def knot(run, address, port, zones, binary="knotd", xdp=None):
    conf = f"""server:
  listen: {address}@{port}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
  rundir: {run}
database:
  storage: {run}/db
{f'xdp:{chr(10)}  listen: {xdp}' if xdp else ''}
log:
  - target: {run}/log
    any: info
template:
  - id: default
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: none
zone:
""" + "".join(f'  - domain: {z["zone"]}\n    file: {z["flat"]}\n' for z in zones)
    return [binary, "-c", _put(f"{run}/knot.conf", conf)]


def named(run, address, port, zones, binary="named"):
    conf = f"""options {{ directory "{run}"; listen-on port {port} {{ {address}; }}; listen-on-v6 {{ none; }};
  recursion no; pid-file "{run}/pid"; session-keyfile "{run}/sk"; minimal-responses no-auth-recursive; }};
controls {{ }};
""" + "".join(f'zone "{z["zone"]}" {{ type primary; file "{z["file"]}"; }};\n' for z in zones)
    return [binary, "-g", "-n", "1", "-U", "1", "-c", _put(f"{run}/named.conf", conf)]


def pdns(run, address, port, zones, binary="pdns_server"):
    bind = "".join(f'zone "{z["zone"]}" {{ type master; file "{z["file"]}"; }};\n' for z in zones)
    _put(f"{run}/zones.conf", f'options {{ directory "{run}"; }};\n' + bind)
    _put(f"{run}/pdns.conf", f"""launch=bind
bind-config={run}/zones.conf
local-address={address}
local-port={port}
receiver-threads=1
distributor-threads=1
socket-dir={run}
daemon=no
guardian=no
disable-axfr=yes
security-poll-suffix=
""")
    return [binary, f"--config-dir={run}"]


PEERS = {"nsd": nsd, "knot": knot, "named": named, "pdns": pdns}
BINARIES = {"nsd": "nsd", "knot": "knotd", "named": "named", "pdns": "pdns_server"}


def template(text):
    """A server given as one command line, split on spaces: {address}, {port} and {run} are filled in, and a word
    that holds {zone} or {file} is repeated for each zone with the option before it when that begins with '-'."""
    words = text.split()
    if os.path.exists(words[0]):
        words[0] = os.path.abspath(words[0])   # servers run in a folder of their own

    def command(run, address, port, zones):
        out = []
        for i, w in enumerate(words):
            if "{zone}" in w or "{file}" in w:
                option = [out.pop()] if out and out[-1].startswith("-") else []
                for z in zones:
                    out += option + [w.format(address=address, port=port, run=run, **z)]
            else:
                out.append(w.format(address=address, port=port, run=run))
        return out
    return command

"""Zones and query lists for side-by-side measurements. Everything is made from a fixed seed, so two runs agree.

  delegations  9 delegations, NS queries           (the 2006 FreeBSD/Linux comparison)
  reverse      65,536 PTR records from $GENERATE   (the 2007 suggestion for an authoritative test)
  mixed        the same zone; of ten queries three without EDNS, two DO, five with a cookie; a fifth NODATA or NXDOMAIN
  tld          1,000,000 delegations, 3,000,000 records; 80 % referrals, 20 % NXDOMAIN
  signed       100,000 delegations, one in five with DS, NSEC3; DO queries, 60 % referrals, 40 % NXDOMAIN
  root         the real root zone of 2017, NSEC; DO queries, 40 % referrals (Zipf over the TLDs), 60 % NXDOMAIN;
               left out where the kits are not there
"""
import gzip
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
from run_kits import KITS   # the one place that knows the folder of the kits

ROOT_ZONE = str(KITS / "real/root-2017-08-21.zone.gz")
SOA = "host.nic.{0}. ( 1 10800 3600 2592000 3600 )"


def label(i):
    return "d%07x" % (i * 2654435761 % 0xFFFFFFF)


def _write(path, text):
    with open(path + ".part", "w") as f:
        for piece in text:
            f.write(piece)
    os.replace(path + ".part", path)


def _apex(zone):
    yield f"$ORIGIN {zone}.\n$TTL 86400\n"
    yield f"@ IN SOA a.nic.{zone}. {SOA.format(zone)}\n@ IN NS a.nic.{zone}.\n@ IN NS b.nic.{zone}.\n"
    yield "a.nic IN A 192.0.2.1\nb.nic IN A 192.0.2.2\nb.nic IN AAAA 2001:db8::2\n"


def _tld(zone, n, ds_every=0):
    yield from _apex(zone)
    for i in range(n):
        d = label(i)
        yield (f"{d}.{zone}. 172800 IN NS ns1.{d}.{zone}.\n{d}.{zone}. 172800 IN NS ns2.host{i % 5000}.example.\n"
               f"ns1.{d}.{zone}. 172800 IN A 198.51.100.{i % 250 + 1}\n")
        if ds_every and i % ds_every == 0:
            yield f"{d}.{zone}. 86400 IN DS {i % 65536} 13 2 {'%064x' % (i * 0x9E3779B97F4A7C15 % 2**256)}\n"


def _tld_queries(zone, n, names, missing, rng):
    for _ in range(n):
        if rng.random() < missing:
            yield "x%07x.%s A\n" % (rng.randrange(0xFFFFFFF), zone)
        else:
            yield f"www.{label(rng.randrange(names))}.{zone} A\n"


def _root(at, rng):
    root = gzip.open(ROOT_ZONE, "rt").read()
    _write(at("root.zone"), [root])
    tlds = sorted({f[0] for f in (line.split() for line in root.splitlines()) if f[3] == "NS" and f[0] != "."})
    rng.shuffle(tlds)
    weights = [1 / (i + 1) for i in range(len(tlds))]
    known = rng.choices(tlds, weights, k=120_000)
    _write(at("root.q"), (f"www.example{rng.randrange(5000)}.{known[i]} A\n" if rng.random() < 0.4
                          else "host%d.x%06x. A\n" % (i % 97, rng.randrange(1 << 24)) for i in range(120_000)))


def build(folder, tld_size=1_000_000, signed_size=100_000):
    """Returns {workload: {"zone": name, "file": path, "flat": path without $GENERATE, "queries": path, "mode": of gen}}."""
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    rng = random.Random(1)
    todo = {
        "delegations": ("foo.bar", "foo.bar.zone", "foo.bar.zone", "delegations.q", "plain"),
        "reverse": ("1.10.in-addr.arpa", "reverse.zone", "reverse.flat.zone", "reverse.q", "plain"),
        "mixed": ("1.10.in-addr.arpa", "reverse.zone", "reverse.flat.zone", "mixed.q", "mixed"),
        "tld": ("tld", "tld.zone", "tld.zone", "tld.q", "plain"),
        "signed": ("signed", "signed.zone", "signed.zone", "signed.q", "do"),
        "root": (".", "root.zone", "root.zone", "root.q", "do"),
    }
    result = {w: {"zone": z, "file": at(f), "flat": at(g), "queries": at(q), "mode": mode}
              for w, (z, f, g, q, mode) in todo.items()}
    stamp = at(f"stamp3-{tld_size}-{signed_size}")
    if not os.path.exists(ROOT_ZONE):
        print(f"no workload `root`: there is no {ROOT_ZONE} (SAKER_KITS names the folder of the kits)", file=sys.stderr)
        del result["root"]
        stamp += "-rootless"
    if os.path.exists(stamp):
        return result
    _write(at("foo.bar.zone"), ["$TTL 86400\n$ORIGIN foo.bar.\n@ 172800 in soa foo.dns.bar. hostmaster.foo.bar. "
                                "( 2006090601 1800 900 604800 900 )\n 172800 in ns foo.dns.bar.\n"]
           + [f"test{i} IN NS qq{i}.bsd.\n" for i in range(1, 10)])
    _write(at("delegations.q"), (f"test{rng.randint(1, 9)}.foo.bar NS\n" for _ in range(100_000)))
    head = ["$TTL 86400\n$ORIGIN 1.10.in-addr.arpa.\n@ IN SOA localhost. hostmaster.localhost. "
            "( 1 3h 1h 30d 1d )\n@ IN NS localhost.\n"]
    _write(at("reverse.zone"), head + [f"$GENERATE 0-255 $.{b} PTR ip-10-1-{b}-$.example.com.\n" for b in range(256)])
    _write(at("reverse.flat.zone"), head + [f"{a}.{b} PTR ip-10-1-{b}-{a}.example.com.\n"
                                            for b in range(256) for a in range(256)])
    _write(at("reverse.q"), (f"{rng.randrange(256)}.{rng.randrange(256)}.1.10.in-addr.arpa PTR\n"
                             for _ in range(200_000)))
    _write(at("mixed.q"), (f"{rng.randrange(256)}.{rng.randrange(256) if i % 10 else 'x'}.1.10.in-addr.arpa "
                           f"{'A' if i % 10 == 5 else 'PTR'}\n" for i in range(200_000)))
    _write(at("tld.zone"), _tld("tld", tld_size))
    _write(at("tld.q"), _tld_queries("tld", 500_000, tld_size, 0.2, rng))
    _write(at("signed.plain"), _tld("signed", signed_size, ds_every=5))
    subprocess.run(["sh", "-c", "rm -f Ksigned.* && key=$(dnssec-keygen -q -a 13 -f KSK signed) && "
                    "zsk=$(dnssec-keygen -q -a 13 signed) && "
                    "dnssec-signzone -q -S -A -3 - -H 0 -o signed -O full -f signed.zone signed.plain"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    _write(at("signed.q"), _tld_queries("signed", 300_000, signed_size, 0.4, rng))
    if "root" in result:
        _root(at, rng)
    open(stamp, "w").close()
    return result

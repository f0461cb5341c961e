"""Signed answers and denials, judged by a validator that is not ours: delv checks every proof and signature.

The zone is signed with NSEC, NSEC3 and NSEC3 with opt-out, and asked for names that exist, that do not, that a
wildcard answers for, that are empty, below cuts and DNAMEs, at random from a fixed seed.
"""
import os
import random
import shutil
import subprocess

from system_kit import LIMIT, Case, main

ZONE = """$TTL 300
@ SOA ns host 1 3600 600 86400 60
@ NS ns
@ MX 10 www
ns A 192.0.2.1
www A 192.0.2.2
a.b.c TXT deep
*.wild TXT star
sub.wild A 192.0.2.5
*.cn CNAME www
alias CNAME www
chain CNAME q.cn
dangle CNAME nope
kid NS ns.kid
ns.kid A 192.0.2.6
x.ent.kid2 NS ns.other.
secure NS ns.other.
secure DS 1 13 2 00000000000000000000000000000000000000000000000000000000000000ff
old DNAME new
x.new A 192.0.2.7
*.new TXT w
*.ent.w2 A 192.0.2.8
"""
MODES = {"nsec": [], "nsec3": ["-3", "-"], "optout": ["-3", "beef", "-A"]}
LABELS = ["a", "b", "c", "wild", "sub", "cn", "alias", "kid2", "ent", "w2", "old", "new", "x", "nope", "zz", "*"]
TYPES = ["A", "TXT", "MX", "DS"]
# What stands at and below cuts is not ours to sign, so a validator that asks us alone cannot judge it.
CUTS = ("kid", "x.ent.kid2", "secure")


def sign(folder, mode):
    """The signed zone's path and a file with its key as trust anchor."""
    def key(*more):
        return subprocess.run(["dnssec-keygen", "-q", "-a", "13", *more, "z.test"], cwd=folder, check=True,
                              capture_output=True, text=True, timeout=LIMIT).stdout.strip()
    ksk = key("-f", "KSK")
    key()
    with open(os.path.join(folder, "plain"), "w") as f:
        f.write(ZONE)
    subprocess.run(["dnssec-signzone", "-q", "-S", *MODES[mode], "-H", "0", "-o", "z.test", "-f", "signed", "plain"],
                   cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
    with open(os.path.join(folder, ksk + ".key")) as f:
        lines = f.readlines()
    for words in map(str.split, lines):
        if "DNSKEY" in words:
            flags, protocol, algorithm = words[words.index("DNSKEY") + 1:][:3]
            with open(os.path.join(folder, "anchor"), "w") as f:
                f.write('trust-anchors { "z.test." static-key %s %s %s "%s"; };\n' % (
                    flags, protocol, algorithm, "".join(words[words.index(algorithm, words.index("DNSKEY") + 3) + 1:])))
    return os.path.join(folder, "signed"), os.path.join(folder, "anchor")


def below_cut(name, qtype):
    if (name, qtype) == ("", "DS"):
        return True    # the parent's
    return any((name == cut and qtype != "DS") or name.endswith("." + cut) for cut in CUTS)


def questions(rng):
    fixed = ["", "www", "nope", "b.c", "x.b.c", "q.wild", "q.q.wild", "sub.wild", "x.sub.wild", "q.cn", "alias", "chain",
             "dangle", "kid", "secure", "kid2", "ent.kid2", "x.ent.kid2", "nope.kid2", "x.old", "y.old", "q.ent.w2", "ent.w2"]
    names = fixed + [".".join(rng.choice(LABELS) for _ in range(rng.randint(1, 3))) for _ in range(15)]
    for name in names:
        for qtype in TYPES if name in fixed else [rng.choice(TYPES)]:
            if not below_cut(name, qtype):
                yield name, qtype


class Validator(Case):
    def check_mode(self, mode):
        for tool in ("dnssec-signzone", "dnssec-keygen", "delv"):
            if shutil.which(tool) is None:
                self.skipTest("no " + tool)
        signed, anchor = sign(self.folder.name, mode)
        server = self.serve("--listen", "127.0.0.1:0", "--zone", "z.test=" + signed)
        host, port = server.addresses[0]
        verdicts = {"secure": 0, "denied": 0, "unsigned": 0}
        for name, qtype in questions(random.Random(7)):
            full = (name + "." if name else "") + "z.test"
            out = subprocess.run(["delv", "@" + host, "-p", str(port), "-a", anchor, "+root=z.test", full, qtype],
                                 capture_output=True, text=True, timeout=LIMIT)
            said = out.stdout + out.stderr
            if "; negative response, fully validated" in said:
                verdicts["denied"] += 1
            elif mode == "optout" and "; unsigned answer" in said:
                verdicts["unsigned"] += 1    # an opt-out span proves nothing about names in it, RFC 5155 sec 6
            elif "; fully validated" in said and "broken" not in said:
                verdicts["secure"] += 1
            else:
                self.fail("%s: %s %s: %s" % (mode, full, qtype, said))
        self.assertGreater(verdicts["secure"], 15)
        self.assertGreater(verdicts["denied"], 30)
        self.stops(server)

    def test_nsec(self):
        self.check_mode("nsec")

    def test_nsec3(self):
        self.check_mode("nsec3")

    def test_opt_out(self):
        self.check_mode("optout")


main()

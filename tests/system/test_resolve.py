"""saker serve --resolve among authoritative servers of its own: a root, a zone below it, and zones below that.

All of it is in a network namespace that the test makes, where port 53 is free on every address of 127/8; where that may not
be made, the tests are skipped. Zones are signed where BIND's tools are installed.
"""
import os
import shutil
import socket
import subprocess
import sys
import threading

import dns.edns
import dns.flags
import dns.message
import dns.query
import dns.rcode
import dns.rdatatype

from system_kit import LIMIT, Case, ends, frame, main, query, read_message

ROOT, COM, SITES, SILENT, SLOW = ("127.1.0.%d" % n for n in (1, 2, 3, 4, 5))
CLIENTS = 100

ZONES = {
    ".": """@ SOA ns.root. host.root. 1 7200 900 1209600 300
@ NS ns.root.
ns.root. A {root}
com. NS ns.com.
ns.com. A {com}
silent. NS ns.silent.
ns.silent. A {silent}
slow. NS ns.slow.
ns.slow. A {slow}
""",
    "com.": """@ SOA ns host 1 7200 900 1209600 300
@ NS ns
ns A {com}
example NS ns.example
ns.example A {sites}
other NS ns.example
plain NS ns.example
broken NS ns.example
""",
    "example.com.": """@ SOA ns host 1 7200 900 1209600 300
@ NS ns
ns A {sites}
www A 192.0.2.80
alias CNAME www.other.com.
*.wild A 192.0.2.81
deep.ent TXT "deep"
big TXT {big}
mail MX 10 www
""",
    "other.com.": """@ SOA ns.example.com. host 1 7200 900 1209600 300
@ NS ns.example.com.
www A 192.0.2.90
""",
    "plain.com.": """@ SOA ns.example.com. host 1 7200 900 1209600 300
@ NS ns.example.com.
www A 192.0.2.91
""",
    "broken.com.": """@ SOA ns.example.com. host 1 7200 900 1209600 300
@ NS ns.example.com.
www A 192.0.2.92
""",
}
SIGNED = ("example.com.", "other.com.", "broken.com.", "com.", ".")   # children first: their DS goes to the parent
BIND_TOOLS = all(shutil.which(tool) for tool in ("dnssec-keygen", "dnssec-signzone"))
BIG = " ".join('"%s"' % (chr(97 + i % 26) * 250) for i in range(30))


def parent_of(zone):
    return zone.split(".", 1)[1] or "."


class SlowServer:
    """Answers A for any name below slow., but only when it is let; it counts what it is asked."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((SLOW, 53))
        self.asked = []
        self.news = threading.Condition()
        self.go = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while True:
            octets, address = self.socket.recvfrom(4096)
            if octets == b"end":
                return
            question = dns.message.from_wire(octets)
            with self.news:
                self.asked.append(question.question[0].name.to_text())
                self.news.notify_all()
            self.go.wait(LIMIT)
            answer = dns.message.make_response(question)
            answer.flags |= dns.flags.AA
            if question.question[0].rdtype == dns.rdatatype.A:
                answer.answer.append(dns.rrset.from_text(question.question[0].name, 60, "IN", "A", "192.0.2.99"))
            self.socket.sendto(answer.to_wire(), address)

    def wait_for_a_question(self):
        with self.news:
            self.news.wait_for(lambda: self.asked, LIMIT)

    def end(self):
        self.go.set()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
            out.sendto(b"end", (SLOW, 53))
        self.thread.join(LIMIT)
        self.socket.close()


class Resolve(Case):
    def sign(self, zone, file):
        """Signs a zone in place; its DS records come back."""
        def tool(*args):
            return subprocess.run(args, cwd=self.folder.name, check=True, capture_output=True, text=True,
                                  timeout=LIMIT).stdout
        key = tool("dnssec-keygen", "-q", "-a", "ECDSAP256SHA256", "-f", "KSK", zone).strip()
        with open(self.path(file), "a") as out, open(self.path(key + ".key")) as record:
            out.write(record.read())
        nsec3 = ["-3", "-", "-H", "0"] if zone in ("com.", "other.com.") else []
        tool("dnssec-signzone", "-q", "-P", "-z", "-o", zone, *nsec3, "-f", file, file, key)
        with open(self.path("dsset-" + zone)) as records:
            return records.read()

    def make_zones(self):
        files = {}
        for zone, text in ZONES.items():
            files[zone] = (zone.strip(".") or "root") + ".zone"
            self.write(files[zone], "$ORIGIN %s\n$TTL 300\n" % zone + text.format(
                root=ROOT, com=COM, sites=SITES, silent=SILENT, slow=SLOW, big=BIG))
        for zone in SIGNED if BIND_TOOLS else ():
            ds = self.sign(zone, files[zone])
            if zone == ".":
                self.write("anchors", "".join(line for line in ds.splitlines(keepends=True)))
            else:
                with open(self.path(files[parent_of(zone)]), "a") as parent:
                    parent.write(ds)
        if BIND_TOOLS:
            # An address that was signed is another now.
            with open(self.path("broken.com.zone")) as file:
                text = file.read()
            self.assertIn("192.0.2.92", text)
            self.write("broken.com.zone", text.replace("192.0.2.92", "192.0.2.93"))
        return files

    def start(self, extra="", listen="127.0.0.1:0", more=()):
        files = self.make_zones()
        for address, zones in ((ROOT, (".",)), (COM, ("com.",)),
                               (SITES, ("example.com.", "other.com.", "plain.com.", "broken.com."))):
            arguments = ["--listen", address + ":53", "--workers", "1"]
            for zone in zones:
                arguments += ["--zone", "%s=%s" % (zone, self.path(files[zone]))]
            self.serve(*arguments)
        self.write("hints", ". NS ns.root.\nns.root. A %s\n" % ROOT)
        if not BIND_TOOLS:
            extra += ", validate: false"
        path = self.write("saker.yaml", "server: {listen: ['%s'], workers: 2}\n"
                          "resolver: {enabled: true, root-hints: hints, query-localhost: true, "
                          "special-names: false%s%s}\n" % (
                              listen, ", trust-anchors: anchors" if BIND_TOOLS else "", extra))
        return self.serve("-c", path, *more)

    def addresses(self, answer):
        return [rdata.address for rrset in answer.answer if rrset.rdtype == dns.rdatatype.A for rdata in rrset]

    def test_names_over_both_transports(self):
        server = self.start()
        for tcp in (False, True):
            self.assertEqual(self.addresses(server.ask("www.example.com", "A", tcp=tcp)), ["192.0.2.80"])
            self.assertEqual(self.addresses(server.ask("x.wild.example.com", "A", tcp=tcp)), ["192.0.2.81"])
            self.check_code(server.ask("nothing.example.com", "A", tcp=tcp), "NXDOMAIN")
            self.check_code(server.ask("nothing.com", "A", tcp=tcp), "NXDOMAIN")
            nodata = server.ask("ent.example.com", "A", tcp=tcp)
            self.check_code(nodata, "NOERROR")
            self.assertEqual(nodata.answer, [])
            alias = server.ask("alias.example.com", "A", tcp=tcp)
            self.assertEqual([rrset.rdtype for rrset in alias.answer],
                             [dns.rdatatype.CNAME, dns.rdatatype.A])
            self.assertEqual(self.addresses(alias), ["192.0.2.90"])
        self.stops(server)

    def test_what_is_too_large_for_a_datagram(self):
        server = self.start()
        cut = server.ask("big.example.com", "TXT")
        self.assertTrue(cut.flags & dns.flags.TC)
        whole = server.ask("big.example.com", "TXT", tcp=True)
        self.assertEqual(len(whole.answer[0][0].strings), 30)
        self.stops(server)

    def test_signatures(self):
        if not BIND_TOOLS:
            self.skipTest("dnssec-keygen and dnssec-signzone are not installed")
        server = self.start()
        for name, rtype, secure in (("www.example.com", "A", True), ("alias.example.com", "A", True),
                                    ("x.wild.example.com", "A", True), ("nothing.example.com", "A", True),
                                    ("ent.example.com", "A", True), ("nothing.com", "A", True),
                                    ("www.plain.com", "A", False), ("plain.com", "DS", True)):
            for _ in range(3):   # asked, cached, and as it goes out
                answer = server.ask(name, rtype, want_dnssec=True)
                self.assertEqual(bool(answer.flags & dns.flags.AD), secure, name)
        # Who did not sign it is told to the client and, not each time, to the log.
        answer = server.ask("www.broken.com", "A", want_dnssec=True)
        self.check_code(answer, "SERVFAIL")
        error = next(option for option in answer.options if option.otype == dns.edns.OptionType.EDE)
        self.assertEqual(error.code, dns.edns.EDECode.DNSSEC_BOGUS)
        self.assertRegex(error.text, r"^signed by broken\.com\. key [0-9]+$")
        line = server.wait_for("event=bogus name=www.broken.com. type=A ede=6 ")
        self.assertIn('cause="%s"' % error.text, line)
        unchecked = dns.message.make_query("www.broken.com", "A")
        unchecked.flags |= dns.flags.CD
        address, port = server.addresses[0]
        answer = dns.query.udp(unchecked, address, timeout=LIMIT, port=port)
        self.assertEqual(self.addresses(answer), ["192.0.2.93"])
        self.assertFalse(answer.flags & dns.flags.AD)
        self.check_code(server.ask("www.broken.com", "A"), "SERVFAIL")
        self.stops(server)

    def test_delv_and_dig_agree(self):
        if not (BIND_TOOLS and shutil.which("delv") and shutil.which("dig")):
            self.skipTest("delv, dig or the tools that sign are not installed")
        server = self.start()
        address, port = server.addresses[0]
        file = next(file for file in os.listdir(self.folder.name)
                    if file.startswith("K.+") and file.endswith(".key"))
        with open(self.path(file)) as lines:
            key = next(line.split("DNSKEY")[1] for line in lines if "DNSKEY" in line and line[0] != ";")
        flags, protocol, algorithm, *octets = key.split()
        self.write("delv.keys", 'trust-anchors { . static-key %s %s %s "%s"; };\n' % (
            flags, protocol, algorithm, "".join(octets)))
        for name, rtype, said in (("www.example.com", "A", "fully validated"),
                                  ("alias.example.com", "A", "fully validated"),
                                  ("x.wild.example.com", "A", "fully validated"),
                                  ("nothing.example.com", "A", "negative response, fully validated"),
                                  ("nothing.com", "A", "negative response, fully validated"),
                                  ("ent.example.com", "A", "negative response, fully validated"),
                                  ("www.plain.com", "A", "unsigned answer")):
            done = subprocess.run(["delv", "@" + address, "-p", str(port), "-a", self.path("delv.keys"),
                                   "+root=.", name, rtype], capture_output=True, text=True, timeout=LIMIT)
            self.assertIn(said, done.stdout + done.stderr, name)
        done = subprocess.run(["dig", "@" + address, "-p", str(port), "+dnssec", "www.example.com"],
                              capture_output=True, text=True, timeout=LIMIT)
        self.assertIn(" ad;", done.stdout)
        self.assertNotIn("WARNING", done.stdout)
        self.stops(server)

    def test_the_end_of_sending_is_not_the_end_of_answers(self):
        server = self.start()
        with server.connect() as connection:
            connection.sendall(b"".join(frame(query("n%d.example.com" % n, "A", n)) for n in range(50)))
            connection.shutdown(socket.SHUT_WR)
            numbers = sorted(dns.message.from_wire(read_message(connection)).id for _ in range(50))
            self.assertEqual(numbers, list(range(50)))
            self.assertTrue(ends(connection))
        self.stops(server)

    def test_many_clients_of_one_question_wait_for_one(self):
        slow = SlowServer()
        self.addCleanup(slow.end)
        server = self.start(", validate: false, qname-minimisation: false" if BIND_TOOLS
                            else ", qname-minimisation: false")
        clients = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(CLIENTS)]
        for number, client in enumerate(clients):
            client.settimeout(LIMIT)
            client.connect(server.addresses[0])
            client.send(query("www.slow", "A", number))
        slow.wait_for_a_question()
        slow.go.set()
        for number, client in enumerate(clients):
            answer = dns.message.from_wire(client.recv(4096))
            self.assertEqual(answer.id, number)
            self.assertEqual(self.addresses(answer), ["192.0.2.99"])
            client.close()
        # A worker each, and a time-out or two where the machine is slow: not one for each client.
        self.assertLessEqual(slow.asked.count("www.slow."), CLIENTS // 10)
        self.stops(server)

    def test_the_end_comes_in_the_midst_of_work(self):
        server = self.start()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client, server.connect() as connection:
            slow = SlowServer()
            self.addCleanup(slow.end)
            client.connect(server.addresses[0])
            for number in range(50):
                client.send(query("n%d.slow" % number, "A", number))
                connection.sendall(frame(query("n%d.slow" % number, "MX", number)))
            slow.wait_for_a_question()
            self.stops(server)

    def test_clients_that_go_before_the_answer(self):
        slow = SlowServer()
        self.addCleanup(slow.end)
        server = self.start(", validate: false" if BIND_TOOLS else "")
        for number in range(20):
            with server.connect() as connection:
                connection.sendall(frame(query("n%d.slow" % number, "A", number)))
        slow.wait_for_a_question()
        slow.go.set()
        self.assertEqual(self.addresses(server.ask("last.slow", "A")), ["192.0.2.99"])
        self.stops(server)

    def test_zones_and_resolver_on_one_address(self):
        self.write("own.zone", "$TTL 60\n@ SOA ns host 1 7200 900 1209600 300\n@ NS ns\nns A 192.0.2.1\n"
                               "www A 192.0.2.2\n")
        server = self.start(more=("--zone", "own.example=" + self.path("own.zone")))
        own = server.ask("www.own.example", "A")
        self.assertEqual(self.addresses(own), ["192.0.2.2"])
        self.assertTrue(own.flags & dns.flags.AA)
        self.assertTrue(own.flags & dns.flags.RA)   # recursion is to be had, for who may
        self.check_code(server.ask("nothing.own.example", "A"), "NXDOMAIN")
        other = server.ask("www.example.com", "A")
        self.assertEqual(self.addresses(other), ["192.0.2.80"])
        self.assertFalse(other.flags & dns.flags.AA)
        self.assertTrue(other.flags & dns.flags.RA)
        self.stops(server)

    def test_strangers_are_refused(self):
        self.write("own.zone", "$TTL 60\n@ SOA ns host 1 7200 900 1209600 300\n@ NS ns\nns A 192.0.2.1\n")
        server = self.start(", allow: [127.0.0.9/32]", more=("--zone", "own.example=" + self.path("own.zone")))
        own = server.ask("ns.own.example", "A")
        self.assertEqual(self.addresses(own), ["192.0.2.1"])
        self.assertFalse(own.flags & dns.flags.RA)
        self.check_code(server.ask("www.example.com", "A"), "REFUSED")
        self.check_code(server.ask("www.example.com", "A", tcp=True), "REFUSED")
        address, port = server.addresses[0]
        allowed = dns.query.udp(dns.message.make_query("www.example.com", "A"), address, timeout=LIMIT,
                                port=port, source="127.0.0.9")
        self.assertEqual(self.addresses(allowed), ["192.0.2.80"])
        # What is known by now is none of a stranger's business, either.
        self.check_code(server.ask("www.example.com", "A"), "REFUSED")
        self.stops(server)

    def test_a_silent_server_is_an_answer_in_time(self):
        server = self.start()
        self.check_code(server.ask("www.silent", "A"), "SERVFAIL")
        self.stops(server)


def enter_namespace():
    """Runs this file again where loopback is all its own."""
    inner = ["sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, __file__]
    probe = ["unshare", "-rn", "sh", "-c", "ip link set lo up"]
    if not shutil.which("unshare") or not shutil.which("ip") or subprocess.run(probe, capture_output=True).returncode:
        print("1..1\nok 1 - resolve # SKIP no network namespace can be made here")
        return
    os.environ["SAKER_TESTS_INSIDE"] = "1"
    os.execvp("unshare", ["unshare", "-rn", *inner])


if __name__ == "__main__":
    if "SAKER_TESTS_INSIDE" in os.environ:
        main()
    else:
        enter_namespace()

"""The resolver's local policy and its trust anchors, with two real servers: one that holds all zones, one that resolves.

The first stands for the whole Internet: a root zone, and zones below it that dnssec-signzone signed. Anchors are those of the
signed zones themselves, so that no root has to be signed.
"""
import json
import os
import shutil
import socket
import stat
import subprocess
import threading

import dns.edns
import dns.flags
import dns.message
import dns.rdatatype

from system_kit import LIMIT, Case, field, main, query, run

ROOT = """$TTL 300
. SOA ns. host. 1 3600 600 86400 60
. NS ns.
ns. A 192.0.2.53
www.outside. A 192.0.2.1
evil.outside. A 192.168.1.1
evil.outside. A 192.0.2.2
nat.outside. A 198.51.100.7
host.corp. A 10.0.0.1
several.outside. A 192.0.2.3
several.outside. TXT words
several.outside. MX 10 www.outside.
into.outside. CNAME printer.home.
"""
SIGNED = """$TTL 300
@ SOA ns host 1 3600 600 86400 60
@ NS ns
ns A 192.0.2.53
www A 192.0.2.80
"""
TOOLS = ("dnssec-keygen", "dnssec-signzone", "dnssec-revoke")


class Policy(Case):
    def tool(self, *words):
        return subprocess.run(words, cwd=self.folder.name, check=True, capture_output=True, text=True,
                              timeout=LIMIT).stdout.strip()

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def sign(self):
        self.tool("dnssec-signzone", "-q", "-S", "-z", "-o", "signed", "-f", "signed.zone", "signed.plain")

    def make_signed(self):
        """-> the name of the zone's key; its public half is in anchors."""
        for tool in TOOLS:
            if shutil.which(tool) is None:
                self.skipTest("no " + tool)
        self.write("signed.plain", SIGNED)
        key = self.tool("dnssec-keygen", "-q", "-a", "13", "-f", "KSK", "signed")
        self.sign()
        self.write("anchors", self.read(key + ".key"))
        return key

    def internet(self, signed=False):
        self.write("root.zone", ROOT)
        more = ["--zone", "signed=" + self.path("signed.zone")] if signed else []
        return self.serve("--listen", "127.0.0.1:0", "--zone", ".=" + self.path("root.zone"), *more)

    def resolver(self, internet, state=None, **keys):
        """A resolver whose root is the other server; keys as in the configuration, `_` for `-`."""
        address = "%s:%d" % internet.addresses[0]
        resolver = {"enabled": True, "stub": [{"zone": ".", "to": [address]}], "validate": False,
                    **{key.replace("_", "-"): value for key, value in keys.items()}}
        self.config = {"server": {"listen": ["127.0.0.1:0"], "workers": 2}, "resolver": resolver}
        if state is not None:
            self.config["server"]["state"] = state
        return self.serve("-c", self.write_config())

    def write_config(self):
        return self.write("resolver.yaml", json.dumps(self.config))   # which is YAML, too

    def change(self, server, **keys):
        """The resolver's keys, None for the default, and SIGHUP; -> how many entries the cache forgot."""
        for key, value in keys.items():
            self.config["resolver"][key.replace("_", "-")] = value
            if value is None:
                del self.config["resolver"][key.replace("_", "-")]
        self.write_config()
        since = len(server.lines)
        server.reload()
        return int(field(server.wait_for("event=resolver-reloaded", since), "forgotten"))

    def zone_server(self, zone, address):
        """A server of its own for a zone with one address at www; -> it, and the address for `to`."""
        file = "%s-%s.zone" % (zone, address)
        self.write(file, "@ 300 SOA ns host 1 3600 600 86400 60\n@ 300 NS ns\nns 300 A 192.0.2.1\n"
                   "www 300 A %s\n*.many 300 A %s\n" % (address, address))
        server = self.serve("--listen", "127.0.0.1:0", "--zone", "%s=%s" % (zone, self.path(file)))
        return server, "%s:%d" % server.addresses[0]

    def texts(self, answer):
        return sorted("%s %s" % (dns.rdatatype.to_text(rrset.rdtype), rdata.to_text())
                      for rrset in answer.answer for rdata in rrset)

    def check(self, server, name, rtype, want, code="NOERROR", **more):
        for _ in range(3):    # fetched, out of the cache, as a message
            answer = server.ask(name, rtype, flags=dns.flags.RD, **more)
            self.check_code(answer, code)
            self.assertEqual(self.texts(answer), sorted(want))
        return answer

    def test_local_names(self):
        self.write("local", "printer.home. 60 A 192.168.7.9\nads.outside. 60 A 0.0.0.0\n")
        server = self.resolver(self.internet(), local_zones=["home"], local_records="local")
        self.check(server, "printer.home", "A", ["A 192.168.7.9"])
        self.check(server, "scanner.home", "A", [], "NXDOMAIN")
        self.check(server, "ads.outside", "A", ["A 0.0.0.0"])
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.check(server, "into.outside", "A", ["A 192.168.7.9", "CNAME printer.home."])
        self.check(server, "localhost", "A", ["A 127.0.0.1"])
        self.check(server, "1.1.168.192.in-addr.arpa", "PTR", [], "NXDOMAIN")
        self.stops(server)

    def test_forward_and_stub_zones(self):
        internet = self.internet()
        self.write("corp.zone", "@ 60 SOA ns host 1 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\nhost A 10.9.9.9\n")
        corp = self.serve("--listen", "127.0.0.1:0", "--zone", "corp=" + self.path("corp.zone"))
        self.write("outside.zone", "@ 60 SOA ns host 1 3600 600 86400 60\n@ NS ns\nns A 192.0.2.1\nwww A 192.0.2.99\n")
        other = self.serve("--listen", "127.0.0.1:0", "--zone", "outside=" + self.path("outside.zone"))
        stub = [{"zone": ".", "to": ["%s:%d" % internet.addresses[0]]},
                {"zone": "corp", "to": ["%s:%d" % corp.addresses[0]]}]
        forward = [{"zone": "outside", "to": ["%s:%d" % other.addresses[0]]}]
        server = self.resolver(internet, stub=stub, forward=forward)
        self.check(server, "host.corp", "A", ["A 10.9.9.9"])
        self.check(server, "www.outside", "A", ["A 192.0.2.99"])
        self.stops(server)
        self.stops(other)
        # The forwarder is gone: with fall-back the rest of the world answers.
        server = self.resolver(internet, stub=stub, forward=[{**forward[0], "fall-back": True}])
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.stops(server)
        server = self.resolver(internet, stub=stub, forward=forward, serve_stale=0)
        self.check_code(server.ask("www.outside", "A", flags=dns.flags.RD), "SERVFAIL")
        self.stops(server)

    def test_other_forwarders_by_signal(self):
        _, one = self.zone_server("outside", "198.51.100.1")
        _, two = self.zone_server("outside", "198.51.100.2")
        internet = self.internet()
        server = self.resolver(internet, forward=[{"zone": "outside", "to": [one]}])
        self.check(server, "www.outside", "A", ["A 198.51.100.1"])
        self.check(server, "host.corp", "A", ["A 10.0.0.1"])
        for to, want in (([two], "198.51.100.2"), ([one], "198.51.100.1"), (None, "192.0.2.1")):
            forward = [{"zone": "outside", "to": to}] if to else None
            self.assertGreater(self.change(server, forward=forward), 0)
            self.check(server, "www.outside", "A", ["A " + want])
        # What is as before is not forgotten: the server that holds it has gone.
        self.stops(internet)
        self.assertEqual(self.change(server, ttl_max=1000), 0)
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.check(server, "host.corp", "A", ["A 10.0.0.1"])
        self.stops(server)

    def test_what_the_log_says(self):
        self.make_signed()
        internet = self.internet(signed=True)
        server = self.resolver(internet, validate=True, trust_anchors="anchors", cache={"size": "16M"},
                               forward=[{"zone": "far", "to": ["127.0.0.1:1"]}], allow=["127.0.0.0/8", "0.0.0.0/0"])
        line = server.wait_for("event=resolver-cache ")
        self.assertLessEqual(int(field(line, "mib")), 16)
        line = server.wait_for("event=resolver-rules ")
        self.assertRegex(field(line, "anchors"), r"^signed\.:[0-9]+$")
        self.assertEqual([field(line, key) for key in ("validate", "forward-zones", "stub-zones", "allow-prefixes")],
                         ["yes", "1", "1", "2"])
        server.wait_for("level=warning event=open-resolver")
        answer = server.ask("www.far", "A", flags=dns.flags.RD, use_edns=True)
        self.check_code(answer, "SERVFAIL")
        self.assertEqual([option.text for option in answer.options if option.otype == dns.edns.OptionType.EDE],
                         ["forwarders of far."])
        self.stops(internet)
        for n in range(5):
            self.check_code(server.ask("n%d.outside" % n, "A", flags=dns.flags.RD), "SERVFAIL")
        server.wait_for("level=error event=root-unreachable name=n")
        self.stops(server)
        self.assertLessEqual(sum("event=root-unreachable" in line for line in server.lines), 4)   # two workers

    def test_a_cache_larger_than_the_machine(self):
        path = self.write("large.yaml", "resolver: {enabled: true, cache: {size: 1024G}}\n")
        status, _, said = run("serve", "-c", path, "--listen", "127.0.0.1:0")
        self.assertEqual(status, 1)
        self.assertIn("saker: resolver.cache.size is 1048576M (expected at most the machine's memory, ", said)

    def test_who_may_ask_by_signal(self):
        server = self.resolver(self.internet())
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.change(server, allow=["192.0.2.0/24"])
        self.check(server, "www.outside", "A", [], "REFUSED")
        self.change(server, allow=["127.0.0.0/8"])
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.stops(server)

    def test_local_names_and_filters_by_signal(self):
        self.write("local", "www.outside. 60 A 192.168.7.9\n")
        server = self.resolver(self.internet())
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.check(server, "evil.outside", "A", ["A 192.0.2.2", "A 192.168.1.1"])
        self.change(server, local_records="local", local_zones=["corp"], private_addresses=["192.168.0.0/16"])
        self.check(server, "www.outside", "A", ["A 192.168.7.9"])
        self.check(server, "host.corp", "A", [], "NXDOMAIN")
        self.check(server, "evil.outside", "A", ["A 192.0.2.2"])
        self.write("local", "www.outside. 60 A 192.168.7.10\n")
        self.change(server)
        self.check(server, "www.outside", "A", ["A 192.168.7.10"])
        self.change(server, local_records=None, local_zones=None, private_addresses=None)
        self.check(server, "www.outside", "A", ["A 192.0.2.1"])
        self.check(server, "host.corp", "A", ["A 10.0.0.1"])
        self.check(server, "evil.outside", "A", ["A 192.0.2.2", "A 192.168.1.1"])
        self.stops(server)

    def test_anchors_by_signal(self):
        key = self.make_signed()
        good = self.read(key + ".key")
        for state in (None, self.path("state")):
            self.write("anchors", good)
            server = self.resolver(self.internet(signed=True), state=state, validate=True, trust_anchors="anchors")
            self.assertTrue(self.ask_secure(server))
            self.change(server, negative_trust_anchors=["signed"])
            self.assertFalse(self.ask_secure(server))
            self.change(server, negative_trust_anchors=None)
            self.assertTrue(self.ask_secure(server))
            if state is None:   # else the key that was seen is trusted, whatever the file says (RFC 5011)
                self.write("anchors", "signed. IN DS 1 13 2 " + "00" * 32 + "\n")
                self.change(server)
                self.check(server, "www.signed", "A", [], "SERVFAIL")
                self.change(server, validate=False)
                self.assertFalse(self.ask_secure(server))
                self.write("anchors", good)
                self.change(server, validate=True)
                self.assertTrue(self.ask_secure(server))
            self.stops(server)

    def test_a_bad_file_changes_nothing(self):
        self.write("local", "www.outside. 60 A 192.168.7.9\n")
        server = self.resolver(self.internet(), local_records="local")
        self.write("local", "www.outside. 60 A 192.168.7\n")
        self.config["resolver"]["allow"] = ["192.0.2.0/24"]
        self.write_config()
        server.reload("event=reload-failed")
        server.wait_for("local:1:")
        self.check(server, "www.outside", "A", ["A 192.168.7.9"])
        self.stops(server)

    def test_what_needs_a_restart_is_named(self):
        server = self.resolver(self.internet())
        self.config["resolver"]["cache"] = {"size": "8M"}
        self.config["resolver"]["source"] = ["127.0.0.1"]
        self.config["server"]["workers"] = 1
        self.write_config()
        since = len(server.lines)
        server.reload()
        for key in ("resolver.cache.size", "resolver.source", "server.workers"):
            self.assertIn("level=warning", server.wait_for("event=restart-needed key=%s " % key, since))
        self.assertEqual(sum("event=restart-needed" in line for line in server.lines), 3)
        self.stops(server)

    def test_no_query_is_lost_while_rules_change(self):
        _, one = self.zone_server("outside", "198.51.100.1")
        _, two = self.zone_server("outside", "198.51.100.2")
        server = self.resolver(self.internet(), forward=[{"zone": "outside", "to": [one]}])
        end, wrong, count = threading.Event(), [], [0]

        def ask():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
                client.settimeout(LIMIT)
                client.connect(server.addresses[0])
                while not end.is_set():
                    # A burst of names that are new: many are in work when the rules change.
                    names = ["n%d-%d.many.outside" % (count[0], n) for n in range(30)]
                    for n, name in enumerate(names):
                        client.send(query(name, "A", n))
                    for _ in names:
                        answer = dns.message.from_wire(client.recv(4096))
                        texts = self.texts(answer)
                        if texts not in (["A 198.51.100.1"], ["A 198.51.100.2"]):
                            wrong.append("%s %s" % (answer.question, texts))
                    count[0] += 1
        thread = threading.Thread(target=ask)
        thread.start()
        try:
            for round in range(10):
                before = count[0]
                to, want = ((two, "198.51.100.2"), (one, "198.51.100.1"))[round % 2]
                self.change(server, forward=[{"zone": "outside", "to": [to]}])
                self.check(server, "x%d.many.outside" % round, "A", ["A " + want])
                self.check(server, "www.outside", "A", ["A " + want])
                while count[0] == before and thread.is_alive():
                    thread.join(0.01)
        finally:
            end.set()
            thread.join(LIMIT)
        self.assertEqual(wrong, [])
        self.stops(server)

    def test_private_addresses(self):
        server = self.resolver(self.internet(), private_addresses=["10.0.0.0/8", "192.168.0.0/16"],
                               private_names=["corp"])
        self.check(server, "evil.outside", "A", ["A 192.0.2.2"])
        self.check(server, "host.corp", "A", ["A 10.0.0.1"])
        self.stops(server)

    def test_dns64(self):
        server = self.resolver(self.internet(), dns64="64:ff9b::/96")
        self.check(server, "nat.outside", "AAAA", ["AAAA 64:ff9b::c633:6407"])
        self.check(server, "nat.outside", "A", ["A 198.51.100.7"])
        answer = server.ask("nat.outside", "AAAA", flags=dns.flags.RD | dns.flags.CD, want_dnssec=True)
        self.assertEqual(answer.answer, [])
        self.check(server, "host.corp", "AAAA", [])
        self.stops(server)

    def test_any(self):
        server = self.resolver(self.internet())
        answer = server.ask("several.outside", "ANY", flags=dns.flags.RD)
        self.assertEqual(len(answer.answer), 1)
        self.assertFalse(answer.flags & dns.flags.TC)
        self.stops(server)

    def test_who_may_not_ask_is_refused(self):
        server = self.resolver(self.internet(), allow=["192.0.2.0/24"])
        self.check(server, "www.outside", "A", [], "REFUSED")
        self.stops(server)

    def test_anchors_and_negative_anchors(self):
        self.make_signed()
        internet = self.internet(signed=True)
        server = self.resolver(internet, validate=True, trust_anchors="anchors")
        answer = self.check(server, "www.signed", "A", ["A 192.0.2.80"], use_edns=True, want_dnssec=False)
        self.assertFalse(answer.flags & dns.flags.AD)
        answer = server.ask("www.signed", "A", flags=dns.flags.RD | dns.flags.AD)
        self.assertTrue(answer.flags & dns.flags.AD)
        self.stops(server)
        # An anchor that names another key: bogus, unless told not to look.
        self.write("anchors", "signed. IN DS 1 13 2 " + "00" * 32 + "\n")
        server = self.resolver(internet, validate=True, trust_anchors="anchors")
        self.check(server, "www.signed", "A", [], "SERVFAIL")
        self.stops(server)
        server = self.resolver(internet, validate=True, trust_anchors="anchors", negative_trust_anchors=["signed"])
        answer = server.ask("www.signed", "A", flags=dns.flags.RD | dns.flags.AD)
        self.assertEqual(self.texts(answer), ["A 192.0.2.80"])
        self.assertFalse(answer.flags & dns.flags.AD)
        self.stops(server)

    def ask_secure(self, server):
        answer = server.ask("www.signed", "A", flags=dns.flags.RD | dns.flags.AD)
        self.assertEqual(self.texts(answer), ["A 192.0.2.80"])
        return bool(answer.flags & dns.flags.AD)

    def test_keys_of_anchors_are_followed(self):
        key = self.make_signed()
        internet = self.internet(signed=True)
        state, kept = self.path("state"), os.path.join(self.path("state"), "trust-anchors")
        server = self.resolver(internet, state=state, validate=True, trust_anchors="anchors")
        line = server.wait_for("event=trust-anchor zone=signed.")
        self.assertEqual((field(line, "tag"), field(line, "state")), (str(int(key.split("+")[-1])), "valid"))
        self.assertTrue(self.ask_secure(server))
        self.stops(server)
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
        self.assertIn("\nsigned. valid ", self.read("state/trust-anchors"))

        # Damaged: told, and the configured ones serve.
        text = self.read("state/trust-anchors")
        self.write("state/trust-anchors", text.replace("valid", "vapid"))
        server = self.resolver(internet, state=state, validate=True, trust_anchors="anchors")
        self.assertIn("damaged", server.wait_for("event=trust-anchors-refused"))
        server.wait_for("event=trust-anchor zone=signed.")
        self.assertTrue(self.ask_secure(server))
        self.stops(server)

        # Revoked: seen at the next start, and known without a look at the zone at the one after.
        self.tool("dnssec-revoke", key)
        self.tool("dnssec-keygen", "-q", "-a", "13", "-f", "KSK", "signed")
        self.sign()
        internet.reload()
        server = self.resolver(internet, state=state, validate=True, trust_anchors="anchors")
        lines = [server.wait_for("state=revoked"), server.wait_for("event=trust-anchors-gone zone=signed.")]
        self.assertEqual(field(lines[0], "zone"), "signed.")
        self.stops(server)
        self.stops(internet)
        self.assertIn("\nsigned. revoked ", self.read("state/trust-anchors"))
        server = self.resolver(self.internet(), state=state, validate=True, trust_anchors="anchors")
        server.wait_for("event=trust-anchors-gone zone=signed.")
        self.stops(server)

    def test_what_cannot_be_kept_counts_all_the_same(self):
        self.make_signed()
        internet = self.internet(signed=True)
        state = self.path("state")
        other = self.serve("--listen", "127.0.0.1:0", "--zone", ".=" + self.path("root.zone"), "--state", state)
        server = self.resolver(internet, state=state, validate=True, trust_anchors="anchors")
        self.assertIn("another process", server.wait_for("event=trust-anchors-not-kept"))
        self.assertTrue(self.ask_secure(server))
        self.stops(server)
        self.stops(other)
        self.assertFalse(os.path.exists(os.path.join(state, "trust-anchors")))

    def test_without_a_state_or_with_rollover_off_nothing_is_fetched(self):
        self.make_signed()
        internet = self.internet(signed=True)
        state = self.path("state")
        for more in ({}, {"state": state, "anchor_rollover": False}, {"state": state, "validate": False}):
            server = self.resolver(internet, **{"validate": True, "trust_anchors": "anchors", **more})
            self.ask_secure(server)
            self.stops(server)
            self.assertNotIn("event=trust-anchor", "\n".join(server.lines))
        self.assertFalse(os.path.exists(os.path.join(state, "trust-anchors")))


if __name__ == "__main__":
    main()

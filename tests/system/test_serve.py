"""`saker serve` from its start to its end: answers, errors, signals."""
import os
import shutil
import signal
import socket
import subprocess

import dns.flags

from system_kit import LIMIT, Case, field, main, query, run, zone_text


class Answers(Case):
    def test_udp_and_tcp_on_both_families(self):
        server = self.serve_zone("--listen", "[::1]:0")
        self.assertEqual([a[0] for a in server.addresses], ["127.0.0.1", "::1"])
        for at in (0, 1):
            for tcp in (False, True):
                answer = server.ask("www.example", "A", tcp=tcp, at=at)
                self.check_code(answer, "NOERROR")
                self.assertTrue(answer.flags & dns.flags.AA)
                self.assertEqual(answer.answer[0][0].address, "192.0.2.80")
        self.check_code(server.ask("nothing.example", "A"), "NXDOMAIN")
        self.check_code(server.ask("elsewhere", "A"), "REFUSED")
        self.stops(server)
        totals = server.wait_for("event=stopped")
        self.assertEqual(field(totals, "udp-queries"), "4")
        self.assertEqual(field(totals, "tcp-queries"), "2")
        self.assertEqual(field(totals, "answers"), "6")
        self.assertEqual(field(totals, "tcp-connections"), "2")
        self.assertEqual(field(totals, "kernel-drops"), "0")

    def test_an_answer_is_never_answered(self):
        """Or two servers could be made to talk to each other for ever."""
        server = self.serve_zone()
        octets = bytearray(query("www.example", "A", 1))
        octets[2] |= 0x80
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.settimeout(LIMIT)
            sock.connect(server.addresses[0])
            sock.send(octets)
            sock.send(query("www.example", "A", 2))
            self.assertEqual(sock.recv(4096)[:2], b"\0\2")
        self.stops(server)
        totals = server.wait_for("event=stopped")
        self.assertEqual((field(totals, "queries"), field(totals, "answers")), ("2", "1"))

    def test_what_is_too_long_for_udp_comes_by_tcp(self):
        server = self.serve_zone()
        answer = server.ask("big.example", "TXT")
        self.assertTrue(answer.flags & dns.flags.TC)
        answer = server.ask("big.example", "TXT", tcp=True)
        self.assertFalse(answer.flags & dns.flags.TC)
        self.assertGreater(len(answer.to_wire()), 15000)
        self.stops(server)

    def test_dig(self):
        if shutil.which("dig") is None:
            self.skipTest("no dig")
        server = self.serve_zone()
        host, port = server.addresses[0]
        for more in ([], ["+tcp"], ["+dnssec", "+nsid", "+cookie"], ["+noedns"]):
            out = subprocess.run(["dig", "@" + host, "-p", str(port), "+norec", "www.example", "A", *more],
                                 capture_output=True, text=True, timeout=LIMIT).stdout
            self.assertIn("status: NOERROR", out)
            self.assertIn("192.0.2.80", out)
            self.assertNotIn("WARNING", out)
        self.stops(server)

    def test_the_root(self):
        path = self.write("root.zone", ". 60 SOA a. b. 1 2 3 4 5\n. 60 NS a.\na. 60 A 192.0.2.1\n")
        server = self.serve("--listen", "127.0.0.1:0", "--zone", ".=" + path)
        self.assertEqual(server.ask(".", "SOA").answer[0][0].serial, 1)
        self.stops(server)

    def test_a_wildcard_address_answers_from_the_one_asked(self):
        self.write("example.zone", zone_text())
        server = self.serve("--listen", "0.0.0.0:0", "--listen", "[::]:0", "--zone",
                            "example=" + self.path("example.zone"))
        for host in ("127.0.0.1", "127.0.0.2", "127.1.2.3"):   # dnspython checks where answers come from
            self.check_code(server.ask("www.example", "A", host=host), "NOERROR")
            self.check_code(server.ask("www.example", "A", host=host, tcp=True), "NOERROR")
        self.check_code(server.ask("www.example", "A", at=1, host="::1"), "NOERROR")
        self.stops(server)

    def test_more_workers_than_processors(self):
        processors = len(os.sched_getaffinity(0))
        server = self.serve_zone("--workers", processors + 3)
        line = server.wait_for("event=listening")
        self.assertEqual(field(line, "udp-sockets"), str(processors))
        self.assertEqual(field(line, "tcp-sockets"), str(processors + 3))
        for _ in range(20):   # other source ports, other workers
            self.check_code(server.ask("www.example", "A"), "NOERROR")
            self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        self.stops(server)


class Start(Case):
    def test_a_bad_zone_is_servfail_and_holds_back_no_other(self):
        bad = self.write("bad.zone", "@ SOA a b 1 2 3 4 5\n@ NS a\nwww A 192.0.2.256\n")
        server = self.serve_zone("--zone", "bad=" + bad)
        self.check_code(server.ask("www.example", "A"), "NOERROR")
        self.check_code(server.ask("www.bad", "A"), "SERVFAIL")
        self.assertTrue(server.wait_for("saker: %s:3:" % bad))
        self.assertIn("answered=SERVFAIL", server.wait_for("event=zone-failed zone=bad."))
        self.assertEqual(field(server.wait_for("event=ready"), "serving"), "1")
        self.stops(server)

    def test_no_zone_that_loads_is_no_server(self):
        bad = self.write("bad.zone", "@ SOA\n")
        status, _, said = run("serve", "--listen", "127.0.0.1:0", "--zone", "bad=" + bad,
                              "--zone", "none=" + self.path("none.zone"))
        self.assertEqual(status, 1)
        self.assertIn("saker: %s:1:" % bad, said)
        self.assertIn("saker: no zone could be loaded (expected at least one of 2)", said)

    def test_each_zone_that_is_served_says_so(self):
        server = self.serve_zone()
        line = server.wait_for("event=zone-served")
        self.assertEqual(field(line, "zone"), "example.")
        self.assertEqual(field(line, "records"), "6")
        float(field(line, "ms"))
        float(field(line, "memory-mib"))
        self.stops(server)

    def test_an_address_in_use(self):
        server = self.serve_zone()
        status, _, said = run("serve", "--listen", "127.0.0.1:%d" % server.addresses[0][1], "--zone",
                              "example=" + self.path("example.zone"), "--workers", "2")
        self.assertEqual(status, 1)
        self.assertIn("saker: cannot listen on 127.0.0.1:%d: Address already in use" % server.addresses[0][1], said)
        self.stops(server)

    def test_an_address_of_somebody_else(self):
        path = self.write("example.zone", zone_text())
        status, _, said = run("serve", "--listen", "192.0.2.1:5300", "--zone", "example=" + path)
        self.assertEqual(status, 1)
        self.assertIn("saker: cannot listen on 192.0.2.1:5300: Cannot assign requested address", said)

    def test_usage(self):
        for args, expected in (
                ([], "(expected -c FILE, --zone NAME=FILE or --resolve)"),
                (["--listen"], "--listen without a value"),
                (["--zone", "x"], "(expected NAME=FILE)"),
                (["--zone", "=x"], "(expected NAME=FILE)"),
                (["--zone", "a..b=x"], "'a..b' is no domain name"),
                (["--zone", "a=x", "--workers", "none"], "(expected auto or a number from 1 to 256)"),
                (["--zone", "a=x", "--listen", "localhost:53"], "(expected ADDRESS:PORT"),
                (["--zone", "a=x", "--listen=1.2.3.4", "--listen=1.2.3.4:53"], "(expected each address once)"),
                (["--zones", "a=x"], "'--zones' is no option of serve"),
                (["a=x"], "'a=x' is no option of serve")):
            status, out, said = run("serve", *args)
            self.assertEqual((status, out), (2, ""), args)
            self.assertIn(expected, said)
            self.assertTrue(said.startswith("saker: "), said)
        status, out, said = run("serve", "--help")
        self.assertEqual((status, said), (0, ""))
        self.assertIn("usage: saker serve", out)


class Configuration(Case):
    def test_a_file_and_what_the_options_change(self):
        self.write("a.zone", zone_text(1))
        self.write("b.zone", zone_text(2))
        os.mkdir(self.path("etc"))
        self.write("etc/saker.yaml",
                   "server: {listen: ['192.0.2.1:53'], workers: 1}\nzones:\n- {name: a, file: ../a.zone}\n")
        server = self.serve("-c", self.path("etc/saker.yaml"), "--listen=127.0.0.1:0", "--workers=2",
                            "--zone=b=b.zone", cwd=self.folder.name)
        self.assertEqual(field(server.wait_for("event=ready"), "workers"), "2")
        self.assertEqual(server.ask("a", "SOA").answer[0][0].serial, 1)
        self.assertEqual(server.ask("b", "SOA").answer[0][0].serial, 2)
        self.stops(server)

    def test_a_bad_file(self):
        path = self.write("saker.yaml", "server:\n  worker: 1\n  listen: [x]\n")
        status, _, said = run("serve", "-c", path)
        self.assertEqual(status, 1)
        self.assertEqual(said.splitlines(), [
            "saker: %s:2:3: unknown key 'worker' (did you mean 'workers'?)" % path,
            "saker: %s:3:12: 'x' is no address (expected ADDRESS:PORT like 192.0.2.1:53 or [::1]:53)" % path])

    def test_no_zones(self):
        status, _, said = run("serve", "-c", self.write("saker.yaml", "server: {listen: ['127.0.0.1:0']}\n"))
        self.assertEqual(status, 1)
        self.assertIn("saker: nothing to serve (expected zones: or resolver:", said)


class Signals(Case):
    def test_both_signals_end_it_well(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            server = self.serve_zone()
            with server.connect() as connection:   # an open connection does not hold it up
                connection.sendall(b"\0\x20half a query")
                self.stops(server, how)
            self.assertIn("event=stopped", server.lines[-1])

    def test_a_second_signal_ends_it_at_once(self):
        """A zone file that is a pipe nobody writes to keeps a load, and so the end, from coming."""
        os.mkfifo(self.path("pipe"))
        server = self.serve_zone("--zone", "pipe=" + self.path("pipe"), ready=False)
        server.wait_for("event=zone-served zone=example.")
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("event=stopping")
        server.process.send_signal(signal.SIGTERM)
        self.assertEqual(server.wait(), -signal.SIGTERM)

    def test_a_peer_that_went_away_is_no_signal(self):
        server = self.serve_zone()
        with server.connect() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")   # RST
            connection.sendall(b"\0\x0c" + bytes(12))
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        self.stops(server)


if __name__ == "__main__":
    main()

"""Faults that servers had in the field and that need a real server: connections, and zones that do not load."""
import socket
import struct

import dns.message

from system_kit import SANITIZED, Case, ends, frame, main, query, read_message, zone_text

TEXTS = {
    "http": b"GET /dns-query HTTP/1.1\r\nHost: ns.example\r\nAccept: */*\r\n\r\n",   # 0x4745 octets announced
    "smtp": b"EHLO mail.example\r\n",
    "ssh": b"SSH-2.0-client\r\n",
    "tls": bytes.fromhex("1603010005010000010303"),
    "one octet": b"\xff",
    "the most": b"\xff\xff" + b"\0" * 100,
}
CROWD = 400   # connections that announce 65,535 octets each


def memory_of(pid):
    """Octets of private memory, touched or not."""
    with open("/proc/%d/status" % pid) as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))


class Connections(Case):
    def serve_idle(self):
        self.write("example.zone", zone_text())
        return self.serve("-c", self.write(
            "saker.yaml", "server: {listen: ['127.0.0.1:0'], workers: 1, tcp: {idle-timeout: 1, connections: 1000}}\n"
                          "zones: [{name: example, file: example.zone}]\n"))

    def test_each_of_several_queries_in_one_write_has_its_answer(self):
        asked = {11: ("www.example", "A", "NOERROR", 1), 12: ("www.example", "AAAA", "NOERROR", 0),
                 13: ("gone.example", "A", "NXDOMAIN", 0), 14: ("www.elsewhere", "A", "REFUSED", 0),
                 15: ("big.example", "TXT", "NOERROR", 1)}
        server = self.serve_zone()
        with server.connect() as connection:
            for _ in range(3):   # the connection stays open for the next round
                connection.sendall(b"".join(frame(query(name, rtype, n)) for n, (name, rtype, _, _) in asked.items()))
                left = dict(asked)
                while left:      # in whatever order
                    answer = dns.message.from_wire(read_message(connection))
                    name, rtype, code, count = left.pop(answer.id)
                    self.check_code(answer, code)
                    self.assertEqual(len(answer.answer), count)
                    self.assertEqual(answer.question[0].to_text(), "%s. IN %s" % (name, rtype))
        self.stops(server)

    def test_a_length_may_come_in_two_pieces(self):
        server = self.serve_zone()
        octets = frame(query("www.example", "A", 21))
        for cut in (1, 2, 3, len(octets) - 1):
            with server.connect() as connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.sendall(octets[:cut])
                # A whole round on another connection: the server has seen the first piece by then.
                self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
                connection.sendall(octets[cut:])
                self.assertEqual(struct.unpack("!H", read_message(connection)[:2])[0], 21)
        self.stops(server)

    def test_another_protocol_holds_up_nobody_and_is_closed(self):
        server = self.serve_idle()
        connections = []
        for what, octets in TEXTS.items():
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.sendall(octets)
            connections.append((what, connection))
            self.check_code(server.ask("www.example", "A"), "NOERROR")
            self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        for what, connection in connections:
            with self.subTest(what):
                self.assertTrue(ends(connection))   # without a word
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        self.stops(server)

    def test_a_length_that_is_only_announced_takes_no_memory(self):
        server = self.serve_idle()
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        before = memory_of(server.process.pid)
        for _ in range(CROWD):
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.sendall(b"\xff\xff\0")
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        if not SANITIZED:   # a sanitizer's allocator keeps what was freed
            self.assertLess(memory_of(server.process.pid) - before, CROWD * 65535 // 2)
        self.stops(server)


class Zones(Case):
    def test_a_zone_that_does_not_load_is_servfail_below_one_that_does(self):
        bad = self.write("bad.zone", "@ 60 SOA ns host 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2\n")
        server = self.serve_zone("--zone", "bad.example=" + bad, "--zone", "none.example=" + self.path("none.zone"))
        for zone in ("bad.example", "none.example"):
            for name, rtype in ((zone, "SOA"), (zone, "NS"), ("ns." + zone, "A"), ("a.b." + zone, "TXT")):
                for tcp in (False, True):
                    answer = server.ask(name, rtype, tcp=tcp)
                    self.check_code(answer, "SERVFAIL")
                    self.assertFalse(answer.answer or answer.authority)
        self.check_code(server.ask("www.example", "A"), "NOERROR")
        self.check_code(server.ask("gone.example", "A"), "NXDOMAIN")
        self.write("bad.zone", "@ 60 SOA ns host 1 2 3 4 5\n@ 60 NS ns\nns 60 A 192.0.2.7\n")
        server.reload()
        self.check_code(server.ask("ns.bad.example", "A"), "NOERROR")
        self.check_code(server.ask("ns.none.example", "A"), "SERVFAIL")
        self.stops(server)


if __name__ == "__main__":
    main()

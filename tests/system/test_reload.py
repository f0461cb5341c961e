"""SIGHUP: what changed is served, what is bad is not, and no query is lost meanwhile."""
import os
import signal
import socket
import struct
import threading
import time

from system_kit import LIMIT, Case, field, main, query, zone_text

IN_FLIGHT = 50
RELOADS = 30


class Load(threading.Thread):
    """Asks for the SOA with IN_FLIGHT queries in flight; counts answers, and rounds with fewer than it asked."""

    def __init__(self, address):
        super().__init__()
        self.address = address
        self.enough = threading.Event()
        self.answers = self.lost = self.bad = 0
        self.serials = []

    def run(self):
        octets = query("example", "SOA", 0)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.settimeout(LIMIT / 4)
            sock.connect(self.address)
            while not self.enough.is_set() and self.lost == 0:
                for number in range(IN_FLIGHT):
                    sock.send(struct.pack("!H", number) + octets[2:])
                for number in range(IN_FLIGHT):
                    try:
                        self.take(sock.recv(4096))
                    except TimeoutError:
                        self.lost += 1
                        break

    def take(self, answer):
        self.answers += 1
        if answer[3] & 0x0f != 0 or answer[7] != 1:
            self.bad += 1
            return
        # The record is the last of the answer, and the serial the first of its five numbers.
        serial, = struct.unpack("!I", answer[-20:-16])
        if not self.serials or self.serials[-1] != serial:
            self.serials.append(serial)


class Reload(Case):
    def test_no_query_is_lost(self):
        server = self.serve_zone("--workers", "2")
        loads = [Load(server.addresses[0]) for _ in range(2)]
        for load in loads:
            load.start()
        for serial in range(2, RELOADS + 2):
            self.write("example.zone", zone_text(serial))
            line = server.reload()
            self.assertEqual(field(line, "failed"), "0")
        for load in loads:
            load.enough.set()
            load.join(LIMIT)
            self.assertEqual((load.lost, load.bad), (0, 0))
            self.assertGreater(load.answers, 0)
            self.assertEqual(load.serials, sorted(load.serials))   # no version comes back
        self.assertEqual(server.ask("example", "SOA").answer[0][0].serial, RELOADS + 1)
        self.stops(server)

    def test_a_bad_file_keeps_the_version_before(self):
        server = self.serve_zone()
        self.write("example.zone", zone_text(2).replace("192.0.2.80", "192.0.2.800"))
        line = server.reload()
        self.assertEqual(field(line, "failed"), "1")
        self.assertTrue(any(l.startswith("saker: %s:6:" % self.path("example.zone")) for l in server.lines))
        self.assertIn("from the version before", server.wait_for("event=zone-failed zone=example."))
        self.assertEqual(server.ask("example", "SOA").answer[0][0].serial, 1)
        os.unlink(self.path("example.zone"))
        self.assertEqual(field(server.reload(), "failed"), "1")
        self.assertEqual(server.ask("example", "SOA").answer[0][0].serial, 1)
        self.write("example.zone", zone_text(3))
        self.assertEqual(field(server.reload(), "failed"), "0")
        self.assertEqual(server.ask("example", "SOA").answer[0][0].serial, 3)
        self.stops(server)

    def test_an_unchanged_file_is_not_loaded_again(self):
        """Two files of the source tree: what was written just now could change again unseen."""
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "zones")
        server = self.serve("--listen", "127.0.0.1:0", "--zone", "plain=" + folder + "/plain.zone",
                            "--zone", "include=" + folder + "/include.zone")
        for _ in range(2):
            since = len(server.lines)
            line = server.reload()
            self.assertEqual((field(line, "serving"), field(line, "unchanged")), ("2", "2"))
            self.assertFalse([l for l in server.lines[since:] if "event=zone-served" in l])
        self.check_code(server.ask("www.plain", "A"), "NOERROR")
        self.check_code(server.ask("www.include", "A"), "NOERROR")
        self.stops(server)

    def test_zones_come_and_go(self):
        for name in "abc":
            self.write(name + ".zone", zone_text(ord(name)))
        self.write("bad.zone", "@ SOA\n")

        def configure(*names):
            self.write("saker.yaml", "server: {listen: ['127.0.0.1:0']}\nzones:\n" + "".join(
                "- {name: %s, file: %s.zone}\n" % (n, n) for n in names))

        configure("a", "b")
        server = self.serve("-c", self.path("saker.yaml"))
        self.check_code(server.ask("www.a", "A"), "NOERROR")
        self.check_code(server.ask("www.c", "A"), "REFUSED")
        configure("b", "c", "bad")
        line = server.reload()
        self.assertEqual((field(line, "zones"), field(line, "serving"), field(line, "failed")), ("3", "2", "1"))
        self.assertTrue(server.wait_for("event=zone-removed zone=a."))
        for name, code in (("a", "REFUSED"), ("b", "NOERROR"), ("c", "NOERROR"), ("bad", "SERVFAIL")):
            self.check_code(server.ask("www." + name, "A"), code)
        configure("a")
        server.reload()
        for name, code in (("a", "NOERROR"), ("b", "REFUSED"), ("c", "REFUSED"), ("bad", "REFUSED")):
            self.check_code(server.ask("www." + name, "A"), code)
        self.stops(server)

    def test_a_bad_configuration_keeps_everything(self):
        self.write("a.zone", zone_text(1))
        self.write("saker.yaml", "server: {listen: ['127.0.0.1:0']}\nzones: [{name: a, file: a.zone}]\n")
        server = self.serve("-c", self.path("saker.yaml"))
        self.write("saker.yaml", "zones: [{name: a, fiel: a.zone}]\n")
        server.reload("event=reload-failed")
        self.assertTrue(server.wait_for("unknown key 'fiel' (did you mean 'file'?)"))
        self.assertEqual(server.ask("a", "SOA").answer[0][0].serial, 1)
        self.stops(server)

    def test_what_needs_a_restart_says_so(self):
        self.write("a.zone", zone_text(1))
        text = "server: {listen: ['127.0.0.1:0'], workers: %d}\nzones: [{name: a, file: a.zone}]\n"
        self.write("saker.yaml", text % 1)
        server = self.serve("-c", self.path("saker.yaml"))
        self.write("saker.yaml", text % 2)
        server.reload("event=restart-needed key=server.workers")
        self.stops(server)

    def test_a_signal_while_loading_is_not_forgotten(self):
        server = self.serve_zone()
        for serial in range(2, 12):
            self.write("example.zone", zone_text(serial))
            server.process.send_signal(signal.SIGHUP)
        server.reload()
        while server.ask("example", "SOA").answer[0][0].serial != 11:
            time.sleep(0.05)
        self.stops(server)


if __name__ == "__main__":
    main()

"""TCP: many queries at once, pieces, slow peers, time-outs, limits, garbage (RFC 7766)."""
import os
import random
import resource
import socket
import struct

from system_kit import Case, ends, frame, main, query, read_message, zone_text

MANY = 2000


class Tcp(Case):
    def serve_with(self, tcp):
        self.write("example.zone", zone_text())
        path = self.write("saker.yaml", "server: {listen: ['127.0.0.1:0'], workers: 1, tcp: {%s}}\n"
                                        "zones: [{name: example, file: example.zone}]\n" % tcp)
        return self.serve("-c", path)

    def check_answers(self, connection, numbers):
        for number in numbers:
            message = read_message(connection)
            self.assertEqual(struct.unpack("!HH", message[:4])[0], number)
            self.assertEqual(message[2] & 0x80, 0x80)
            self.assertEqual(message[3] & 0x0f, 0)

    def test_many_queries_in_one_write(self):
        server = self.serve_zone()
        with server.connect() as connection:
            connection.sendall(b"".join(frame(query("www.example", "A", n)) for n in range(MANY)))
            self.check_answers(connection, range(MANY))
            connection.sendall(frame(query("www.example", "A", 7)))   # and it stays open
            self.check_answers(connection, [7])
        self.stops(server)

    def test_queries_in_pieces(self):
        server = self.serve_zone()
        octets = b"".join(frame(query("www.example", "A", n)) for n in range(20))
        rng = random.Random(1)
        with server.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while octets:
                cut = rng.randrange(1, 9)
                connection.sendall(octets[:cut])
                octets = octets[cut:]
            self.check_answers(connection, range(20))
        self.stops(server)

    def test_the_end_of_sending_is_not_the_end_of_answers(self):
        server = self.serve_zone()
        with server.connect() as connection:
            connection.sendall(b"".join(frame(query("big.example", "TXT", n)) for n in range(300)))
            connection.shutdown(socket.SHUT_WR)
            self.check_answers(connection, range(300))
            self.assertTrue(ends(connection))
        self.stops(server)

    def test_a_slow_peer_loses_nothing_and_holds_up_nobody(self):
        server = self.serve_zone("--workers", "1")
        count = 3000   # 45 MB of answers: more than any socket takes
        with socket.socket() as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(60)
            connection.connect(server.addresses[0])
            connection.setblocking(False)
            octets = b"".join(frame(query("big.example", "TXT", n)) for n in range(count))
            while octets:   # until the server stops reading, or has read it all
                try:
                    octets = octets[connection.send(octets):]
                except BlockingIOError:
                    break
                self.check_code(server.ask("www.example", "A"), "NOERROR")
            for _ in range(20):
                self.check_code(server.ask("www.example", "A"), "NOERROR")
                self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
            connection.settimeout(60)
            number = 0
            while number < count:
                if octets:
                    connection.setblocking(False)
                    try:
                        octets = octets[connection.send(octets):]
                    except BlockingIOError:
                        pass
                    connection.settimeout(60)
                self.check_answers(connection, [number])
                number += 1
        self.stops(server)

    def test_an_idle_connection_is_closed(self):
        server = self.serve_with("idle-timeout: 1")
        with server.connect() as connection:
            connection.sendall(frame(query("www.example", "A", 1)))
            self.check_answers(connection, [1])
            self.assertTrue(ends(connection))
        self.stops(server)

    def test_half_a_query_is_not_waited_for_for_ever(self):
        server = self.serve_with("idle-timeout: 3600")
        with server.connect() as connection:
            connection.sendall(frame(query("www.example", "A", 1))[:-1])
            self.assertTrue(ends(connection))
        self.stops(server)

    def test_the_longest_idle_makes_room(self):
        server = self.serve_with("connections: 4, idle-timeout: 3600")
        connections = []
        for n in range(10):
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.sendall(frame(query("www.example", "A", n)))
            self.check_answers(connection, [n])
            connections.append(connection)
        for connection in connections[:6]:
            self.assertTrue(ends(connection))
        for n, connection in enumerate(connections[6:]):
            connection.sendall(frame(query("www.example", "A", n)))
            self.check_answers(connection, [n])
        self.stops(server)

    def test_a_connection_that_says_nothing_is_closed_too(self):
        server = self.serve_with("idle-timeout: 1")
        with server.connect() as connection:   # accepted late: TCP_DEFER_ACCEPT
            self.assertTrue(ends(connection))
        self.stops(server)

    def test_without_descriptors_the_longest_idle_makes_room(self):
        server = self.serve_with("idle-timeout: 3600")
        pid = server.process.pid
        limit = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        used = len(os.listdir("/proc/%d/fd" % pid))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + 3, limit[1]))
        for n in range(10):
            connection = server.connect()
            self.addCleanup(connection.close)
            connection.sendall(frame(query("www.example", "A", n)))
            self.check_answers(connection, [n])
            self.check_code(server.ask("www.example", "A"), "NOERROR")
        self.stops(server)

    def test_without_any_descriptor_a_connection_waits_and_udp_does_not(self):
        server = self.serve_with("idle-timeout: 3600")
        pid = server.process.pid
        limit = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        used = len(os.listdir("/proc/%d/fd" % pid))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used, limit[1]))
        with server.connect() as connection:
            connection.sendall(frame(query("www.example", "A", 1)))
            for _ in range(20):
                self.check_code(server.ask("www.example", "A"), "NOERROR")
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limit)
            self.check_answers(connection, [1])
        self.stops(server)

    def test_garbage_ends_the_connection_and_nothing_else(self):
        server = self.serve_zone()
        rng = random.Random(2)
        for _ in range(300):
            with server.connect() as connection:
                try:
                    connection.sendall(rng.randbytes(rng.randrange(1, 3000)))
                    connection.shutdown(socket.SHUT_WR)
                    while connection.recv(65536):
                        pass
                except OSError:
                    pass   # closed while we were sending
        for short in range(12):   # no message is shorter than its header
            with server.connect() as connection:
                connection.sendall(frame(bytes(short)))
                self.assertTrue(ends(connection))
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        self.stops(server)


if __name__ == "__main__":
    main()

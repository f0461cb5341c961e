"""What the system tests share: starting servers, asking them, waiting for their lines.

Everything is on loopback and on ports that were free; nothing waits longer than LIMIT seconds, and nothing
that passes waits for a time to go by, except where a time-out of the server is what is tested.
"""
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

import dns.message
import dns.query
import dns.rcode

import tap

LIMIT = 60
SAKER = os.environ["SAKER"]
SANITIZED = os.environ.get("SANITIZED", "none") != "none"

ZONE = """$TTL 3600
@ SOA ns host {serial} 7200 900 1209600 300
@ NS ns
ns A 192.0.2.1
ns AAAA 2001:db8::1
www A 192.0.2.80
big TXT {big}
"""


def zone_text(serial=1):
    big = " ".join('"%s"' % (chr(97 + i % 26) * 250) for i in range(60))   # one TXT of 15,000 octets
    return ZONE.format(serial=serial, big=big)


class Server:
    """`saker serve` with its standard error read in the background."""

    def __init__(self, *args, ready=True, cwd=None):
        self.lines = []
        self.news = threading.Condition()
        self.ended = False
        self.process = subprocess.Popen([SAKER, "serve", *map(str, args)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=cwd)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.addresses = []
        if ready:
            line = self.wait_for("event=ready")
            for text in field(line, "addresses").split(","):
                host, _, port = text.rpartition(":")
                self.addresses.append((host.strip("[]"), int(port)))

    def _read(self):
        for line in self.process.stderr:
            with self.news:
                self.lines.append(line.rstrip("\n"))
                self.news.notify_all()
        with self.news:
            self.ended = True
            self.news.notify_all()

    def wait_for(self, text, since=0):
        """The first line from number `since` on that holds text."""
        def found():
            return next((line for line in self.lines[since:] if text in line), None)
        with self.news:
            self.news.wait_for(lambda: found() or self.ended, LIMIT)
            if found() is None:
                raise AssertionError("no line with %r in:\n%s" % (text, "\n".join(self.lines)))
            return found()

    def reload(self, until="event=reloaded"):
        since = len(self.lines)
        self.process.send_signal(signal.SIGHUP)
        return self.wait_for(until, since)

    def wait(self):
        status = self.process.wait(LIMIT)
        self.reader.join(LIMIT)
        self.process.stderr.close()
        return status

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.wait()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.wait()

    def ask(self, name, rtype, tcp=False, at=0, host=None, **more):
        query = dns.message.make_query(name, rtype, **more)
        address, port = self.addresses[at]
        ask = dns.query.tcp if tcp else dns.query.udp
        return ask(query, host or address, timeout=LIMIT, port=port)

    def connect(self, at=0):
        return socket.create_connection(self.addresses[at], timeout=LIMIT)


def field(line, key):
    return next(word[len(key) + 1:] for word in line.split() if word.startswith(key + "="))


def run(*args, cwd=None):
    """A command that ends by itself: (status, standard output, standard error)."""
    done = subprocess.run([SAKER, *map(str, args)], capture_output=True, text=True, timeout=LIMIT, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def query(name, rtype, number):
    """A query in wire form with this ID."""
    message = dns.message.make_query(name, rtype)
    message.id = number
    return message.to_wire()


def frame(octets):
    return struct.pack("!H", len(octets)) + octets


def read_exactly(connection, length):
    octets = bytearray()
    while len(octets) < length:
        more = connection.recv(length - len(octets))
        if not more:
            raise EOFError("the connection ended after %d of %d octets" % (len(octets), length))
        octets += more
    return bytes(octets)


def read_message(connection):
    length, = struct.unpack("!H", read_exactly(connection, 2))
    return read_exactly(connection, length)


def ends(connection):
    """True when the server closes the connection without sending more."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


class Case(unittest.TestCase):
    """A test with a folder of its own, whose servers must end well."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="saker-test-")
        self.addCleanup(self.folder.cleanup)
        self.servers = []

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        """Replaces a file the way that editors do: at no time is half of it there."""
        with open(self.path(name) + ".part", "w") as file:
            file.write(text)
        os.replace(self.path(name) + ".part", self.path(name))
        return self.path(name)

    def serve(self, *args, **more):
        server = Server(*args, **more)
        self.addCleanup(server.kill)
        return server

    def serve_zone(self, *args, **more):
        """The example zone on a free port of 127.0.0.1."""
        self.write("example.zone", zone_text())
        return self.serve("--listen", "127.0.0.1:0", "--zone", "example=" + self.path("example.zone"),
                          *args, **more)

    def stops(self, server, how=signal.SIGTERM):
        status = server.stop(how)
        said = "\n".join(server.lines)
        self.assertEqual(status, 0, said)
        self.assertNotIn("runtime error:", said)   # UBSan goes on after it complained

    def check_code(self, answer, code):
        self.assertEqual(dns.rcode.to_text(answer.rcode()), code)


def main():
    tap.main_unittest()

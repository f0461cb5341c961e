"""A million random and mutated datagrams: the server lives, answers, and has not grown."""
import os
import subprocess

from system_kit import LIMIT, SANITIZED, Case, main

FLOOD = os.environ["FLOOD"]
COUNT = 50_000 if SANITIZED else 1_000_000
WARM_UP = 5_000 if SANITIZED else 50_000
GROWTH_MAX = 1 << 20   # octets: stacks and the tables of the kernel's view, not a leak of one octet a query


def resident(pid):
    for line in open("/proc/%d/status" % pid):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


class Flood(Case):
    def flood(self, server, count, seed):
        host, port = server.addresses[0]
        out = subprocess.run([FLOOD, host, str(port), str(count), str(seed), "example"], capture_output=True,
                             text=True, check=True, timeout=5 * LIMIT).stdout
        words = out.split()
        return int(words[1]), int(words[5]), int(words[7])

    def test_a_million_datagrams(self):
        server = self.serve_zone()
        self.flood(server, WARM_UP, 1)
        before = resident(server.process.pid)
        sent, good, asked = self.flood(server, COUNT, 2)
        after = resident(server.process.pid)
        self.assertEqual(sent, COUNT)
        self.assertEqual(good, asked)   # the good query after each 64 was answered, every time
        self.check_code(server.ask("www.example", "A"), "NOERROR")
        self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
        if not SANITIZED:   # a sanitizer keeps what was freed
            self.assertLess(after - before, GROWTH_MAX)
        self.stops(server)


if __name__ == "__main__":
    main()

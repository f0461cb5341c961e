"""More datagrams than can be answered: the kernel sheds, which is told and counted, and others are served."""
import multiprocessing
import socket
import struct

import dns.exception
import dns.message
import dns.query

from system_kit import LIMIT, Case, field, main, query

UDP_SEGMENT = 103   # linux/udp.h: one call sends many datagrams of one length
A_CALL = 64
SENDERS = 2         # together they send more than one worker answers


def send(address, asked, stop):
    """Sends without a pause, and reads nothing."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.connect(address)
    control = [(socket.IPPROTO_UDP, UDP_SEGMENT, struct.pack("=H", len(asked)))]
    while not stop.is_set():
        for _ in range(100):
            try:
                sender.sendmsg([asked * A_CALL], control)
            except BlockingIOError:
                pass


class Overload(Case):
    def flood(self, address):
        stop = multiprocessing.Event()
        asked = query("www.example", "A", 1)
        senders = [multiprocessing.Process(target=send, args=(address, asked, stop), daemon=True)
                   for _ in range(SENDERS)]
        for sender in senders:
            sender.start()
            self.addCleanup(sender.join)
            self.addCleanup(sender.terminate)

        def end():
            stop.set()
            for sender in senders:
                sender.join()
        return end

    def ask_until_answered(self, server, at=0):
        """As a resolver does: the flooded socket may shed, and the loopback's own queue, before any socket, too."""
        for _ in range(LIMIT):
            try:
                return dns.query.udp(dns.message.make_query("www.example", "A"), server.addresses[at][0], timeout=1,
                                     port=server.addresses[at][1])
            except dns.exception.Timeout:
                pass
        raise AssertionError("no answer")

    def test_the_kernel_sheds_and_others_are_served(self):
        server = self.serve_zone("--workers", "1", "--listen", "127.0.0.1:0")
        end = self.flood(server.addresses[0])
        begins = server.wait_for("event=overload ")
        self.assertGreater(int(field(begins, "queue-age-us")), 0)
        self.assertLess(int(field(begins, "receive-buffer")),
                        int(field(server.wait_for("event=listening"), "receive-buffer")))
        for _ in range(20):
            self.check_code(server.ask("www.example", "A", tcp=True), "NOERROR")
            self.check_code(self.ask_until_answered(server, at=1), "NOERROR")
            self.check_code(server.ask("www.example", "A", at=1, tcp=True), "NOERROR")
        end()
        over = server.wait_for("event=overload-over ")
        self.assertEqual(field(over, "receive-buffer"),
                         field(server.wait_for("event=listening"), "receive-buffer"))
        self.check_code(self.ask_until_answered(server), "NOERROR")
        self.stops(server)
        self.assertGreater(int(field(server.wait_for("event=stopped"), "kernel-drops")), 0)


if __name__ == "__main__":
    main()

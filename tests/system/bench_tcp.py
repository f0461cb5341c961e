"""saker bench run over TCP: servers that close, reset, stall, reorder and split."""
import socket
import struct
import time

import bench_kit as kit
import tap


def answer_all(connection, nth):
    while True:
        connection.sendall(kit.framed(kit.reply(kit.take_query(connection))))


def closing_after(count, reset=False):
    def serve(connection, nth):
        for _ in range(count):
            connection.sendall(kit.framed(kit.reply(kit.take_query(connection))))
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            connection.shutdown(socket.SHUT_WR)  # what was pipelined behind is read and thrown away
            while connection.recv(65536):
                pass
    return serve


@tap.case
def connections_are_reused():
    with kit.TcpServer(answer_all) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-c", "3"], kit.lines(600))
    tap.equal((status, report["answered"], report["lost"], report["connections"]), (0, 600, 0, 3), err)
    tap.equal((report["reconnects"], report["resent"], server.connection_count), (0, 0, 3))


@tap.case
def a_server_that_closes_after_seven_answers_is_asked_again():
    with kit.TcpServer(closing_after(7)) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "20"], kit.lines(91))
    tap.equal((status, report["answered"], report["lost"]), (0, 91, 0), err)
    tap.equal(report["connections"], report["reconnects"] + 1)
    assert report["reconnects"] >= 12 and report["resent"] > 0, report


@tap.case
def a_close_between_two_queries_costs_nothing():
    with kit.TcpServer(closing_after(1)) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "1"], kit.lines(40))
    tap.equal((status, report["answered"], report["lost"]), (0, 40, 0), err)


@tap.case
def a_reset_with_queries_in_flight_loses_no_count():
    with kit.TcpServer(closing_after(6, reset=True)) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "5", "-t", "3"], kit.lines(60))
    tap.equal(report["answered"] + report["lost"], 60, err)
    assert report["reconnects"] > 0, report


@tap.case
def a_slow_server_that_answers_in_order_loses_nothing():
    def serve(connection, nth):
        while True:
            query = kit.take_query(connection)
            time.sleep(0.02)
            connection.sendall(kit.framed(kit.reply(query)))

    for connections in ("1", "10"):
        with kit.TcpServer(serve) as server:
            status, report, err = kit.run(["--server", server.at, "--tcp", "-c", connections, "-q", "20"],
                                          kit.lines(100))
        tap.equal((status, report["answered"], report["lost"]), (0, 100, 0), err)
        tap.equal(len(report["flows"]), int(connections))
        tap.equal(report["in_flight_max"], 20 // int(connections))


@tap.case
def answers_may_overtake_each_other_and_that_is_told():
    def serve(connection, nth):
        while True:
            queries = [kit.take_query(connection) for _ in range(10)]
            connection.sendall(b"".join(kit.framed(kit.reply(q)) for q in reversed(queries)))

    with kit.TcpServer(serve) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "10"], kit.lines(100))
    tap.equal((status, report["answered"], report["out_of_order"]), (0, 100, 90), err)


@tap.case
def length_and_query_come_in_one_piece():
    pieces = []

    def serve(connection, nth):
        while True:
            piece = connection.recv(65536)
            if not piece:
                return
            pieces.append(piece)
            connection.sendall(kit.framed(kit.reply(piece[2:])))

    with kit.TcpServer(serve) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "1"], "alone.test A\n" * 5)
    tap.equal((status, report["answered"], len(pieces)), (0, 5, 5), err)
    tap.equal({struct.unpack("!H", p[:2])[0] - len(p) for p in pieces}, {-2})


@tap.case
def answers_in_single_octets_are_put_together():
    def serve(connection, nth):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while True:
            for octet in kit.framed(kit.reply(kit.take_query(connection))):
                connection.sendall(bytes([octet]))

    with kit.TcpServer(serve) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp"], kit.lines(50))
    tap.equal((status, report["answered"]), (0, 50), err)


@tap.case
def the_longest_answer_is_taken():
    def serve(connection, nth):
        while True:
            connection.sendall(kit.framed(kit.reply(kit.take_query(connection)).ljust(65535, b"\0")))

    with kit.TcpServer(serve) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "30"], kit.lines(60))
    tap.equal((status, report["answered"], report["octets"]), (0, 60, 60 * 65535), err)


@tap.case
def a_server_that_stops_reading_blocks_the_sender_and_that_is_told():
    def serve(connection, nth):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        time.sleep(1)
        answer_all(connection, nth)

    name = ".".join(["x" * 60] * 4)
    with kit.TcpServer(serve) as server:
        server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        status, report, err = kit.run(["--server", server.at, "--tcp", "-q", "30000", "--patience", "0", "-t", "50"],
                                      f"{name} A\n" * 30000)
    tap.equal((status, report["answered"], report["lost"]), (0, 30000, 0), err)
    assert report["send_blocked_us"] > 0, report


@tap.case
def a_server_that_closes_at_once_is_not_stormed():
    with kit.TcpServer(lambda connection, nth: None) as server:
        status, report, err = kit.run(["--server", server.at, "--tcp"], kit.lines(10))
        connection_count = server.connection_count
    tap.equal((status, report["answered"], report["end"]), (1, 0, "silent"), err)
    assert 1 < connection_count < 20, connection_count


@tap.case
def nobody_at_the_port_is_told():
    with kit.TcpServer(answer_all) as server:
        at = server.at
    status, report, err = kit.run(["--server", at, "--tcp"], kit.lines(10))
    tap.equal(status, 1)
    assert "Connection refused" in err, err


tap.main()

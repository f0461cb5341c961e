"""The open modes of saker bench: who is asked when, and what is made of it."""
import collections
import os
import struct
import tempfile
import time

import bench_kit as kit
import tap


def good(query, nth):
    return [(0, kit.reply(query))]


def run(mode, arguments, text):
    with kit.query_file(text) as queries:
        return kit.finish(kit.start(arguments, queries, mode=mode))


@tap.case
def a_rate_sends_as_many_as_are_due_and_no_more():
    with kit.UdpServer(good) as server:
        status, report, err = run("rate", ["--server", server.at, "--rate", "400", "-l", "1"], kit.lines(50))
    tap.equal((status, report["sent"], report["answered"], len(server.queries)), (0, 400, 400, 400), err)
    names = collections.Counter(kit.qname(q) for q, _ in server.queries)
    tap.equal(set(names.values()), {8})


@tap.case
def a_rate_by_several_threads_sends_each_query_once():
    with kit.UdpServer(good) as server:
        status, report, err = run("rate", ["--server", server.at, "--rate", "1000", "-n", "2", "-T", "3", "-c", "7"],
                                  kit.lines(300))
    names = collections.Counter(kit.qname(q) for q, _ in server.queries)
    tap.equal((status, report["sent"], len(names), set(names.values())), (0, 600, 300, {2}), err)
    tap.equal(len({peer for _, peer in server.queries}), 7)


@tap.case
def a_server_that_stops_is_asked_meanwhile_and_the_waiting_counts():
    """The server reads nothing for half a second: a closed loop would not ask, and see one slow answer a slot."""
    def act(query, nth):
        return [(0.5 if nth < 100 else 0, kit.reply(query))]

    with kit.UdpServer(act) as server:
        status, report, err = run("rate", ["--server", server.at, "--rate", "200", "-l", "1"], kit.lines(50))
    # The last few are due just before the end, and a tool that gets no processor then leaves them out.
    tap.equal((status, report["answered"]), (0, report["sent"]), err)
    assert 195 <= report["sent"] <= 200, report
    assert report["latency_us"]["p50"] >= 100_000 or report["latency_us"]["mean"] >= 200_000, report


@tap.case
def a_lost_query_counts_as_the_time_out_in_every_percentile():
    with kit.UdpServer(lambda q, n: [] if n % 5 == 0 else good(q, n)) as server:
        status, report, err = run("rate", ["--server", server.at, "--rate", "500", "-l", "0.5", "-t", "0.7"],
                                  kit.lines(50))
    tap.equal((status, report["sent"], report["lost"]), (0, 250, 50), err)
    tap.equal(round(report["latency_us"]["p99"] / 1e6, 3), 0.7)
    tap.equal(round(report["latency_us"]["p90"] / 1e6, 3), 0.7)
    assert report["latency_us"]["p50"] < 700_000, report


@tap.case
def a_ramp_sends_half_of_its_highest_rate_on_average():
    with kit.UdpServer(good) as server, tempfile.TemporaryDirectory() as folder:
        plot = os.path.join(folder, "plot")
        status, report, err = run("ramp", ["--server", server.at, "-m", "400", "-r", "1", "-c", "0.5", "-i", "0.25",
                                           "-P", plot], kit.lines(50))
        with open(plot) as file:
            lines = file.read().splitlines()
    tap.equal((status, report["sent"], report["answered"]), (0, 400, 400), err)
    assert lines[0].startswith("# time target_qps"), lines[0]
    rows = [[float(x) for x in line.split()] for line in lines[1:]]
    tap.equal([row[0] for row in rows], [0.125, 0.375, 0.625, 0.875, 1.125, 1.375])
    tap.equal([row[1] for row in rows], [50, 150, 250, 350, 400, 400])
    tap.equal(round(sum(row[2] for row in rows) * 0.25), 400)
    tap.equal(round(sum(row[3] for row in rows) * 0.25), 400)


@tap.case
def a_ramp_ends_where_too_many_are_unanswered():
    with kit.UdpServer(lambda q, n: good(q, n) if n < 20 else []) as server:
        status, report, err = run("ramp", ["--server", server.at, "-m", "2000", "-r", "5", "-q", "100", "-t", "20"],
                                  kit.lines(50))
        sent = report["sent"]
    tap.equal((status, report["end"]), (0, "crowded"), err)
    tap.equal((report["answered"], sent), (20, 120))


def check_three_rates(status, report, err):
    """A step ends at its time: what a busy machine could not send by then is not sent."""
    tap.equal((status, report["answered"]), (0, report["sent"]), err)
    assert 200 < report["sent"] <= 300, report["sent"]


@tap.case
def a_sweep_tries_each_rate():
    with kit.UdpServer(good) as server:
        status, report, err = run("sweep", ["--server", server.at, "--rates", "100,300,200", "-l", "0.5"],
                                  kit.lines(50))
        check_three_rates(status, report, err)
        status, report, err = run("sweep", ["--server", server.at, "--from", "100", "--to", "300", "--steps", "3",
                                            "-l", "0.5"], kit.lines(50))
        check_three_rates(status, report, err)


@tap.case
def a_replay_keeps_the_order_and_the_octets_of_a_recording():
    """A pcap file of raw IPv4 packets: two clients, an odd opcode bit, an OPT record, times out of order."""
    queries = [struct.pack("!6H", 0x1111 * i, 0x0110 if i % 2 else 0x0100, 1, 0, 0, 1) + b"\3abc\0\0\1\0\1"
               + b"\0\0\x29\x10\0\0\0\x80\0\0\0" for i in range(1, 7)]
    with kit.UdpServer(good) as server, tempfile.NamedTemporaryFile(suffix=".pcap") as file:
        file.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 101))
        for at, query in zip((3, 1, 2, 4, 5, 6), queries):
            udp = struct.pack("!4H", 1000 + at, 53, 8 + len(query), 0) + query
            packet = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0,
                                 bytes((192, 0, 2, 1)), bytes((192, 0, 2, 53))) + udp
            file.write(struct.pack("<IIII", 1700000000, at * 50_000, len(packet), len(packet)) + packet)
        file.flush()
        process = kit.start(["--server", server.at, "--speed", "2x"], file.name, mode="replay")
        status, report, err = kit.finish(process)
        seen = [q[2:] for q, _ in server.queries]
    tap.equal((status, report["sent"], report["answered"]), (0, 6, 6), err)
    tap.equal(seen, [queries[i][2:] for i in (1, 2, 0, 3, 4, 5)])


@tap.case
def a_replay_without_times_wants_a_rate():
    with kit.UdpServer(good) as server:
        status, report, err = run("replay", ["--server", server.at], kit.lines(5))
        tap.equal((status, report), (1, None))
        assert "no times" in err, err
        status, report, err = run("replay", ["--server", server.at, "--rate", "500"], kit.lines(5))
    tap.equal((status, report["answered"]), (0, 5), err)


@tap.case
def sources_are_spread_over_sockets():
    with kit.UdpServer(good) as server:
        status, report, err = run("run", ["--server", server.at, "-c", "40", "--source", "127.1.0.0/28"],
                                  kit.lines(200))
    peers = {peer for _, peer in server.queries}
    tap.equal((status, report["answered"], len(peers)), (0, 200, 40), err)
    tap.equal({host for host, _ in peers}, {f"127.1.0.{i}" for i in range(1, 15)})


@tap.case
def a_source_of_another_machine_is_told():
    with kit.UdpServer(good) as server:
        for source, want in (("192.0.2.1", "192.0.2.1"), ("::1", "family"), ("127.0.0.1/40", "prefix")):
            status, report, err = run("run", ["--server", server.at, "--source", source], kit.lines(5))
            tap.equal((status, report), (1, None))
            assert err.startswith("saker: ") and want in err and err.count("\n") == 1, err


@tap.case
def a_connection_is_closed_after_so_many_queries():
    def serve(connection, nth):
        while True:
            connection.sendall(kit.framed(kit.reply(kit.take_query(connection))))

    with kit.TcpServer(serve) as server:
        status, report, err = run("run", ["--server", server.at, "--tcp", "--queries-per-connection", "10", "-q", "4"],
                                  kit.lines(95))
    tap.equal((status, report["answered"], report["connections"], server.connection_count), (0, 95, 10, 10), err)
    tap.equal((report["reconnects"], report["resent"]), (0, 0))


@tap.case
def a_cookie_is_learned_and_queries_are_padded():
    """The first query of a socket has the client's cookie alone, all later ones the server's, too."""
    cookies = collections.defaultdict(list)

    def act(query, nth):
        options = query[12 + kit.question_len(query) + 11:]
        assert options[:2] == b"\0\x0a", options
        cookie = options[4:4 + options[3]]
        cookies[cookie[:8]].append(cookie[8:])
        opt = b"\0\0\x29\x04\xd0\0\0\0\0" + struct.pack("!HHH", 20, 10, 16) + cookie[:8] + b"serverck"
        return [(0, kit.reply(query)[:10] + b"\0\1" + kit.reply(query)[12:] + opt)]

    with kit.UdpServer(act) as server:
        status, report, err = run("run", ["--server", server.at, "--cookie", "--padding", "128", "-c", "3", "-q", "3"],
                                  kit.lines(90))
    tap.equal((status, report["answered"], report["malformed"]), (0, 90, 0), err)
    tap.equal({len(q) % 128 for q, _ in server.queries}, {0})
    tap.equal(len(cookies), 3)
    for seen in cookies.values():
        tap.equal(set(seen[1:]), {b"serverck"})
        tap.equal(seen[0], b"")


@tap.case
def cookies_and_padding_go_over_tcp_as_well():
    seen = []

    def serve(connection, nth):
        while True:
            query = kit.take_query(connection)
            seen.append(query)
            connection.sendall(kit.framed(kit.reply(query)))

    with kit.TcpServer(serve) as server:
        status, report, err = run("run", ["--server", server.at, "--tcp", "--cookie", "--padding", "64"], kit.lines(40))
    tap.equal((status, report["answered"]), (0, 40), err)
    tap.equal({len(q) % 64 for q in seen}, {0})


@tap.case
def updates_are_sent_as_they_are_in_the_file():
    with kit.UdpServer(lambda q, n: [(0, kit.reply(q, flags=0x2800))]) as server:
        status, report, err = run("run", ["--server", server.at, "-u"],
                                  "z\nadd a 5 A 192.0.2.1\nsend\nz\nrequire a\ndelete a A\nsend\n")
    tap.equal((status, report["answered"]), (0, 2), err)
    tap.equal(sorted(q[2:12].hex() for q, _ in server.queries), ["28000001000000010000", "28000001000100010000"])


@tap.case
def another_server_tells_what_is_expected():
    """Of ten names one has another rcode, one another flag, one no answer here, and one none there."""
    def here(query, nth):
        host = kit.qname(query)[1:6]
        return [] if host == b"host7" else [(0, kit.reply(query, rcode=3 if host == b"host5" else 0,
                                                          flags=0x0400 if host == b"host6" else 0))]

    def there(query, nth):
        return [] if kit.qname(query)[1:6] == b"host8" else good(query, nth)

    with kit.UdpServer(here) as server, kit.UdpServer(there) as other:
        status, report, err = run("run", ["--server", server.at, "--against", other.at, "-t", "0.5", "-n", "2"],
                                  kit.lines(10))
        tap.equal((status, report["answered"], len(other.queries)), (0, 18, 10), err)
        check = report["check"]
        tap.equal((check["compared"], check["differing"]), (20, 8))
        kinds = {kind: count for kind, count in check["by_kind"].items() if count}
        tap.equal(kinds, {"rcode": 2, "flags": 2, "missing": 4})
        tap.equal(check["queries"], [{"query": f"host{i}.example.test. A", "kinds": [kind]} for i, kind in
                                     ((5, "rcode"), (6, "flags"), (7, "missing"), (8, "missing"))])
        status, report, err = run("run", ["--server", server.at, "--against", "127.0.0.1:9"], kit.lines(10))
    tap.equal((status, report), (1, None))
    assert "no answer" in err, err


@tap.case
def a_file_tells_what_is_expected():
    with kit.UdpServer(good) as server, kit.query_file(
            "host0.example.test A NOERROR\nhost1.example.test A NXDOMAIN\nhost2.example.test A NOERROR 192.0.2.1\n"
            "host3.example.test A NOERROR *\n") as expected, kit.query_file("x A NOERROR nonsense\n") as bad:
        status, report, err = run("run", ["--server", server.at, "--check", expected], kit.lines(10))
        tap.equal((status, report["answered"]), (0, 10), err)
        check = report["check"]
        tap.equal((check["compared"], check["differing"]), (4, 2))
        tap.equal((check["by_kind"]["rcode"], check["by_kind"]["answer section"]), (1, 1))
        status, report, err = run("run", ["--server", server.at, "--check", bad], "x A\n")
        tap.equal((status, report), (1, None))
        assert err.startswith(f"saker: {bad}:1:13: "), err


@tap.case
def a_search_ends_at_its_highest_rate_or_says_that_none_held():
    with kit.UdpServer(good) as server:
        status, report, err = run("search", ["--server", server.at, "--from", "50", "--to", "200", "--trial", "0.3",
                                             "--confirm", "0.5", "--confirmations", "2", "--loss", "50%"],
                                  kit.lines(20))
    tap.equal((status, report["mode"]), (0, "search"), err)
    points = report["points"]
    tap.equal([p["offered"] for p in points[:3]], [50, 100, 200])
    tap.equal(points[report["point_best"]]["offered"], 200)
    tap.equal((report["point_above"], report["confirmations"]), (None, {"held": 2, "made": 2}))
    with kit.UdpServer(lambda q, n: [] if n > 100 else good(q, n)) as server:
        status, report, err = run("search", ["--server", server.at, "--from", "100", "--trial", "0.5", "-t", "0.2",
                                             "--confirm", "0.5", "--confirmations", "1"], kit.lines(20))
    tap.equal(status, 0, err)
    tap.equal((report["point_best"], report["confirmations"]["held"]), (None, 0), report["points"])


@tap.case
def the_server_on_this_machine_tells_its_cost():
    with kit.UdpServer(good) as server:
        status, report, err = run("rate", ["--server", server.at, "--rate", "500", "-l", "0.4"], kit.lines(20))
    tap.equal(status, 0, err)
    tap.equal((report["server"]["processes"], report["server"]["dropped"]), (1, 0))
    assert report["server"]["cpu_s"] > 0, report
    tap.equal(sum(i["answered"] for i in report["intervals"]), 200)
    tap.equal((report["due"], sum(i["due"] for i in report["intervals"])), (200, 200))


@tap.case
def ctrl_c_ends_any_mode_early_with_a_report():
    for mode, arguments in (("rate", ["--rate", "300", "-l", "3600"]), ("ramp", ["-m", "600", "-r", "60"]),
                            ("sweep", ["--rates", "300,400", "-l", "3600"]),
                            ("search", ["--from", "300", "--trial", "3600"])):
        # All wait for what is in flight: the time-out is long.
        with kit.UdpServer(lambda q, n: good(q, n) if n < 50 else []) as server, \
                kit.query_file(kit.lines(10)) as queries:
            process = kit.start(["--server", server.at, "-t", "300", *arguments], queries, mode=mode)
            deadline = time.monotonic() + kit.WAIT_S
            while len(server.queries) < 60 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            kit.interrupt(process)
            status, report, err = kit.finish(process)
        tap.equal((status, report["end"], report["answered"]), (0, "interrupted", 50), (mode, err))
        assert report["interrupted"] >= 10 and report["due"] >= report["sent"], (mode, report)
        tap.equal(sum(i["sent"] for i in report["intervals"]), report["sent"], mode)
        tap.equal(sum(i["interrupted"] for i in report["intervals"]), report["interrupted"], mode)


@tap.case
def wrong_settings_of_a_mode_exit_2():
    for arguments in (["rate"], ["rate", "--rate", "0"], ["rate", "--rate", "1e3"], ["ramp", "-r", "0"],
                      ["sweep"], ["sweep", "--from", "5"], ["sweep", "--rates", "5,,6"], ["sweep", "--rates", "5,x"],
                      ["search", "--from", "10", "--to", "5"], ["search", "--p99", "5hours"],
                      ["search", "--loss", "101%"], ["replay", "--speed", "0x"], ["run", "--rate", "5"]):
        with kit.query_file("a.test A\n") as queries:
            process = kit.start(["--server", "127.0.0.1:9", *arguments[1:]], queries, mode=arguments[0])
            status, report, err = kit.finish(process)
        tap.equal((status, report), (2, None), arguments)
        assert err, arguments


tap.main()

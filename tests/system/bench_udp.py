"""saker bench run over UDP tells the truth about servers that lose, delay, repeat and garble answers."""
import collections
import struct
import time

import bench_kit as kit
import tap


def good(query, nth):
    return [(0, kit.reply(query))]


@tap.case
def every_answer_is_counted_with_its_rcode():
    with kit.UdpServer(lambda q, n: [(0, kit.reply(q, rcode=(0, 3, 3, 5)[n % 4]))]) as server:
        status, report, err = kit.run(["--server", server.at], kit.lines(400))
    tap.equal(status, 0, err)
    tap.equal((report["sent"], report["answered"], report["lost"]), (400, 400, 0))
    tap.equal(report["rcodes"], {"NOERROR": 100, "NXDOMAIN": 200, "REFUSED": 100})
    tap.equal(err, "", "quiet in a pipe")


@tap.case
def ipv6_works_the_same():
    try:
        server = kit.UdpServer(good, host="::1")
    except OSError as why:
        raise tap.Skip(f"no IPv6 on loopback: {why}")
    with server:
        status, report, err = kit.run(["--server", server.at], kit.lines(50))
    tap.equal((status, report["answered"]), (0, 50), err)


@tap.case
def a_lost_answer_is_lost_and_not_in_the_latency():
    with kit.UdpServer(lambda q, n: [] if n % 20 == 7 else good(q, n)) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "1.5"], kit.lines(40))
    tap.equal((status, report["answered"], report["lost"], report["late"]), (0, 38, 2, 0), err)


@tap.case
def an_answer_after_the_time_out_is_late_and_no_answer():
    with kit.UdpServer(lambda q, n: [(1.3, kit.reply(q))]) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "1", "--patience", "0"], kit.lines(25))
    tap.equal((report["sent"], report["answered"], report["lost"], report["late"]), (25, 0, 25, 25), err)
    tap.equal(report["latency_us"], None)
    tap.equal(report["duplicate"] + report["unmatched"], 0)
    assert status == 1 and "25 late" in err, err


@tap.case
def a_second_answer_is_a_duplicate():
    with kit.UdpServer(lambda q, n: good(q, n) * 2) as server:
        status, report, err = kit.run(["--server", server.at, "-q", "10"], kit.lines(100))
    tap.equal((status, report["answered"], report["lost"]), (0, 100, 0), err)
    assert 99 <= report["duplicate"] <= 100, report  # the last one may come after the end
    tap.equal(report["unmatched"] + report["mismatched"], 0)


@tap.case
def an_answer_with_an_id_that_was_not_asked_is_unmatched():
    seen = set()

    def act(query, nth):
        seen.add(struct.unpack("!H", query[:2])[0])
        other = next(i for i in range(65536) if i not in seen)
        return [(0, struct.pack("!H", other) + kit.reply(query)[2:]), (0, kit.reply(query))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at, "-q", "1"], kit.lines(30))
    tap.equal((status, report["answered"], report["unmatched"]), (0, 30, 30), err)


@tap.case
def an_answer_to_another_question_is_not_taken():
    other = b"\5wrong\4test\0\0\1\0\1"

    with kit.UdpServer(lambda q, n: [(0, kit.reply(q, question=other))] + good(q, n)) as server:
        status, report, err = kit.run(["--server", server.at], kit.lines(60))
    tap.equal((status, report["answered"], report["mismatched"]), (0, 60, 60), err)
    with kit.UdpServer(lambda q, n: [(0, kit.reply(q, question=other))]) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "0.5"], kit.lines(10))
    tap.equal((status, report["answered"], report["lost"], report["mismatched"]), (1, 0, 10, 10), err)


@tap.case
def the_same_name_with_another_type_is_another_question():
    def act(query, nth):
        question = query[12:12 + kit.question_len(query)]
        return [(0, kit.reply(query, question=question[:-4] + b"\0\x1c\0\1"))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "0.5"], kit.lines(5))
    tap.equal((status, report["answered"], report["mismatched"]), (1, 0, 5), err)


@tap.case
def letters_may_come_back_in_another_case():
    def act(query, nth):
        return [(0, kit.reply(query, question=kit.qname(query).upper() + b"\0\1\0\1"))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at], "fox.example A\n" * 5)
    tap.equal((status, report["answered"]), (0, 5), err)


@tap.case
def what_is_no_answer_is_malformed():
    def act(query, nth):
        return [(0, b""), (0, query[:11]), (0, query), (0, kit.reply(query))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at], kit.lines(20))
    tap.equal((status, report["answered"], report["malformed"]), (0, 20, 60), err)


@tap.case
def an_error_may_leave_the_question_out_and_a_success_may_not():
    def act(query, nth):
        return [(0, query[:2] + struct.pack("!5H", 0x8000 | nth % 2, 0, 0, 0, 0))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "0.5"], kit.lines(10))
    tap.equal((status, report["rcodes"], report["mismatched"], report["lost"]), (0, {"FORMERR": 5}, 5, 5), err)


@tap.case
def truncated_answers_are_answers_and_are_told():
    with kit.UdpServer(lambda q, n: [(0, kit.reply(q, flags=0x0200 if n % 2 else 0))]) as server:
        status, report, err = kit.run(["--server", server.at], kit.lines(40))
    tap.equal((status, report["answered"], report["truncated"]), (0, 40, 20), err)


@tap.case
def names_arrive_as_they_were_meant():
    # Escapes are single octets, an escaped dot or blank ends nothing, the 64-octet label is left out by its line.
    text = ("p\\.q.test A\n\\065bc A\n\\\\\\; A\nsp\\ ace A\n" + "m" * 63 + ".test A\n" + "m" * 64 + ".test A\n"
            + "; nothing\n\n\\300 A\n. NS\nlast.test. A")
    want = ["03702e71047465737400", "0341626300", "025c3b00", "0673702061636500",
            "3f" + "6d" * 63 + "047465737400", "00", "046c617374047465737400"]
    with kit.UdpServer(good) as server:
        status, report, err = kit.run(["--server", server.at, "-q", "1"], text)
    tap.equal([kit.qname(q).hex() for q, _ in server.queries], want)
    tap.equal((status, report["sent"], report["bad_lines"]), (0, 7, 2), err)
    assert ":6:1:" in err and ":9:1:" in err, err


@tap.case
def strict_refuses_a_file_with_a_bad_line():
    with kit.UdpServer(good) as server:
        status, report, err = kit.run(["--server", server.at, "--strict"], "good.test A\nbad..test A\n")
    tap.equal((status, report, len(server.queries)), (1, None, 0))
    assert ":2:1:" in err, err


@tap.case
def no_more_than_q_are_in_flight():
    flying, most = set(), 0

    def act(query, nth):
        nonlocal most
        flying.add(query[:2])
        most = max(most, len(flying))
        if len(flying) < 7 and nth < 63:
            return []  # answered when the window is full
        out = [(0.02, kit.reply(q)) for q, _ in server.queries if q[:2] in flying]
        flying.clear()
        return out

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at, "-q", "7"], kit.lines(70))
    tap.equal((status, report["answered"], most, report["in_flight_max"]), (0, 70, 7, 7), err)


@tap.case
def the_file_is_gone_through_n_times_over_c_sockets_by_t_threads():
    def act(query, nth):
        """The first windows wait, or a thread that starts late would find nothing left."""
        return [(0.5 if nth < 40 else 0, kit.reply(query))]

    with kit.UdpServer(act) as server:
        status, report, err = kit.run(["--server", server.at, "-n", "3", "-c", "5", "-T", "2", "-q", "40"],
                                      kit.lines(100))
    names = collections.Counter(kit.qname(q) for q, _ in server.queries)
    tap.equal((status, report["answered"]), (0, 300), err)
    tap.equal(set(names.values()), {3})
    tap.equal((len(names), len({peer for _, peer in server.queries})), (100, 5))


@tap.case
def more_sockets_than_queries_in_flight_are_all_used():
    with kit.UdpServer(good) as server:
        status, report, err = kit.run(["--server", server.at, "-c", "20", "-q", "3"], kit.lines(200))
    tap.equal((status, report["answered"], len({peer for _, peer in server.queries})), (0, 200, 20), err)


@tap.case
def edns_and_do_are_asked_for():
    for flags, want in (([], b""), (["-e"], b"\0\0\x29\x04\xd0" + bytes(6)),
                        (["-D"], b"\0\0\x29\x04\xd0\0\0\x80\0\0\0")):
        with kit.UdpServer(good) as server:
            status, report, err = kit.run(["--server", server.at, *flags], "a.test A\n")
        query = server.queries[0][0]
        tap.equal(query[2:12], struct.pack("!5H", 0x0100, 1, 0, 0, 1 if want else 0))
        tap.equal(query[12 + kit.question_len(query):], want)



@tap.case
def ids_do_not_count_up_and_do_not_come_back_soon():
    with kit.UdpServer(good) as server:
        kit.run(["--server", server.at, "-q", "1"], kit.lines(500))
    ids = [struct.unpack("!H", q[:2])[0] for q, _ in server.queries]
    tap.equal(len(set(ids)), 500)
    assert len({(b - a) % 65536 for a, b in zip(ids, ids[1:])}) > 100, ids


@tap.case
def time_ends_a_run_and_what_is_in_flight_is_waited_for():
    with kit.UdpServer(lambda q, n: [(0.1, kit.reply(q))]) as server:
        status, report, err = kit.run(["--server", server.at, "-l", "0.5"], kit.lines(3))
    tap.equal((status, report["lost"], report["interrupted"]), (0, 0, 0), err)
    assert report["answered"] > 3, report


@tap.case
def ctrl_c_ends_a_run_early_with_a_report():
    with kit.UdpServer(lambda q, n: good(q, n) if n < 300 else []) as server, \
            kit.query_file(kit.lines(10)) as queries:
        process = kit.start(["--server", server.at, "-l", "3600", "-t", "3600"], queries)
        while len(server.queries) < 350:
            time.sleep(0.01)
        kit.interrupt(process)
        status, report, err = kit.finish(process)
    tap.equal((status, report["end"], report["answered"], report["interrupted"]), (0, "interrupted", 300, 100), err)


@tap.case
def a_server_that_comes_back_is_asked_on():
    with kit.UdpServer(lambda q, n: [] if 100 <= n < 140 else good(q, n)) as server:
        status, report, err = kit.run(["--server", server.at, "-t", "0.4", "-q", "10"], kit.lines(300))
    tap.equal((status, report["answered"], report["lost"]), (0, 260, 40), err)


tap.main()

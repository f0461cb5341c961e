"""dnsperf's command lines with another name in front: the same flags, the same counts."""
import hashlib
import hmac
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time

import bench_kit as kit
import tap

NAMES = 50


def by_name(query, nth):
    """What a query is answered with depends on its first label alone: NXDOMAIN for odd ones, nothing for host7."""
    number = int(query[13:13 + query[12]].removeprefix(b"host"))
    return [] if number == 7 else [(0, kit.reply(query, rcode=3 * (number % 2)))]


def run(program, arguments, text="", mode="run", **how):
    words = [kit.SAKER, "bench", mode] if program == "saker" else [program]
    return subprocess.run([*words, *arguments], input=text, capture_output=True, timeout=kit.WAIT_S,
                          text=isinstance(text, str), **how)


def counts(program, out):
    """-> sent, answered, lost, {rcode: how often}"""
    if program == "dnsperf":
        numbers = [int(re.search(rf"Queries {what}: +(\d+)", out)[1]) for what in ("sent", "completed", "lost")]
        rcodes = re.search(r"Response codes: +(.*)", out)[1]
    else:
        numbers = [int(re.search(rf"^{what} +(\d+)", out, re.M)[1]) for what in ("sent", "answered", "lost")]
        rcodes = re.search(r"^rcodes +(.*)", out, re.M)[1]
    return (*numbers, {word: int(number) for word, number in re.findall(r"([A-Z]+) (\d+) \(", rcodes)})


def told(out):
    """The lines of -v: what became of which question, without the latency."""
    lines = [line.split() for line in out.splitlines() if line.startswith("> ")]
    return sorted((what, name.rstrip(".").lower(), kind) for _, what, name, kind, *_ in lines)


def extras(query):
    """The options of the OPT record at the end of a query, and whether DO is set."""
    at = 12 + kit.question_len(query)
    if at == len(query):
        return None
    kind, _, ttl, length = struct.unpack("!HHIH", query[at + 1:at + 11])
    tap.equal((query[at], kind, at + 11 + length), (0, 41, len(query)))
    return query[at + 11:], bool(ttl & 0x8000)


def both(arguments, text):
    """Runs a command line with either, each against a server of its own -> (counts, what -v told, queries seen) of each.
    Where dnsperf is not installed, what it would say must be known otherwise."""
    found = []
    for program in ("dnsperf" if shutil.which("dnsperf") else "saker", "saker"):
        with kit.UdpServer(by_name) as server, kit.query_file(text) as queries:
            file = [] if "-d" in arguments else ["-d", queries]
            done = run(program, ["-s", "127.0.0.1", "-p", str(server.port), *file, *arguments])
            tap.equal((done.returncode, done.stderr if program == "saker" else ""), (0, ""), (program, done.stderr))
            found.append((counts(program, done.stdout), told(done.stdout), server.queries))
    return found


def free_ports(count):
    """The first of so many UDP ports of 127.0.0.1 side by side that were free just now."""
    for first in range(20000, 60000, 97):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                sockets[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in sockets:
                one.close()
    raise tap.Skip("no ports")


@tap.case
def the_same_command_line_counts_the_same():
    text = kit.lines(NAMES)
    for arguments in (["-t", "1"], ["-t", "1", "-n", "2", "-q", "5", "-c", "3"], ["-t", "1", "-f", "inet", "-m", "udp"],
                      ["-t", "1", "-T", "2", "-c", "2", "-b", "64"], ["-t", "1", "-e", "-O", "suppress=timeouts,unexpected"]):
        theirs, ours = both([*arguments, "-v", "-W"], text)
        passes = 2 if "-n" in arguments else 1
        tap.equal(theirs[0], (50 * passes, 49 * passes, passes, {"NOERROR": 25 * passes, "NXDOMAIN": 24 * passes}))
        tap.equal(ours[0], theirs[0], arguments)
        tap.equal(ours[1], theirs[1], arguments)
        lost = 0 if "-O" in arguments else passes    # suppress=timeouts hides their lines
        tap.equal([what for what, *_ in ours[1]], ["NOERROR"] * 25 * passes + ["NXDOMAIN"] * 24 * passes + ["T"] * lost)


@tap.case
def resperfs_command_line_ramps():
    first = free_ports(1)
    for program in ("resperf", "saker"):
        if shutil.which(program) is None and program == "resperf":
            continue
        with kit.UdpServer(lambda query, nth: [(0, kit.reply(query))]) as server, kit.query_file(kit.lines(5)) as queries, \
                tempfile.NamedTemporaryFile("r") as plot:
            done = run(program, ["-s", "127.0.0.1", "-p", str(server.port), "-d", queries, "-M", "udp", "-R", "-v", "-W", "-C", "1",
                                 "-m", "200", "-r", "1", "-c", "0.5", "-i", "0.5", "-F", "1000", "-L", "100", "-q", "1000", "-t", "1",
                                 "-P", plot.name, "-f", "inet", "-E", "65001:aa", "-D", "-x", str(first)], mode="ramp")
            tap.equal(done.returncode, 0, (program, done.stdout, done.stderr))
            rows = [[float(word) for word in line.split()] for line in plot.read().splitlines()[1:]]
        tap.equal([row[:2] for row in rows[:2]], [[0.25, 50], [0.75, 150]], program)
        assert len(server.queries) > 5, program    # more than the file has
        assert "> " not in done.stdout, done.stdout
        for query, (_, port) in server.queries:
            tap.equal((extras(query), port), ((bytes.fromhex("fde90001aa"), True), first), program)


@tap.case
def queries_carry_the_same_options():
    for arguments in (["-e"], ["-D"], ["-E", "10:0011223344556677"], ["-E", "65001:aabb", "-D"], []):
        seen = [[extras(query) for query, _ in queries] for _, _, queries in both([*arguments, "-t", "1"], kit.lines(5))]
        tap.equal(seen[1], seen[0], arguments)
        option = next((word for word in arguments if ":" in word), ":").split(":")
        want = b"" if not option[1] else struct.pack("!HH", int(option[0]), len(option[1]) // 2) + bytes.fromhex(option[1])
        tap.equal(seen[1], [(want, "-D" in arguments) if arguments else None] * 5)


@tap.case
def options_may_be_repeated():
    with kit.UdpServer(by_name) as server:
        done = run("saker", ["-s", server.at, "-E", "65001:AAbb", "-E", "3:"], kit.lines(3))
    tap.equal(done.returncode, 0, done.stderr)
    for query, _ in server.queries:
        tap.equal(extras(query), (bytes.fromhex("fde90002aabb" "00030000"), False))


def check_signature(query, digest, name, secret):
    """The TSIG record at the end of a message (RFC 8945 sec 4.3), recomputed. -> the message without it"""
    algorithm = (b"\x08hmac-md5\x07sig-alg\x03reg\x03int\0" if digest == "md5"
                 else bytes((5 + len(digest),)) + b"hmac-" + digest.encode() + b"\0")
    size = hashlib.new(digest).digest_size
    start = len(query) - len(name) - 10 - len(algorithm) - 16 - size
    tap.equal(query[start:start + len(name) + 8], name + struct.pack("!HHI", 250, 255, 0))
    rdata = query[start + len(name) + 10:]
    tap.equal((rdata[:len(algorithm)], len(rdata)), (algorithm, struct.unpack("!H", query[start + len(name) + 8:][:2])[0]))
    times, rest = rdata[len(algorithm):][:8], rdata[len(algorithm) + 8:]
    now = int.from_bytes(times[:6], "big")
    assert abs(now - time.time()) < kit.WAIT_S and times[6:] == struct.pack("!H", 300), times
    tap.equal((rest[:2], rest[2 + size:]), (struct.pack("!H", size), query[:2] + bytes(4)))
    message = query[:10] + struct.pack("!H", struct.unpack("!H", query[10:12])[0] - 1) + query[12:start]
    signed = message + name + struct.pack("!HI", 255, 0) + algorithm + times + bytes(4)
    tap.equal(rest[2:2 + size], hmac.new(secret, signed, digest).digest())
    return message


@tap.case
def queries_are_signed():
    # dnsperf 2.10 takes no secret of a multiple of three octets, whose base64 has no padding.
    for digest in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
        key = f"hmac-{digest}:Key.example:c2VjcmV0cw=="
        for _, _, queries in both(["-y", key, "-D", "-t", "1"], kit.lines(5)):
            tap.equal(len(queries), 5)
            for query, _ in queries:
                tap.equal(extras(check_signature(query, digest, b"\x03key\x07example\0", b"secrets")), (b"", True), digest)
    for _, _, queries in both(["-y", "key:c2VjcmV0cw==", "-t", "1"], kit.lines(5)):
        for query, _ in queries:
            tap.equal(extras(check_signature(query, "md5", b"\x03key\0", b"secrets")), None)


@tap.case
def a_signature_is_behind_padding_and_goes_over_tcp():
    seen = []

    def serve(connection, nth):
        while True:
            seen.append(kit.take_query(connection))
            connection.sendall(kit.framed(kit.reply(seen[-1])))

    with kit.TcpServer(serve) as server:
        done = run("saker", ["-s", server.at, "-m", "tcp", "-y", "hmac-sha256:key:c2VjcmV0", "--padding", "128"], kit.lines(20))
    tap.equal((done.returncode, len(seen)), (0, 20), done.stderr)
    for query in seen:
        tap.equal(len(check_signature(query, "sha256", b"\x03key\0", b"secret")), 128)


@tap.case
def updates_are_signed():
    text = "example.test\nadd www 300 A 192.0.2.1\nsend\n"
    for program in ("dnsperf" if shutil.which("dnsperf") else "saker", "saker"):
        with kit.UdpServer(lambda query, nth: [(0, query[:2] + bytes((query[2] | 0x80,)) + query[3:])]) as server, \
                kit.query_file(text) as updates:
            done = run(program, ["-s", "127.0.0.1", "-p", str(server.port), "-u", "-d", updates, "-y", "hmac-sha256:key:c2VjcmV0cw=="])
        tap.equal((done.returncode, len(server.queries)), (0, 1), (program, done.stderr))
        message = check_signature(server.queries[0][0], "sha256", b"\x03key\0", b"secrets")
        tap.equal(message[2:12], struct.pack("!5H", 0x2800, 1, 0, 1, 0), program)


@tap.case
def a_secret_is_nowhere_to_be_read():
    with kit.UdpServer(by_name) as server, tempfile.NamedTemporaryFile("r", suffix=".html") as page, \
            kit.query_file(kit.lines(5)) as queries:
        process = subprocess.Popen([kit.SAKER, "bench", "run", "-s", server.at, "-d", queries, "-Q", "5", "-l", "2", "--json",
                                    "-y", "hmac-sha256:key:c2VjcmV0", "--html", page.name], stdout=subprocess.PIPE, text=True)
        end = time.monotonic() + kit.WAIT_S
        while not server.queries and time.monotonic() < end:
            time.sleep(0.01)
        with open(f"/proc/{process.pid}/cmdline") as file:
            line = file.read()
        out, _ = process.communicate(timeout=kit.WAIT_S)
        html = page.read()
    for text in (line, out, html):
        assert "hmac-sha256:key:xxxxxxxx" in text and "c2VjcmV0" not in text, text[:1000]


@tap.case
def signatures_of_answers_are_no_difference():
    """Each answer carries a TSIG record that nobody else's has."""
    def serve(query, nth):
        rdata = b"\x0bhmac-sha256\0" + struct.pack("!QH", nth, 4) + struct.pack("!I", nth) + query[:2] + bytes(4)
        record = b"\x03key\0" + struct.pack("!HHIH", 250, 255, 0, len(rdata)) + rdata
        answer = kit.reply(query)
        return [(0, answer[:10] + struct.pack("!H", 1) + answer[12:] + record)]

    with kit.UdpServer(serve) as one, kit.UdpServer(serve) as other:
        status, report, err = kit.run(["--server", one.at, "--against", other.at, "-y", "hmac-sha256:key:c2VjcmV0",
                                       "-n", "2"], kit.lines(10))
    tap.equal((status, report["check"]["compared"], report["check"]["differing"]), (0, 20, 0), err)


@tap.case
def a_highest_rate_is_kept():
    for arguments in (["-Q", "100", "-l", "1"], ["-Q", "100", "-l", "1", "-T", "2", "-c", "4"]):
        theirs, ours = both([*arguments, "-t", "1"], kit.lines(5))
        for (sent, answered, _, _), _, _ in (theirs, ours):
            # A busy machine may send fewer, never more but for a query a thread.
            assert 1 <= sent <= 104, (sent, arguments)
            tap.equal(answered, sent)
    # What could not be sent in its time is sent later: a limit, not a schedule. Latency is that of a closed loop.
    with kit.UdpServer(lambda query, nth: [(0.2 if nth == 0 else 0, kit.reply(query))]) as server:
        status, report, err = kit.run(["--server", server.at, "-Q", "200", "-q", "1"], kit.lines(100))
    tap.equal((status, report["answered"], report["settings"]["rate_max"]), (0, 100, 200.0), err)
    assert report["seconds"] >= 99 / 200 * 0.99, report["seconds"]
    assert report["latency_us"]["p50"] < 200e3 <= report["latency_us"]["max"], report["latency_us"]


@tap.case
def statistics_come_every_so_often():
    with kit.UdpServer(by_name) as server:
        before = time.time()
        done = run("saker", ["-s", server.at, "-Q", "50", "-l", "1.5", "-S", "0.5"], kit.lines(5))
        after = time.time()
        mixed = run("saker", ["-s", server.at, "-Q", "50", "-l", "1.2", "-S", "0.5", "-v", "--json"], kit.lines(5))
    lines = [line for line in done.stdout.splitlines() if re.fullmatch(r"\d+\.\d{6}: \d+\.\d{6}", line)]
    assert 1 <= len(lines) <= 3, done.stdout
    for line in lines:
        assert before - 1 <= float(line.split(":")[0]) <= after + 1, (before, line, after)
    # Of JSON nothing else stands on standard output.
    assert mixed.stdout.startswith('{"format"') and mixed.stdout.count("\n") == 1, mixed.stdout
    assert "> NOERROR host0.example.test" in mixed.stderr, mixed.stderr


@tap.case
def local_ports_count_up():
    first = free_ports(3)
    theirs, ours = both(["-x", str(first), "-c", "3", "-q", "3", "-t", "1"], kit.lines(30))
    for _, _, queries in (theirs, ours):
        tap.equal({port for _, (_, port) in queries}, {first, first + 1, first + 2})
    with kit.UdpServer(by_name) as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("0.0.0.0", 0))
        done = run("saker", ["-s", server.at, "-x", str(taken.getsockname()[1])], kit.lines(3))
    tap.equal((done.returncode, done.stdout), (1, ""))
    assert "-x" in done.stderr and "in use" in done.stderr, done.stderr


@tap.case
def binary_files_are_read():
    text = kit.lines(20)
    queries = []
    with kit.UdpServer(by_name) as server:
        run("saker", ["-s", server.at, "-D", "-t", "0.3"], text)
        queries = [query for query, _ in server.queries]
    with tempfile.NamedTemporaryFile(suffix=".blob") as blob:
        blob.write(b"".join(kit.framed(query) for query in queries))
        blob.flush()
        theirs, ours = both(["-B", "-d", blob.name, "-t", "1"], "unused A\n")
        tap.equal(ours[0], theirs[0])
        for _, _, seen in (theirs, ours):
            tap.equal(sorted(query[2:] for query, _ in seen), sorted(query[2:] for query in queries))
        blob.write(b"\0")
        blob.flush()
        done = run("saker", ["-s", "127.0.0.1:9", "-B", "-d", blob.name])
        tap.equal((done.returncode, done.stdout), (1, ""))
        assert done.stderr.startswith(f"saker: {blob.name}") and "message 21 is cut short" in done.stderr, done.stderr


@tap.case
def streams_are_closed_after_so_many_queries():
    def serve(connection, nth):
        while True:
            connection.sendall(kit.framed(kit.reply(kit.take_query(connection))))

    with kit.TcpServer(serve) as server:
        done = run("saker", ["-s", server.at, "-m", "tcp", "-O", "num-queries-per-conn=4", "-q", "4"], kit.lines(20))
        tap.equal(done.returncode, 0, done.stderr)
        tap.equal(server.connection_count, 5)


@tap.case
def what_cannot_be_done_is_said():
    for arguments, want in ((["-m", "dot"], "'dot'"), (["-m", "doh"], "'doh'"), (["-m", "quic"], "udp or tcp"),
                            (["-f", "inet4"], "inet, inet6 or any"), (["-E", "10"], "CODE:HEX"), (["-E", "70000:"], "65535"),
                            (["-E", "10:abc"], "two hexadecimal digits"), (["-E", "10:xy"], "hexadecimal"),
                            (["-E", "1:" + "00" * 2000], "1024"), (["-O", "doh-uri=https://a"], "HTTPS"),
                            (["-O", "nonsense=1"], "suppress"), (["-O", "suppress=all"], "timeouts"),
                            (["-O", "num-queries-per-conn=0"], "from 1"), (["-y", "hmac-sha25:k:c2VjcmV0"], "hmac-sha256"),
                            (["-y", "k:c2VjcmV"], "base64"), (["-y", "c2VjcmV0"], "NAME:SECRET"), (["-B", "-y", "k:c2VjcmV0"], "-y"),
                            (["-B", "-e"], "-B"), (["-B", "-u"], "-B"), (["-E", "10:", "--cookie"], "--cookie"),
                            (["-x", "31000", "-m", "tcp", "-O", "num-queries-per-conn=5"], "-x"), (["-x", "0"], "-x"),
                            (["-W", "--json"], "--json"), (["-S", "1", "--live"], "--live"), (["-v", "--live"], "--live"), (["-Q", "0"], "-Q"), (["-S", "0"], "-S")):
        done = run("saker", ["-s", "127.0.0.1", *arguments], kit.lines(1))
        tap.equal((done.returncode, done.stdout), (2, ""), arguments)
        assert want in done.stderr and done.stderr.startswith("saker: bench run: "), (arguments, done.stderr)
        assert "c2VjcmV0" not in done.stderr    # a secret is not for logs
    for more in (["-c", "2"], ["-T", "2", "-c", "1"]):
        done = run("saker", ["-s", "127.0.0.1", "-x", "65535", *more], kit.lines(1))
        tap.equal((done.returncode, done.stdout), (2, ""), more)
        assert "no port above 65535" in done.stderr, done.stderr
    done = run("saker", ["-s", "127.0.0.1", "-f", "inet6"], kit.lines(1))
    tap.equal((done.returncode, done.stdout), (1, ""))
    assert "other family" in done.stderr, done.stderr
    done = run("saker", ["-s", "127.0.0.1", "-d", "/nonexistent/file", "-W"])
    tap.equal((done.returncode, done.stderr), (1, ""))
    assert "/nonexistent/file" in done.stdout, done.stdout
    done = run("saker", ["-H"])
    tap.equal((done.returncode, done.stderr), (0, ""))
    assert "num-queries-per-conn" in done.stdout and "suppress" in done.stdout, done.stdout


tap.main()

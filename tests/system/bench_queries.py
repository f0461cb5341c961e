"""saker bench queries: what each source gives, what is wrong with sources, and that the same seed gives the same file."""
import collections
import pathlib
import struct
import subprocess
import tempfile

import bench_kit as kit
import tap

ZONE = """$TTL 60
@ SOA ns root 1 2 3 4 5
@ NS ns
""" + "".join(f"host{i} A 192.0.2.{i}\nhost{i} AAAA 2001:db8::{i:x}\n" for i in range(100))
LOG = "".join(f"192.0.2.{i} - - [30/Nov/2026:18:55:34 +0000] \"GET / HTTP/1.1\" 200 1\n" * (10 - i) for i in range(10))


def queries(*arguments, **how):
    done = subprocess.run([kit.SAKER, "bench", "queries", *arguments], capture_output=True, text=True,
                          timeout=kit.WAIT_S, **how)
    return done.returncode, done.stdout, done.stderr


def temporary(octets):
    file = tempfile.NamedTemporaryFile()
    file.write(octets if isinstance(octets, bytes) else octets.encode())
    file.flush()
    return file


def lines(text):
    return [line for line in text.splitlines() if not line.startswith(";")]


def query(name):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!6H", 1, 0x100, 1, 0, 0, 0) + labels + b"\0\0\1\0\1"


def pcap(names, port=53):
    octets = struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 262144, 101)
    for name in names:
        message = query(name)
        datagram = struct.pack("!4H", 4000, port, 8 + len(message), 0) + message
        packet = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0) + bytes(8) + datagram
        octets += struct.pack("<4I", 1700000000, 0, len(packet), len(packet)) + packet
    return octets


@tap.case
def a_zone_gives_names_that_exist_and_names_that_do_not():
    with temporary(ZONE) as zone:
        status, out, err = queries("--zone", f"z.test={zone.name}", "-n", "5000", "--missing", "20%", "--types", "A:4,TXT",
                                   "--zipf", "1.2", "--seed", "5")
        tap.equal((status, err), (0, ""))
        names = [line.split() for line in lines(out)]
        tap.equal(len(names), 5000)
        missing = [name for name, _ in names if name.startswith("x")]
        assert 850 < len(missing) < 1150, len(missing)
        assert all(name.endswith(".z.test.") for name in missing)
        txt = sum(kind == "TXT" for _, kind in names)
        assert 850 < txt < 1150, txt
        top = collections.Counter(name for name, _ in names if not name.startswith("x")).most_common(1)[0][1]
        assert top > 800, top    # 1 / sum(k^-1.2) over 101 names is a quarter
        again = queries("--zone", f"z.test={zone.name}", "-n", "5000", "--missing", "20%", "--types", "A:4,TXT",
                        "--zipf", "1.2", "--seed", "5")
        tap.equal(again, (0, out, ""))
        other = queries("--zone", f"z.test={zone.name}", "-n", "5000", "--missing", "20%", "--types", "A:4,TXT",
                        "--zipf", "1.2", "--seed", "6")
        assert lines(other[1]) != lines(out)


@tap.case
def what_is_written_is_a_query_file():
    def good(question, nth):
        return [(0, kit.reply(question))]

    with temporary(ZONE) as zone, tempfile.TemporaryDirectory() as folder, kit.UdpServer(good) as server:
        path = str(pathlib.Path(folder) / "queries")
        tap.equal(queries("--zone", f"z.test={zone.name}", "-o", path), (0, "", ""))
        done = subprocess.run([kit.SAKER, "bench", "run", "--server", server.at, "-d", path, "--strict"],
                              capture_output=True, text=True, timeout=kit.WAIT_S)
        tap.equal((done.returncode, done.stderr), (0, ""))
        tap.equal(len(server.queries), 101)


@tap.case
def an_access_log_gives_reverse_names_and_the_most_frequent_are_pruned():
    with temporary(LOG) as log:
        status, out, err = queries("--access-log", log.name)
        tap.equal((status, err), (0, ""))
        tap.equal(lines(out)[:2], ["0.2.0.192.in-addr.arpa. PTR"] * 2)
        tap.equal(len(lines(out)), 55)
        status, out, err = queries("--access-log", log.name, "--prune", "8")
        tap.equal((status, lines(out)), (0, ["8.2.0.192.in-addr.arpa. PTR"] * 2 + ["9.2.0.192.in-addr.arpa. PTR"]))
        status, out, err = queries("--access-log", log.name, "--prune", "10")
        tap.equal(status, 1)
        assert "nothing is left" in err, err


@tap.case
def standard_input_is_a_source():
    status, out, err = queries("--access-log", "-", input=LOG)
    tap.equal((status, err, len(lines(out))), (0, "", 55))


@tap.case
def a_recording_gives_its_queries():
    with temporary(pcap(["a.test", "b.test", "a.test"])) as file:
        status, out, err = queries("--recording", file.name)
        tap.equal((status, err, lines(out)), (0, "", ["a.test. A", "b.test. A", "a.test. A"]))
        status, out, err = queries("--recording", file.name, "-n", "2", "--port", "53")
        tap.equal((status, lines(out)), (0, ["a.test. A", "b.test. A"]))
        status, out, err = queries("--recording", file.name, "--port", "5353")
        tap.equal(status, 1)
        assert "no DNS query in it (3 records: 3 to other ports)" in err, err
    with temporary(pcap(["a.test", "b.test"])[:-3]) as cut:
        status, out, err = queries("--recording", cut.name)
        tap.equal((status, lines(out)), (0, ["a.test. A"]))
        assert "warning: the file ends inside a packet" in err, err
        status, out, err = queries("--recording", cut.name, "--strict")
        tap.equal(status, 1)


@tap.case
def bad_input_exits_1_and_names_what_is_bad():
    with (temporary("a.test A\n") as text, temporary("@ 60 SOA a b 1 2 3 4 5\nbad\n") as zone,
          temporary(ZONE) as fine):
        for arguments, want in ((["--recording", "/nonexistent/file"], "/nonexistent/file"),
                                (["--recording", "/"], "directory"),
                                (["--recording", text.name], "not a recording"),
                                (["--access-log", text.name], "no address in it"),
                                (["--access-log", "/nonexistent/file"], "/nonexistent/file"),
                                (["--zone", f"z={zone.name}"], f"{zone.name}:2:"),
                                (["--zone", "z=/nonexistent/file"], "/nonexistent/file"),
                                (["--zone", f"z={fine.name}", "-o", "/nonexistent/file"], "/nonexistent/file")):
            status, out, err = queries(*arguments)
            tap.equal((status, out), (1, ""), arguments)
            assert err.startswith("saker: ") and want in err, err


@tap.case
def a_wrong_command_line_exits_2():
    for arguments in ([], ["--zone", "z"], ["--zone", "z="], ["--zone", "z=a", "--access-log", "b"],
                      ["--zone", "z=a", "-n", "0"], ["--zone", "z=a", "-n", "many"], ["--zone", "z=a", "--missing", "101"],
                      ["--zone", "z=a", "--missing", "nan"], ["--zone", "z=a", "--types", "A:0"],
                      ["--zone", "z=a", "--types", ""], ["--zone", "z=a", "--types", "NOTYPE"],
                      ["--zone", "z=a", "--zipf", "-1"], ["--zone", "z=a", "--prune", "3"],
                      ["--access-log", "a", "--seed", "3"], ["--recording", "a", "--port", "0"], ["--nonsense"],
                      ["--recording", "a", "more"]):
        status, out, err = queries(*arguments)
        tap.equal((status, out), (2, ""), arguments)
        assert err, arguments
    status, out, err = queries("--help")
    tap.equal((status, err), (0, ""))
    assert "usage:" in out


tap.main()

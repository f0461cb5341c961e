"""saker bench run: what goes wrong before and around a run is told in one clear line, with the right exit status."""
import os
import pty
import subprocess

import bench_kit as kit
import tap


def good(query, nth):
    return [(0, kit.reply(query))]


def saker(*arguments, **how):
    done = subprocess.run([kit.SAKER, *arguments], capture_output=True, text=True, timeout=kit.WAIT_S,
                          stdin=subprocess.DEVNULL, **how)
    return done.returncode, done.stdout, done.stderr


@tap.case
def a_wrong_command_line_exits_2():
    for arguments in (["bench"], ["bench", "nonsense"], ["bench", "run"], ["bench", "run", "--nonsense"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-q", "0"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-q", "many"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-q", "40000"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-c", "0"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-l", "nan"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "-t", "-1"],
                      ["bench", "run", "--server", "127.0.0.1:1", "-d", "x", "more"]):
        status, out, err = saker(*arguments)
        tap.equal((status, out), (2, ""), arguments)
        assert err, arguments


@tap.case
def help_is_no_error():
    for arguments in (["--help"], ["bench", "--help"], ["bench", "run", "--help"]):
        status, out, err = saker(*arguments)
        tap.equal((status, err), (0, ""))
        assert "usage:" in out


@tap.case
def bad_input_exits_1_and_names_what_is_bad():
    with kit.query_file("; only a comment\n") as empty, kit.query_file("a.test A\n") as fine:
        for arguments, want in ((["--server", "127.0.0.1:9", "-d", "/nonexistent/file"], "/nonexistent/file"),
                                (["--server", "127.0.0.1:9", "-d", empty], "no query"),
                                (["--server", "127.0.0.1:9", "-d", "/"], "directory"),
                                (["--server", "no-such-host.invalid:53", "-d", fine], "no-such-host.invalid"),
                                (["--server", "127.0.0.1:99999", "-d", fine], "127.0.0.1:99999"),
                                (["--server", "127.0.0.1:0", "-d", fine], "port 0"),
                                (["--server", "", "-d", fine], "--server")):
            status, out, err = saker("bench", "run", *arguments)
            tap.equal((status, out), (1, ""), arguments)
            assert err.startswith("saker: ") and want in err and err.count("\n") == 1, err


@tap.case
def a_port_that_nobody_listens_on_is_told():
    with kit.UdpServer(good) as server:
        at = server.at
    status, report, err = kit.run(["--server", at], kit.lines(10))
    tap.equal((status, report["answered"], report["end"]), (1, 0, "silent"))
    assert "Connection refused" in err, err


@tap.case
def a_server_that_says_nothing_is_told():
    with kit.UdpServer(lambda query, nth: []) as server:
        status, report, err = kit.run(["--server", server.at, "-l", "3600"], kit.lines(10))
    tap.equal((status, report["answered"], report["end"]), (1, 0, "silent"))
    tap.equal(report["interrupted"], report["sent"])
    assert "nothing came" in err, err


@tap.case
def a_server_by_name_is_found():
    with kit.UdpServer(good) as server:
        status, report, err = kit.run(["--server", f"localhost:{server.port}"], kit.lines(5))
        if status != 0 and "::1" in err:
            raise tap.Skip("localhost is ::1 here")
    tap.equal((status, report["answered"]), (0, 5), err)


@tap.case
def queries_may_come_from_standard_input():
    with kit.UdpServer(good) as server:
        done = subprocess.run([kit.SAKER, "bench", "run", "--server", server.at], input="a.test A\nb.test A\n",
                              capture_output=True, text=True, timeout=kit.WAIT_S)
    tap.equal((done.returncode, len(server.queries)), (0, 2), done.stderr)


@tap.case
def the_first_line_for_people_tells_of_the_bottleneck():
    with kit.UdpServer(lambda query, nth: [(0.05, kit.reply(query))]) as server, \
            kit.query_file(kit.lines(20)) as queries:
        status, out, err = saker("bench", "run", "--server", server.at, "-d", queries, "-q", "5")
    tap.equal((status, err), (0, ""))
    first = out.splitlines()[0]
    assert first.startswith("The tool was not the bottleneck"), out
    assert "answered    20 (100.0000 %)" in out and "NOERROR 20" in out, out


@tap.case
def a_terminal_gets_a_progress_line():
    master, slave = pty.openpty()
    with kit.UdpServer(lambda query, nth: [(0.01, kit.reply(query))]) as server, \
            kit.query_file(kit.lines(20)) as queries:
        process = subprocess.Popen([kit.SAKER, "bench", "run", "--json", "--server", server.at, "-d", queries,
                                    "-l", "1.5"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        process.communicate(timeout=kit.WAIT_S)
        shown = os.read(master, 65536).decode()
    os.close(master)
    tap.equal(process.returncode, 0)
    assert "answers a second" in shown, shown


@tap.case
def a_full_disk_is_told():
    if not os.path.exists("/dev/full"):
        raise tap.Skip("no /dev/full")
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries, open("/dev/full", "w") as full:
        for form in (["--json"], []):
            done = subprocess.run([kit.SAKER, "bench", "run", *form, "--server", server.at, "-d", queries],
                                  stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True)
            tap.equal(done.returncode, 1, form)
            assert "could not be written" in done.stderr, done.stderr


tap.main()

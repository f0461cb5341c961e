"""saker bench compare: noise is called noise, differences are told, and bad reports are named."""
import json
import pathlib
import random
import subprocess
import tempfile

import bench_kit as kit
import tap


def report(rate=1000, spread=0.02, seed=1, loss=0.0, intervals=30, mode="run", **more):
    draw = random.Random(seed)
    seconds = []
    for i in range(intervals):
        sent = round(rate * (1 + spread * draw.gauss(0, 1)))
        lost = round(sent * loss)
        p50 = 100 * 1000 / rate * (1 + spread * draw.gauss(0, 1))
        seconds.append({"start_s": i, "length_s": 1.0, "due": sent, "sent": sent, "answered": sent - lost, "lost": lost,
                        "latency_us": {"mean": p50 * 1.1, "p50": p50, "p99": p50 * 3, "max": p50 * 9}})
    return {"format": 1, "mode": mode, "tool_bottleneck": False, "points": [], "point_best": None, "point_above": None,
            "server": None, "intervals": seconds,
            "settings": {"server": "192.0.2.1:53", "transport": "udp", "sockets": 1, "in_flight": 100, "threads": 1,
                         "queries": 10}} | more


def compare(*sides, options=()):
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        for i, side in enumerate(sides):
            paths = []
            for k, one in enumerate(side if isinstance(side, list) else [side]):
                path = pathlib.Path(folder) / f"{i}-{k}.json"
                path.write_text(one if isinstance(one, str) else json.dumps(one))
                paths.append(str(path))
            arguments.append(",".join(paths))
        done = subprocess.run([kit.SAKER, "bench", "compare", *arguments, *options], capture_output=True, text=True,
                              timeout=kit.WAIT_S)
        return done.returncode, done.stdout, done.stderr


def verdicts(*sides):
    status, out, err = compare(*sides, options=["--json"])
    tap.equal((status, err), (0, ""))
    return json.loads(out)


@tap.case
def the_same_is_noise():
    pair, = verdicts(report(seed=1), report(seed=3))
    for key in ("rate", "latency_mean", "latency_p50", "latency_p99"):
        tap.equal(pair[key]["verdict"], "noise", pair)
    tap.equal(pair["loss"]["verdict"], "same")
    assert pair["rate"]["low"] < 1 < pair["rate"]["high"], pair


@tap.case
def a_difference_is_told_with_its_bounds():
    pair, = verdicts(report(1000), report(1100, seed=3, loss=0.01))
    tap.equal([pair[key]["verdict"] for key in ("rate", "loss", "latency_p50")], ["higher", "higher", "lower"])
    assert 1.06 < pair["rate"]["low"] < 1.1 * 0.99 < pair["rate"]["high"] < 1.12, pair
    assert abs(pair["loss"]["difference"] - 0.01) < 0.001, pair
    status, out, err = compare(report(1000), report(1100, seed=3))
    tap.equal((status, err), (0, ""))
    line = next(line for line in out.splitlines() if line.startswith("rate"))
    assert line.endswith("higher") and " x   1." in line, line
    assert "one run differs from the next is not known" in out, out


@tap.case
def several_runs_of_a_side_show_how_runs_differ():
    wide = [report(1000 * factor, seed=i) for i, factor in enumerate((0.9, 1.0, 1.12, 0.95))]
    other = [report(1030 * factor, seed=i + 9) for i, factor in enumerate((1.1, 0.93, 1.0, 0.9))]
    pair, = verdicts(wide, other)
    tap.equal((pair["rate"]["verdict"], pair["runs_a"], pair["runs_b"], pair["intervals_a"]), ("noise", 4, 4, 120))
    pair, = verdicts(wide[0], other[0])
    tap.equal(pair["rate"]["verdict"], "higher")


@tap.case
def each_is_compared_with_the_first():
    status, out, err = compare(report(), report(2000), report(500))
    tap.equal(status, 0)
    lines = [line for line in out.splitlines() if line.startswith("rate")]
    assert lines[0].endswith("higher") and lines[1].endswith("lower"), out


@tap.case
def doubts_are_told():
    status, out, err = compare(report(intervals=3), report(intervals=3, tool_bottleneck=True, mode="rate"))
    tap.equal(status, 0)
    for want in ("The tool was the bottleneck in B", "asked differently: run over udp and rate over udp",
                 "Too few intervals", "unknown"):
        assert want in out, (want, out)


@tap.case
def searches_are_compared_by_what_held_and_failed():
    def search(held, failed):
        return report(mode="search", points=[{"offered": held}, {"offered": failed}], point_best=0, point_above=1)

    pair, = verdicts(search(100, 105), search(200, 210))
    tap.equal(pair["held"]["verdict"], "higher")
    tap.equal((pair["held"]["ratio"], pair["held"]["high"]), (2.0, 2.1))
    pair, = verdicts(search(100, 105), search(103, 108))
    tap.equal(pair["held"]["verdict"], "noise")
    status, out, err = compare(search(100, 105), report())
    tap.equal((status, out), (1, ""))
    assert "cannot be compared" in err, err


@tap.case
def real_reports_are_read():
    def good(query, nth):
        return [(0, kit.reply(query))]

    reports = []
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        for _ in range(2):
            done = subprocess.run([kit.SAKER, "bench", "rate", "--server", server.at, "-d", queries, "-R", "200", "-l", "6",
                                   "--json"], capture_output=True, text=True, timeout=kit.WAIT_S)
            tap.equal(done.returncode, 0, done.stderr)
            reports.append(done.stdout)
    pair, = verdicts(*reports)
    tap.equal((pair["intervals_a"], pair["rate"]["ratio"]), (6, 1.0))


@tap.case
def bad_reports_are_named():
    for bad, want in (("", ":"), ("{", ":1:"), ("[]", "not a report"), ("{}", "not a report"),
                      ('{"mode": "run", "settings": {}, "intervals": 5}', "not a report"),
                      (json.dumps(report(mode="sweep")), "a sweep has no rate"),
                      (json.dumps(report(mode="ramp")), "a ramp has no rate")):
        status, out, err = compare(report(), bad)
        tap.equal((status, out), (1, ""), bad)
        assert err.startswith("saker: ") and "1-0.json:" in err and want in err and err.count("\n") == 1, err
    status, out, err = compare(report(), [report(), report(mode="rate")])
    tap.equal((status, out), (1, ""))
    assert "a rate beside a run" in err, err
    for arguments in ([], ["one"], ["--nonsense", "a", "b"], ["x"] * 27):
        done = subprocess.run([kit.SAKER, "bench", "compare", *arguments], capture_output=True, text=True, timeout=kit.WAIT_S)
        tap.equal((done.returncode, done.stdout), (2, ""), arguments)
        assert "usage:" in done.stderr, done.stderr
    done = subprocess.run([kit.SAKER, "bench", "compare", "/nonexistent/a", "/nonexistent/b"], capture_output=True, text=True)
    tap.equal(done.returncode, 1)


tap.main()

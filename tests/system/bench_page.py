"""Reports: the JSON adds up, and the page of --html is drawn by a real browser without a complaint."""
import html
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import tempfile

import bench_kit as kit
import tap

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def good(query, nth):
    return [(0, kit.reply(query))]


def lossy(query, nth):
    return [] if nth % 50 == 49 else [(0.002 if nth % 10 == 0 else 0, kit.reply(query, rcode=3 if nth % 4 == 0 else 0))]


def bench(mode, server, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "<!--<script x>.html"  # stands in the page, as part of the command line
        queries = pathlib.Path(folder) / "queries"
        queries.write_text("".join(f"q{i}.test A\n" for i in range(20)))
        done = subprocess.run([kit.SAKER, "bench", mode, "--server", server.at, "-d", str(queries), "--json",
                               "--html", str(page), *arguments], capture_output=True, text=True, timeout=kit.WAIT_S)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), page.read_text()


BROWSER_TRIES = 3  # on a busy machine it may show a page before its script has run


def browse(page, width=1280, dark=False):
    """-> what the page says of itself; fails where the browser complains."""
    if BROWSER is None:
        raise tap.Skip("no chromium here")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.html"
        file.write_text(page)
        shot = pathlib.Path(folder) / "shot.png"
        base = [BROWSER, "--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                "--virtual-time-budget=5000", f"--user-data-dir={folder}/profile", f"--window-size={width},1400",
                "--enable-logging=stderr", "--host-resolver-rules=MAP * ~NOTFOUND"]
        if os.geteuid() == 0:
            base.append("--no-sandbox")
        if dark:
            base.append("--blink-settings=preferredColorScheme=0")
        for _ in range(BROWSER_TRIES):
            dom = subprocess.run([*base, "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=kit.WAIT_S)
            said = [line for line in dom.stderr.splitlines() if "CONSOLE" in line]
            assert not said, said
            found = re.search(r'data-ready="([^"]*)"', dom.stdout)
            if found:
                break
        assert found, dom.stderr[-2000:]
        subprocess.run([*base, f"--screenshot={shot}", file.as_uri()], capture_output=True, timeout=kit.WAIT_S, check=True)
        octets = shot.read_bytes()
        tap.equal(octets[:8], b"\x89PNG\r\n\x1a\n")
        tap.equal(struct.unpack("!2I", octets[16:24]), (width, 1400))
        return json.loads(html.unescape(found[1]))


def check_drawn(ready, titles):
    tap.equal(ready["errors"], [])
    tap.equal([chart["title"] for chart in ready["charts"]], titles)
    for chart in ready["charts"]:
        assert chart["drawn"] > 1000 and chart["series"] >= 1 and chart["points"] >= 2, chart
    assert ready["overflow"] <= 0, ready


TIMES = ["Rate", "Loss", "Latency"]


@tap.case
def the_json_adds_up():
    with kit.UdpServer(lossy) as server:
        report, _ = bench("rate", server, "-R", "500", "-l", "3", "-t", "0.3")
    tap.equal(report["sent"], report["due"])
    assert report["lost"] > 0, report
    for key in ("due", "sent", "answered", "lost", "late", "interrupted"):
        tap.equal(sum(interval[key] for interval in report["intervals"]), report[key], key)
    for rcode, count in report["rcodes"].items():
        tap.equal(sum(interval["rcodes"].get(rcode, 0) for interval in report["intervals"]), count, rcode)
    # The lost are in an open loop's latency, with the time-out.
    buckets = report["latency_histogram_ns"]
    tap.equal(sum(count for _, count in buckets), report["sent"] - report["interrupted"])
    tap.equal(buckets, sorted(buckets))
    assert abs(report["latency_us"]["max"] - buckets[-1][0] / 1000) < 1
    assert buckets[-1][0] >= 0.3e9 * 0.999 and buckets[-1][1] == report["lost"], buckets[-1]
    tap.equal(sum(count for _, count in report["tool"]["lateness_histogram_ns"]), report["sent"])
    for key in ("processor", "kernel"):
        assert report["machine"][key], report["machine"]
    assert report["command"].endswith("-R 500 -l 3 -t 0.3"), report["command"]
    assert report["verdict"].startswith("The tool was"), report["verdict"]
    tap.equal((report["mode"], report["points"], report["point_best"]), ("rate", [], None))


@tap.case
def the_page_holds_the_json_and_cannot_be_broken_out_of():
    with kit.UdpServer(good) as server:
        report, page = bench("run", server, "-n", "1", "-t", "5", "--patience", "3")
    inside = json.loads(page.split('id="data">')[1].split("</script>")[0])
    for key in ("sent", "answered", "rcodes", "latency_us", "latency_histogram_ns", "intervals", "settings"):
        tap.equal(inside[key], report[key], key)
    tap.equal((page.count("<script"), page.count("<!--")), (3, 1))
    assert "u003c!--" in page
    assert "http:" not in re.sub(r"<!--.*?-->", "", page, flags=re.S).replace("http://www.w3.org", ""), "no network"


@tap.case
def what_a_page_complains_of_is_seen():
    with kit.UdpServer(good) as server:
        _, page = bench("run", server)
    for broken in (page.replace('"use strict";\n(function', 'console.error("no");\n(function'),
                   page.replace('"points":[]', '"points":7')):
        assert broken != page
        try:
            browse(broken)
        except AssertionError:
            continue
        raise AssertionError("nothing was seen")


@tap.case
def a_page_of_a_rate_is_drawn():
    with kit.UdpServer(lossy) as server:
        _, page = bench("rate", server, "-R", "300", "-l", "3", "-t", "0.3")
    check_drawn(browse(page), ["Latency distribution"] + TIMES)


@tap.case
def a_page_of_a_sweep_is_drawn_in_the_dark_and_on_a_phone():
    with kit.UdpServer(lossy) as server:
        _, page = bench("sweep", server, "--rates", "100,200,400", "-l", "1", "-t", "0.3")
    titles = ["Loss against offered rate", "Answers against offered rate", "Latency against offered rate",
              "Latency distribution"] + TIMES
    check_drawn(browse(page, dark=True), titles)
    check_drawn(browse(page, width=500), titles)


@tap.case
def a_page_names_the_queries_whose_answers_differ():
    with kit.UdpServer(good) as server, kit.UdpServer(lambda query, nth: [(0, kit.reply(query, rcode=3))]) as other:
        report, page = bench("run", server, "--against", other.at)
    tap.equal((report["check"]["differing"], len(report["check"]["queries"])), (20, 20))
    ready = browse(page)
    tap.equal((ready["errors"], ready["overflow"] <= 0), ([], True))
    assert "Answers that differ" in ready["tables"], ready


@tap.case
def a_page_of_a_short_run_has_what_there_is():
    with kit.UdpServer(good) as server:
        _, page = bench("run", server)
    ready = browse(page)
    tap.equal((ready["errors"], ready["overflow"] <= 0), ([], True))
    tap.equal([chart["title"] for chart in ready["charts"]], ["Latency distribution"])


@tap.case
def a_page_that_cannot_be_written_is_told():
    with kit.UdpServer(good) as server, kit.query_file("a.test A\n") as queries:
        for path in ("/nonexistent/page.html", "/dev/full"):
            done = subprocess.run([kit.SAKER, "bench", "run", "--server", server.at, "-d", queries, "--html", path],
                                  capture_output=True, text=True, timeout=kit.WAIT_S)
            tap.equal(done.returncode, 1, path)
            assert done.stderr.startswith("saker: ") and path in done.stderr, done.stderr


tap.main()

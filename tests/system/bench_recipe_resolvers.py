"""saker bench recipe threads-2007: resolvers with 1 to 8 workers; it takes a minute, so it has a file of its own."""
import json
import os
import signal
import subprocess
import tempfile
import time

import bench_kit as kit
import tap


@tap.case
def resolvers_are_asked_from_a_cold_and_a_warm_cache_and_at_a_rising_rate():
    with tempfile.TemporaryDirectory() as folder:
        done = kit.run_recipe(["threads-2007", "-l", "0.1", "-n", "1", "--json"], folder)
        tap.equal((done.returncode, os.listdir(folder)), (0, []), done.stderr)
    report = json.loads(done.stdout)
    tap.equal([old["value"] for old in report["then"]["figures"]], [120000])
    settings = ("cold", "warm", "pruned", "ramp")
    rows = [row for row in report["now"] if row["subject"] == "saker"]
    tap.equal([(row["workers"], row["setting"]) for row in rows],
              [(workers, setting) for workers in (1, 2, 4, 8) for setting in settings])
    figures = [row["rounds"][0] for row in rows]
    for cold, warm, pruned, ramp in zip(*(figures[i::4] for i in range(4))):
        assert min(figure["rate"] for figure in (cold, warm, pruned)) > 0, rows
        # What is asked again comes out of the cache: the Internet is not asked.
        assert cold["cpu_us_an_answer"] > warm["cpu_us_an_answer"], rows
        # All the Internet is one process; on a busy machine it may be slower than a resolver waits, which is SERVFAIL.
        for figure in (cold, warm, pruned, ramp):
            assert figure["error_part"] < 0.05, figure
        # It rises to twice what the closed loop reached; on a busy machine it may lose from its start.
        assert ramp["end"] in ("done", "crowded", "behind"), ramp
        assert 0 <= ramp["rate"] <= max(2.2 * pruned["rate"], 2200), (pruned, ramp)
        assert ramp["lost_part"] <= 0.01, ramp


@tap.case
def ctrl_c_ends_the_resolver_and_its_internet():
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([kit.SAKER, "bench", "recipe", "threads-2007", "-l", "60"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env={**os.environ, "TMPDIR": folder})
        children = []
        deadline = time.monotonic() + kit.WAIT_S
        while len(children) < 2 and time.monotonic() < deadline:
            children = kit.children_of(process.pid)
            time.sleep(0.05)
        tap.equal(len(children), 2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=kit.WAIT_S)
        tap.equal((process.returncode, os.listdir(folder)), (1, []))
        assert not any(os.path.exists(f"/proc/{pid}") for pid in children), children


tap.main()

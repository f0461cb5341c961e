"""--state: the second start takes images, but only where nothing speaks against it."""
import json
import os
import stat

from system_kit import Case, field, main, run

ZONES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "zones")


class State(Case):
    """Zone files are those of the source tree: an image of what was written just now is not kept, since the file could
    change again unseen. What must change is reached through symbolic links.
    """

    def setUp(self):
        super().setUp()
        self.state = self.path("state")
        for name in ("plain", "include", "included", "large"):
            os.symlink("%s/%s.zone" % (ZONES, name), self.path(name + ".zone"))

    def start(self, *zones, state=None, kept=True):
        """-> the server when it has kept what it wants to keep, and where each zone came from."""
        args = [arg for zone in zones for arg in ("--zone", "%s=%s" % (zone, self.path(zone + ".zone")))]
        server = self.serve("--listen", "127.0.0.1:0", "--state", state or self.state, *args)
        source = {zone: field(server.wait_for("event=zone-served zone=%s." % zone), "source") for zone in zones}
        for zone in zones:
            self.check_code(server.ask(zone, "SOA"), "NOERROR")
        if kept and "text" in source.values():
            for zone in zones:
                if zone == "large" and source[zone] == "text":
                    server.wait_for("event=image-kept zone=large.")
            if any(source[zone] == "text" for zone in zones if zone != "large"):
                server.wait_for("event=image-pack-kept")
        return server, source

    def once(self, *zones, **more):
        server, source = self.start(*zones, **more)
        self.stops(server)
        return server, source

    def image(self):
        name, = (n for n in os.listdir(self.state) if n.endswith(".image"))
        return os.path.join(self.state, name)

    def change(self, path, how):
        with open(path, "r+b") as file:
            octets = bytearray(file.read())
            octets = how(octets)
            file.seek(0)
            file.truncate()
            file.write(octets)

    def test_the_second_start_uses_images(self):
        zones = ("plain", "include", "large")
        self.assertEqual(self.once(*zones)[1], dict.fromkeys(zones, "text"))
        self.assertEqual(sorted(n.split(".")[-1] for n in os.listdir(self.state)), ["image", "key", "pack"])
        server, source = self.start(*zones)
        self.assertEqual(source, dict.fromkeys(zones, "image"))
        self.check_code(server.ask("www.plain", "A"), "NOERROR")
        self.check_code(server.ask("www.include", "A"), "NOERROR")
        self.check_code(server.ask("host-77.large", "A"), "NOERROR")
        self.check_code(server.ask("nothing.large", "A"), "NXDOMAIN")
        self.assertEqual(field(server.reload(), "unchanged"), "3")
        self.stops(server)

    def test_the_key_is_for_the_owner_alone_and_stays(self):
        self.once("plain")
        key = os.path.join(self.state, "key")
        self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(self.state).st_mode), 0o700)
        with open(key, "rb") as file:
            before = file.read()
        self.assertEqual(len(before), 16)
        self.once("plain")
        with open(key, "rb") as file:
            self.assertEqual(file.read(), before)
        for name in os.listdir(self.state):
            with open(os.path.join(self.state, name), "rb") as file:
                self.assertEqual(before in file.read(), name == "key")

    def test_images_of_another_key_are_rehashed_and_kept_again(self):
        self.once("plain", "large")
        self.change(os.path.join(self.state, "key"), lambda octets: octets[::-1])
        server, source = self.start("plain", "large")
        self.assertEqual(source, {"plain": "image", "large": "image"})
        for zone in ("plain", "large"):
            server.wait_for("event=image-rehashed zone=%s." % zone)
        self.check_code(server.ask("www.plain", "A"), "NOERROR")
        self.check_code(server.ask("host-77.large", "A"), "NOERROR")
        self.check_code(server.ask("nothing.large", "A"), "NXDOMAIN")
        server.wait_for("event=image-kept zone=large.")
        server.wait_for("event=image-pack-kept")
        self.stops(server)
        server, source = self.once("plain", "large")
        self.assertEqual(source, {"plain": "image", "large": "image"})
        self.assertNotIn("event=image-rehashed", "\n".join(server.lines))

    def test_a_damaged_or_cut_image_is_refused(self):
        self.once("plain", "large")
        for path in (self.image(), os.path.join(self.state, "pack")):
            for how, why in ((lambda o: o[:-30] + bytes([o[-30] ^ 1]) + o[-29:], "damaged"),
                             (lambda o: o[:-30], "cut short")):
                self.change(path, how)
                zone = "large" if path.endswith("image") else "plain"
                server, source = self.once("plain", "large")
                self.assertEqual(source.pop(zone), "text")
                self.assertEqual(list(source.values()), ["image"])
                self.assertIn(why, server.wait_for("event=image-refused zone=%s." % zone))
        self.assertEqual(self.once("plain", "large")[1], {"plain": "image", "large": "image"})

    def test_a_changed_include_is_read(self):
        self.once("include")
        self.assertEqual(self.once("include")[1], {"include": "image"})
        os.unlink(self.path("included.zone"))
        os.symlink(ZONES + "/large.zone", self.path("included.zone"))
        server, source = self.once("include", kept=False)
        self.assertEqual(source, {"include": "text"})
        self.assertIn("what it includes, has changed", server.wait_for("event=image-refused"))

    def test_what_cannot_be_kept_harms_nothing(self):
        state = self.state
        if os.geteuid() == 0:
            state = "/proc"   # where even root makes no files
        else:
            os.mkdir(state, 0o500)
        server, source = self.start("plain", state=state, kept=False)
        self.assertEqual(source, {"plain": "text"})
        self.assertTrue(server.wait_for("level=warning event=state-"))
        self.stops(server)
        server, source = self.start("plain", state=self.path("plain.zone"), kept=False)   # no folder at all
        self.assertTrue(server.wait_for("event=state-not-kept"))
        self.stops(server)

    def test_two_servers_share_no_folder(self):
        first, _ = self.start("plain")
        second, source = self.start("plain", kept=False)
        self.assertEqual(source, {"plain": "image"})
        self.assertIn("another process has it", second.wait_for("event=state-not-kept"))
        self.stops(second)
        self.stops(first)

    def test_the_configuration_names_the_folder(self):
        self.write("saker.yaml", "server: {listen: ['127.0.0.1:0'], state: kept}\n"
                                 "zones: [{name: plain, file: plain.zone}]\n")
        server = self.serve("-c", self.path("saker.yaml"))
        server.wait_for("event=image-pack-kept zones=1")
        self.stops(server)
        self.assertEqual(sorted(os.listdir(self.path("kept"))), ["key", "pack"])

    def test_an_image_made_by_hand_is_taken(self):
        self.once("large")
        path = self.image()
        os.unlink(path)
        status, said, _ = run("zone", "compile", "large", self.path("large.zone"), "-o", path,
                              "--key", os.path.join(self.state, "key"))
        self.assertEqual((status, said), (0, "%s: %d octets\n" % (path, os.path.getsize(path))))
        self.assertEqual(self.once("large")[1], {"large": "image"})
        status, _, said = run("zone", "compile", "large", self.path("large.zone"), "-o", "/nonexistent/x")
        self.assertEqual(status, 1)
        self.assertIn("cannot be written", said)
        self.assertEqual(run("zone", "compile", "large", self.path("large.zone"))[0], 2)

    def test_stats_add_up(self):
        status, said, _ = run("check", "zone", "large", self.path("large.zone"), "--stats", "--json")
        self.assertEqual(status, 0)
        stats = json.loads(said)
        self.assertEqual((stats["records"], stats["owners"]), (20003, 20002))
        self.assertEqual(sum(stats["sections"].values()), stats["image-octets"])
        hosts = sum(len("host-%d" % i) + 1 + len("large") + 2 + 14 for i in range(1, 20001))
        apex = (7 + 10 + len("ns") + 8 + len("host") + 8 + 20) + (7 + 10 + 10)   # SOA, NS
        self.assertEqual(stats["wire-octets"], hosts + apex + (10 + 14))
        status, said, _ = run("check", "zone", "large", self.path("large.zone"), "--stats")
        self.assertIn("wire-octets            %d\n" % stats["wire-octets"], said)


if __name__ == "__main__":
    main()

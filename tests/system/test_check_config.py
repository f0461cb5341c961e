"""`saker check config`: errors with their places, and the schema."""
import json
import os

from system_kit import Case, main, run, zone_text


class CheckConfig(Case):
    def test_a_good_file(self):
        self.write("a.zone", zone_text())
        path = self.write("saker.yaml", "zones: [{name: a, file: a.zone}]\n")
        self.assertEqual(run("check", "config", path), (0, "%s: ok, 1 zones\n" % path, ""))

    def test_errors_have_places(self):
        path = self.write("saker.yaml", "zones:\n- {name: a, file: a.zone}\n- {name: a, file: a.zone}\nlog: 1\n")
        status, out, said = run("check", "config", path)
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(said, "saker: %s:4:6: 'log' is a single value (expected a mapping)\n" % path)

    def test_a_zone_file_that_is_not_there(self):
        path = self.write("saker.yaml", "zones:\n- {name: a, file: a.zone}\n")
        status, _, said = run("check", "config", path)
        self.assertEqual(status, 1)
        self.assertEqual(said, "saker: %s:2:3: zone file '%s' cannot be read: No such file or directory\n"
                         % (path, self.path("a.zone")))

    def test_what_a_resolver_reads(self):
        text = "resolver: {enabled: %s, trust-anchors: anchors, local-records: local}\n"
        path = self.write("saker.yaml", text % "true")
        self.assertEqual(run("check", "config", path), (
            1, "", "saker: %s: cannot be read: No such file or directory\n" % self.path("anchors")))
        for line, what in (("DS 1 13 3 " + "00" * 32, "a digest that cannot be checked"),
                           ("DS 1 200 2 " + "00" * 32, "an algorithm that cannot be checked"),
                           ("DNSKEY 257 3 3 AAAA", "an algorithm that cannot be checked"),
                           ("A 192.0.2.1", "no trust anchor")):
            self.write("anchors", "; none\nexample. IN %s\n" % line)
            status, _, said = run("check", "config", path)
            self.assertEqual(status, 1)
            self.assertIn("saker: %s:2:1: %s (expected " % (self.path("anchors"), what), said)
        self.write("anchors", "example. IN DS 1 13 2 00\n")
        self.write("local", "a.example. A 192.0.2.1\n")
        status, _, said = run("check", "config", path)
        self.assertEqual(status, 0)
        self.assertIn("%s:1:1: warning: a digest that is cut or too long and fits no key (expected 32 octets"
                      % self.path("anchors"), said)
        self.write("anchors", "; none\n")
        self.assertIn("anchors: no trust anchor (expected a DS or DNSKEY record", run("check", "config", path)[2])
        self.write("anchors", "example. IN DS 1 13 2 %s\n" % ("00" * 32))
        self.write("local", "a.example. A 192.0.2.1\n\na.example. A 192.0.2\n")
        status, _, said = run("check", "config", path)
        self.assertEqual(status, 1)
        self.assertIn("saker: %s:3:" % self.path("local"), said)
        self.write("local", "a.example. A 192.0.2.1\n")
        self.assertEqual(run("check", "config", path), (0, "%s: ok, 0 zones, a resolver\n" % path, ""))
        os.unlink(self.path("local"))   # nobody reads it
        path = self.write("saker.yaml", text % "false")
        self.assertEqual(run("check", "config", path), (0, "%s: ok, 0 zones\n" % path, ""))

    def test_usage(self):
        for args in ([], ["a", "b"], ["--wrong"]):
            status, _, said = run("check", "config", *args)
            self.assertEqual(status, 2)
            self.assertIn("(expected FILE or --schema)", said)
        status, out, _ = run("check", "config", "--help")
        self.assertEqual(status, 0)
        self.assertIn("usage:", out)

    def test_the_schema_is_one(self):
        status, out, _ = run("check", "config", "--schema")
        self.assertEqual(status, 0)
        schema = json.loads(out)
        server = schema["properties"]["server"]["properties"]
        self.assertEqual(server["udp-payload-max"]["default"], 1232)
        self.assertEqual(server["tcp"]["properties"]["idle-timeout"]["type"], "integer")
        self.assertEqual(server["listen"]["default"], ["127.0.0.1:53", "[::1]:53"])
        zone = schema["properties"]["zones"]["items"]
        self.assertEqual(zone["required"], ["name", "file"])
        self.assertFalse(zone["additionalProperties"])
        self.assertEqual(schema["properties"]["log"]["properties"]["level"]["enum"],
                         ["error", "warning", "info", "debug"])


if __name__ == "__main__":
    main()

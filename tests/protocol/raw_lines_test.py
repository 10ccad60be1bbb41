#!/usr/bin/python3
"""The wire in raw lines, both eras: framing, ids, batches, handshakes, faults."""

import json
import unittest

from raw_server import LEGACY, META, MODERN, RawServer, envelope


class WireTest(unittest.TestCase):
    def setUp(self):
        self.server = RawServer()
        self.addCleanup(self.server.close)

    def error(self, message, code, identifier=None):
        self.assertEqual(message["error"]["code"], code, message)
        self.assertNotIn("result", message)
        if identifier is None:
            self.assertNotIn("id", message)
        else:
            self.assertEqual(message["id"], identifier)

    # -- handshakes
    def test_every_revision_is_echoed_and_shapes_the_answer(self):
        for revision in LEGACY:
            with self.subTest(revision):
                server = RawServer()
                self.addCleanup(server.close)
                result = server.initialize(revision)
                self.assertEqual(result["protocolVersion"], revision)
                self.assertEqual(result["serverInfo"]["name"], "bgshell")
                self.assertEqual("title" in result["serverInfo"], revision >= "2025-06-18")
                self.assertIn("tools", result["capabilities"])
                self.assertNotIn("extensions", result["capabilities"])
                self.assertLessEqual(len(result["instructions"].encode()), 1200)
                tools = server.request("tools/list")["result"]["tools"]
                self.assertEqual([tool["name"] for tool in tools],
                                 ["start", "await", "output", "send", "cancel", "list"])
                for tool in tools:
                    self.assertEqual("annotations" in tool, revision >= "2025-03-26")
                    self.assertEqual("title" in tool, revision >= "2025-06-18")
                self.assertEqual(server.request("ping")["result"], {})

    def test_a_version_it_does_not_speak_gets_the_newest_of_the_handshake(self):
        for asked in ["2023-01-01", MODERN, "x"]:
            with self.subTest(asked):
                server = RawServer()
                self.addCleanup(server.close)
                self.assertEqual(server.initialize(asked)["protocolVersion"], "2025-11-25")

    def test_before_the_handshake_only_ping_is_answered(self):
        self.assertEqual(self.server.request("ping")["result"], {})
        self.error(self.server.request("tools/list"), -32600, 2)
        self.error(self.server.request("tools/call", {"name": "list"}), -32600, 3)

    def test_a_handshake_is_made_once_and_whole(self):
        self.error(self.server.request("initialize", {"protocolVersion": "2025-06-18"}), -32602, 1)
        self.server.initialize("2025-06-18")
        again = self.server.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                                   "clientInfo": {"name": "raw", "version": "1"}})
        self.assertEqual(again["error"]["code"], -32600)

    def test_discover_tells_the_modern_era(self):
        result = self.server.request("server/discover", {"_meta": envelope()})["result"]
        self.assertEqual(result["resultType"], "complete")
        self.assertEqual(result["supportedVersions"], [MODERN])
        self.assertIn("tools", result["capabilities"])
        self.assertNotIn("tasks", result["capabilities"])
        self.assertIsInstance(result["ttlMs"], int)
        self.assertIn(result["cacheScope"], ["public", "private"])
        self.assertEqual(result["_meta"][META + "serverInfo"]["name"], "bgshell")

    def test_faults_of_the_envelope(self):
        self.error(self.server.request("server/discover"), -32602, 1)
        incomplete = {META + "protocolVersion": MODERN}
        self.error(self.server.request("tools/list", {"_meta": incomplete}), -32602, 2)
        for version in ["2025-11-25", "2027-01-01"]:
            answer = self.server.request("tools/list", {"_meta": envelope(version)})
            self.assertEqual(answer["error"]["code"], -32022)
            self.assertEqual(answer["error"]["data"], {"supported": [MODERN], "requested": version})
        for method in ["initialize", "ping", "logging/setLevel"]:
            self.assertEqual(self.server.request(method, {"_meta": envelope()})["error"]["code"], -32601)

    def test_both_eras_in_one_process_in_either_order(self):
        modern = self.server.request("tools/list", {"_meta": envelope()})["result"]
        self.assertEqual(modern["resultType"], "complete")
        self.server.initialize("2025-03-26")
        legacy = self.server.request("tools/list")["result"]
        self.assertNotIn("resultType", legacy)
        again = self.server.request("tools/call", {"_meta": envelope(), "name": "list", "arguments": {}})["result"]
        self.assertEqual(again["resultType"], "complete")
        self.assertEqual(again["content"][0]["type"], "text")

    # -- framing
    def test_unreadable_lines_are_answered_without_an_id_and_the_next_one_works(self):
        self.server.initialize("2025-11-25")
        for line in [b"{", b"nonsense", b'{"jsonrpc":"2.0","id":1,"method":"ping"', b"\xff\xfe{}",
                     b'"\xed\xa0\x80"', b"[" * 100_000, b"\0"]:
            with self.subTest(line[:20]):
                self.server.send_bytes(line + b"\n")
                self.error(self.server.next(), -32700)
        self.assertEqual(self.server.request("ping")["result"], {})

    def test_json_that_is_no_message_is_refused(self):
        self.server.initialize("2025-11-25")
        for message, identifier in [({}, None), ({"id": 7}, 7), ({"jsonrpc": "1.0", "id": 8, "method": "ping"}, 8),
                                    ({"jsonrpc": "2.0", "id": 9, "method": 5}, 9),
                                    ({"jsonrpc": "2.0", "id": 9.5, "method": "ping"}, None),
                                    ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
                                    ({"jsonrpc": "2.0", "id": 10, "method": "ping", "params": []}, 10),
                                    (5, None), ("ping", None), (None, None), (True, None)]:
            with self.subTest(message):
                self.server.send(message)
                self.error(self.server.next(), -32600, identifier)

    def test_line_ends_of_other_systems_and_empty_lines_are_tolerated(self):
        self.server.validator.asked({"id": 1, "method": "ping"})
        self.server.send_bytes(b'\r\n\n{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n')
        self.assertEqual(self.server.next(), {"jsonrpc": "2.0", "id": 1, "result": {}})

    def test_a_message_may_arrive_byte_by_byte_and_several_at_once(self):
        self.server.validator.asked([{"id": number, "method": "ping"} for number in ["\u00e4", *range(500)]])
        for byte in b'{"jsonrpc":"2.0","id":"\xc3\xa4","method":"ping"}\n':
            self.server.send_bytes(bytes([byte]))
        self.assertEqual(self.server.next()["id"], "\u00e4")
        self.server.send_bytes(b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(500)))
        self.assertEqual([self.server.next()["id"] for _ in range(500)], list(range(500)))

    def test_huge_lines_up_to_the_cap_are_read_and_longer_ones_refused(self):
        self.server.initialize("2025-11-25")
        filler = "x" * (4 << 20)
        self.server.send({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"filler": filler[: 3 << 20]}})
        self.assertEqual(self.server.next()["result"], {})
        self.server.send({"jsonrpc": "2.0", "id": 2, "method": "ping", "params": {"filler": filler}})
        self.error(self.server.next(), -32600)
        self.server.send_bytes(b"x" * (9 << 20) + b"\n")
        self.error(self.server.next(), -32600)
        self.assertEqual(self.server.request("ping")["result"], {})

    # -- ids
    def test_ids_come_back_as_they_were(self):
        for identifier in [0, -1, 9007199254740993, 9223372036854775807, "", "1", "a b\n", "\U0001f600"]:
            with self.subTest(identifier):
                self.server.ask("ping", identifier=identifier)
                answer = self.server.next()
                self.assertEqual(answer["id"], identifier)
                self.assertIs(type(answer["id"]), type(identifier))

    def test_an_id_in_flight_is_not_taken_twice(self):
        self.server.initialize("2025-11-25")
        self.server.call("start", {"command": "sleep 300", "wait_s": 0})
        wait = self.server.ask("tools/call", {"name": "await", "arguments": {"wait_s": 2}}, 77)
        self.server.ask("tools/call", {"name": "list"}, 77)
        self.assertEqual(self.server.next()["error"]["code"], -32600)
        self.assertIn("running", self.server.answer_to(wait)["result"]["content"][0]["text"])

    # -- methods
    def test_unknown_methods_tools_and_params(self):
        self.server.initialize("2025-11-25")
        self.error(self.server.request("no/such"), -32601, 2)
        self.error(self.server.request("tools/call", {"name": "nosuch"}), -32602, 3)
        self.error(self.server.request("tools/call", {}), -32602, 4)
        self.error(self.server.request("tools/call", {"name": "list", "arguments": []}), -32602, 5)
        self.error(self.server.request("logging/setLevel", {"level": "loud"}), -32602, 6)
        modern = self.server.request("no/such", {"_meta": envelope()})
        self.assertEqual(modern["error"]["code"], -32601)

    def test_notifications_and_responses_are_never_answered(self):
        self.server.initialize("2025-11-25")
        self.server.notify("no/such")
        self.server.notify("notifications/cancelled", {"requestId": 4711})
        self.server.notify("notifications/cancelled")
        self.server.send({"jsonrpc": "2.0", "id": 5, "result": {}})
        self.server.send({"jsonrpc": "2.0", "id": 6, "error": {"code": 1, "message": "x"}})
        self.assertTrue(self.server.silent())
        self.assertEqual(self.server.request("ping")["result"], {})

    def test_faults_of_arguments_are_results_in_every_revision(self):
        for revision in LEGACY:
            with self.subTest(revision):
                server = RawServer()
                self.addCleanup(server.close)
                server.initialize(revision)
                for tool, arguments in [("start", {}), ("output", {"id": "nosuch00"}), ("cancel", {}),
                                        ("start", {"command": "true", "runtime_limit_s": "soon"}),
                                        ("start", {"command": 5 * [1]}), ("start", {"command": "a\0b"})]:
                    result = server.call(tool, arguments)
                    self.assertTrue(result["isError"], (tool, arguments))
                self.assertIn("No jobs", server.text("list"))

    # -- batches
    def test_batches_are_read_in_the_one_revision_that_has_them(self):
        self.server.initialize("2025-03-26")
        self.server.send([{"jsonrpc": "2.0", "id": 11, "method": "ping"},
                          {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
                          {"jsonrpc": "2.0", "id": 12, "method": "no/such"}, 5,
                          {"jsonrpc": "2.0", "id": 13, "method": "initialize", "params": {}}])
        answers = {json.dumps(answer.get("id")): answer for answer in self.server.next()}
        self.assertEqual(answers["11"]["result"], {})
        self.assertEqual(answers["12"]["error"]["code"], -32601)
        self.assertEqual(answers["13"]["error"]["code"], -32600)
        self.assertEqual(answers["null"]["error"]["code"], -32600)
        self.assertEqual(len(answers), 4)
        self.server.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}])
        self.assertTrue(self.server.silent())
        self.server.send([])
        self.error(self.server.next(), -32600)

    def test_batches_are_refused_elsewhere(self):
        self.server.initialize("2025-06-18")
        self.server.send([{"jsonrpc": "2.0", "id": 11, "method": "ping"}])
        self.error(self.server.next(), -32600)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""The validator itself: it accepts what is right, and sees each kind of fault."""

import copy
import unittest

from validate_messages import REVISIONS, Validator

META = "io.modelcontextprotocol/"


def result(value, identifier=1):
    return {"jsonrpc": "2.0", "id": identifier, "result": value}


def tool(revision):
    entry = {"name": "t", "description": "d", "inputSchema": {"type": "object", "properties": {}}}
    if revision >= "2025-03-26":
        entry["annotations"] = {"readOnlyHint": True}
    if revision >= "2025-06-18":
        entry["title"] = "T"
    return entry


def sealed(revision, value, static=False):
    if revision == REVISIONS[-1]:
        value = {**value, "resultType": "complete",
                 "_meta": {META + "serverInfo": {"name": "n", "version": "1"}}}
        if static:
            value.update(ttlMs=1, cacheScope="public")
    return value


class ValidatorTest(unittest.TestCase):
    def complaints(self, revision, method, message):
        connection = Validator()
        connection.asked({"jsonrpc": "2.0", "id": 1, "method": method})
        return connection.check(revision, message)

    def test_right_results_pass_in_every_revision(self):
        for revision in REVISIONS:
            with self.subTest(revision):
                listed = sealed(revision, {"tools": [tool(revision)]}, static=True)
                self.assertEqual(self.complaints(revision, "tools/list", result(listed)), [])
                called = sealed(revision, {"content": [{"type": "text", "text": "x"}], "isError": True})
                self.assertEqual(self.complaints(revision, "tools/call", result(called)), [])
                error = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "no"}}
                self.assertEqual(self.complaints(revision, "no/such", error), [])
                del error["id"]
                self.assertEqual(self.complaints(revision, "no/such", error), [])

    def test_fields_of_later_revisions_are_seen(self):
        for revision in REVISIONS[:2]:
            called = {"content": [], "structuredContent": {}}
            self.assertTrue(self.complaints(revision, "tools/call", result(called)))
            listed = {"tools": [{**tool(revision), "title": "T"}]}
            self.assertTrue(self.complaints(revision, "tools/list", result(listed)))
        listed = {"tools": [{**tool(REVISIONS[0]), "annotations": {}}]}
        self.assertTrue(self.complaints(REVISIONS[0], "tools/list", result(listed)))
        for revision in REVISIONS[:4]:
            called = {"content": [], "resultType": "complete"}
            self.assertTrue(self.complaints(revision, "tools/call", result(called)))
        info = {"protocolVersion": REVISIONS[0], "capabilities": {"tools": {}},
                "serverInfo": {"name": "n", "version": "1"}}
        self.assertEqual(self.complaints(REVISIONS[0], "initialize", result(info)), [])
        info["serverInfo"]["title"] = "T"
        self.assertTrue(self.complaints(REVISIONS[0], "initialize", result(info)))
        self.assertEqual(self.complaints(REVISIONS[2], "initialize", result(info)), [])

    def test_missing_fields_are_seen(self):
        modern = sealed(REVISIONS[-1], {"tools": []}, static=True)
        self.assertEqual(self.complaints(REVISIONS[-1], "tools/list", result(modern)), [])
        for key in ["tools", "resultType", "ttlMs", "cacheScope"]:
            less = copy.deepcopy(modern)
            del less[key]
            self.assertTrue(self.complaints(REVISIONS[-1], "tools/list", result(less)), key)
        self.assertTrue(self.complaints(REVISIONS[3], "tools/call", result({})))

    def test_ids_and_frames(self):
        self.assertTrue(self.complaints(REVISIONS[3], "ping", result({}, None)))
        self.assertTrue(self.complaints(REVISIONS[3], "ping", result({}, 2)))
        self.assertTrue(self.complaints(REVISIONS[3], "ping", result({}, "1")))
        self.assertTrue(self.complaints(REVISIONS[3], "ping", {"id": 1, "result": {}}))
        for revision in REVISIONS:
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}}
            self.assertTrue(self.complaints(revision, "ping", error))

    def test_empty_results_are_empty(self):
        for revision in REVISIONS[:4]:
            self.assertEqual(self.complaints(revision, "ping", result({})), [])
            self.assertTrue(self.complaints(revision, "ping", result({"_meta": {}})))

    def test_batches_belong_to_one_revision(self):
        batch = [result({}), {"jsonrpc": "2.0", "id": 2, "error": {"code": 1, "message": "x"}}]
        self.assertEqual(self.complaints("2025-03-26", "ping", batch), [])
        self.assertTrue(self.complaints("2025-03-26", "ping", []))
        self.assertTrue(self.complaints("2025-06-18", "ping", batch))

    def test_notifications(self):
        for revision in REVISIONS:
            progress = {"jsonrpc": "2.0", "method": "notifications/progress",
                        "params": {"progressToken": "t", "progress": 1}}
            self.assertEqual(self.complaints(revision, "", progress), [])
            progress["params"]["message"] = "x"
            self.assertEqual(self.complaints(revision, "", progress) != [], revision == REVISIONS[0])
            progress["params"]["progressToken"] = 1.5
            self.assertTrue(self.complaints(revision, "", progress))
            log = {"jsonrpc": "2.0", "method": "notifications/message",
                   "params": {"level": "info", "logger": "jobs", "data": {"any": 1}}}
            self.assertEqual(self.complaints(revision, "", log), [])
            log["params"]["level"] = "loud"
            self.assertTrue(self.complaints(revision, "", log))
            self.assertTrue(self.complaints(revision, "", {"jsonrpc": "2.0", "method": "no/such"}))


if __name__ == "__main__":
    unittest.main()

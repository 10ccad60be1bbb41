#!/usr/bin/python3
"""A registry that cannot be written: another program keeps it locked, or its disk is full."""

import os
import shutil
import sqlite3
import subprocess
import time
import unittest

from raw_server import RawServer, until

PROMPT = 4  # seconds; a write would be tried for 5


class RegistryTest(unittest.TestCase):
    def serve(self, folder):
        server = RawServer(folder=folder)
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        return server

    def promptly(self, server, tool, arguments=None):
        began = time.monotonic()
        text = server.text(tool, arguments)
        self.assertLess(time.monotonic() - began, PROMPT, f"{tool}: {text}")
        return text


class LockedTest(RegistryTest):
    def setUp(self):
        first = RawServer()
        self.addCleanup(first.close)
        first.initialize("2025-11-25")
        self.server, self.folder = first, first.folder
        self.registry = self.folder + "/state/registry.db"
        self.done = first.text("start", {"command": "echo done", "wait_s": 20})[:8]

    def lock(self):
        other = sqlite3.connect(self.registry, isolation_level=None, timeout=0)
        self.addCleanup(other.close)
        until("the lock", lambda: self.locks(other))
        return other

    @staticmethod
    def locks(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            return False
        return True

    def test_who_only_reads_is_answered_at_once_and_a_start_says_what_to_do(self):
        job = self.server.text("start", {"command": "until [ -e go ]; do sleep 0.02; done; echo late",
                                         "cwd": self.folder, "wait_s": 0})[:8]
        other = self.lock()
        with open(self.folder + "/go", "w", encoding="ascii"):
            pass
        self.assertIn("succeeded", self.promptly(self.server, "await", {"ids": [job]}))
        # Its end waits to be written now, and is known.
        until("the doubt", lambda: "may be old" in self.promptly(self.server, "list"))
        self.assertIn(f"{job} succeeded", self.promptly(self.server, "list"))
        self.assertIn("late", self.promptly(self.server, "output", {"id": job, "from": 0}))
        self.assertIn("already", self.promptly(self.server, "cancel", {"ids": [self.done]}))
        fresh = self.serve(self.folder)
        self.assertIn(f"{self.done} succeeded", self.promptly(fresh, "list"))
        self.assertIn("\ndone", self.promptly(fresh, "output", {"id": self.done, "from": 0}))
        self.assertIn("succeeded", self.promptly(fresh, "await", {"ids": [self.done]}))
        for server in (self.server, fresh):
            refused = server.call("start", {"command": "touch ran", "cwd": self.folder})
            self.assertTrue(refused["isError"])
            text = refused["content"][0]["text"]
            self.assertIn(self.registry + " is kept locked by another program", text)
            self.assertIn("5 s", text)
            self.assertIn("Nothing was started.", text)
        other.execute("ROLLBACK")
        self.assertIn("succeeded", fresh.text("start", {"command": "true", "wait_s": 20}))
        until("the end in the registry",
              lambda: "may be old" not in self.server.text("list") and "0 running" in fresh.text("list"))
        self.assertFalse(os.path.exists(self.folder + "/ran"))

    def test_a_start_that_is_cancelled_while_it_waits_never_runs(self):
        other = self.lock()
        start = self.server.ask("tools/call", {"name": "start", "arguments": {
            "command": "touch ran", "cwd": self.folder}})
        time.sleep(0.3)  # it waits
        self.server.notify("notifications/cancelled", {"requestId": start})
        self.server.request("ping")  # behind the cancellation
        other.execute("ROLLBACK")
        # Behind the cancelled one, which is taken back.
        self.assertIn("succeeded", self.server.text("start", {"command": "true", "wait_s": 20}))
        until("one slot", lambda: "(0 of 16 slots), 2 ended" in self.server.text("list"))
        self.assertFalse(os.path.exists(self.folder + "/ran"))


class FullDiskTest(RegistryTest):
    def setUp(self):
        self.folder = RawServer.make_folder()
        self.addCleanup(shutil.rmtree, self.folder)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", self.folder],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"no small disk can be mounted: {mounted.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=True)

    def fill(self):
        with open(self.folder + "/filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass

    def test_a_new_front_end_reads_on_a_full_disk_and_can_free_it(self):
        first = self.serve(self.folder)
        small = first.text("start", {"command": "echo done", "wait_s": 20})[:8]
        big = first.text("start", {"command": "head -c 300000 /dev/zero", "wait_s": 20})[:8]
        first.close_input()
        until("the end of its keepers", lambda: not first.processes())
        self.fill()
        server = self.serve(self.folder)
        self.assertIn(f"{small} succeeded", server.text("list"))
        self.assertIn("the disk is full", server.text("list"))
        self.assertIn("\ndone", server.text("output", {"id": small}))
        self.assertIn("succeeded", server.text("await", {"ids": [small]}))
        refused = server.call("start", {"command": "true"})
        self.assertTrue(refused["isError"])
        self.assertRegex(refused["content"][0]["text"], "disk is full.*Free some space.*Nothing was started")
        self.assertIn("record and log removed", server.text("cancel", {"ids": [big], "remove": True}))
        self.assertIn("succeeded", server.text("start", {"command": "true", "wait_s": 20}))
        self.assertNotIn("may be old", server.text("list"))


if __name__ == "__main__":
    unittest.main()

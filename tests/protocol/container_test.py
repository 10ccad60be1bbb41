#!/usr/bin/python3
"""The program as pid 1 of a pid namespace, as in a container."""

import glob
import json
import subprocess
import time
import unittest

from raw_server import RawServer, until

LAUNCHER = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]


def allowed():
    try:
        return subprocess.run([*LAUNCHER, "true"], capture_output=True, timeout=10, check=False).returncode == 0
    except FileNotFoundError:
        return False


@unittest.skipUnless(allowed(), "pid namespaces are not allowed here")
class InitTest(unittest.TestCase):
    def setUp(self):
        self.server = RawServer(launcher=LAUNCHER)
        self.addCleanup(self.server.close)
        self.server.initialize("2025-11-25")

    def children(self):
        """pid -> state of the processes whose parent is the program."""
        with open(f"/proc/{self.server.process.pid}/task/{self.server.process.pid}/children",
                  encoding="ascii") as file:
            program = int(file.read().split()[0])
        found = {}
        with open(f"/proc/{program}/task/{program}/children", encoding="ascii") as file:
            pids = file.read().split()
        for pid in pids:
            try:
                with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
                    found[int(pid)] = file.read().rsplit(")", 1)[1].split()[0]
            except OSError:
                pass
        return found

    def test_it_reaps_keepers_and_orphans(self):
        for _ in range(30):
            self.assertIn("succeeded", self.server.text("start", {"command": "true", "wait_s": 10}))
        until("the end of all zombies", lambda: "Z" not in self.children().values())

    def test_its_end_ends_the_jobs_and_waits_for_their_records(self):
        polite = self.server.text("start", {
            "command": "trap 'sleep 0.3; exit 0' TERM; echo set; sleep 300 & wait", "wait_for": "^set$", "wait_s": 20})[:8]
        plain = self.server.text("start", {"command": "sleep 300", "wait_s": 0})[:8]
        self.server.close_input()
        for job in [polite, plain]:
            with open(glob.glob(f"{self.server.folder}/state/jobs/{job}/exit.json")[0], encoding="utf-8") as file:
                record = json.loads(file.read().rstrip("\0 \n"))
            self.assertEqual(record["state"], "cancelled")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""What answers tell: once where they arrive, again where that is in doubt, never not at all."""

import time
import unittest

from raw_server import RawServer, until


class DeliveryTest(unittest.TestCase):
    def setUp(self):
        self.server = RawServer()
        self.addCleanup(self.server.close)
        self.server.initialize("2025-11-25")

    def start(self, command):
        return self.server.text("start", {"command": command, "wait_s": 0})[:8]

    def ask(self, tool, arguments):
        return self.server.ask("tools/call", {"name": tool, "arguments": arguments})

    def cancel(self, identifier):
        self.server.notify("notifications/cancelled", {"requestId": identifier})

    def probe(self):
        """An answer that states no other job by itself."""
        return self.server.text("start", {"command": "true", "wait_s": 10})

    def ended(self, job):
        until("its end", lambda: self.server.folder and self.exit_record(job))

    def exit_record(self, job):
        try:
            with open(f"{self.server.folder}/state/jobs/{job}/exit.json", encoding="utf-8") as record:
                return record.read()
        except OSError:
            return None

    def test_the_end_that_a_cancelled_wait_would_have_told_comes_in_the_next_answer(self):
        job = self.start("sleep 0.5; exit 3")
        wait = self.ask("await", {"ids": [job], "wait_s": 20})
        self.cancel(wait)
        self.ended(job)
        until("the news", lambda: f"{job} " in self.probe())
        self.assertNotIn(job, self.probe())
        self.assertNotIn(wait, [message.get("id") for message in self.server.messages])

    def test_an_answer_that_is_cancelled_after_it_was_written_is_told_again_and_marked(self):
        job = self.start("sleep 0.3; echo out; exit 3")
        wait = self.ask("await", {"ids": [job], "wait_s": 20})
        self.assertIn("\nout", self.server.answer_to(wait)["result"]["content"][0]["text"])
        self.cancel(wait)
        told = self.probe()
        self.assertIn("also ended since you last looked:", told)
        self.assertIn(f"again: {job}", told)
        self.assertIn("\nout", self.server.text("output", {"id": job}))
        self.assertNotIn(job, self.probe())

    def test_a_cancel_that_meets_the_answer_loses_and_doubles_nothing(self):
        for step in range(12):
            job = self.start("sleep 0.2; exit 3")
            wait = self.ask("await", {"ids": [job], "wait_s": 20})
            time.sleep(0.19 + step * 0.002)
            self.cancel(wait)
            self.ended(job)
            until("the news", lambda: f"{job} " in self.probe())
            self.assertNotIn(job, self.probe())

    def test_calls_at_once_tell_an_end_once(self):
        job = self.start("sleep 0.2; exit 3")
        self.ended(job)
        asked = {self.ask("start", {"command": "true", "wait_s": 10}) for _ in range(4)}
        answers = [self.server.next() for _ in asked]  # in any order
        self.assertEqual({answer["id"] for answer in answers}, asked)
        told = sum(f"{job} " in str(answer["result"]["content"]) for answer in answers)
        self.assertLessEqual(told, 1)
        if not told:
            until("the news", lambda: f"{job} " in self.probe())
        self.assertNotIn(job, self.probe())

    def test_a_start_whose_answer_was_not_wanted_is_named(self):
        for command, patience, how in [("sleep 300", 0, "cut off"), ("sleep 300", 0.2, "cut off"),
                                       ("echo x", 0.4, "(cut off|answered, then cancelled,)")]:
            with self.subTest(command, patience=patience):
                start = self.ask("start", {"command": command, "wait_s": 10})
                time.sleep(patience)
                self.cancel(start)
                told = self.probe()
                if "the start call that was" in told:
                    self.assertRegex(told, rf"the start call that was {how} r[au]ns? as \w+: {command}")
                else:  # cancelled before it began: nothing was started
                    self.assertEqual(patience, 0)
                self.assertNotIn("the start call that was", self.probe())
        listed = self.server.text("list")
        for line in listed.split("\n"):
            if '"sleep 300"' in line:
                self.server.text("cancel", {"ids": [line[:8]]})

    def test_the_end_of_input_in_the_middle_of_a_message_loses_no_job(self):
        job = self.start("echo out; exit 3")
        self.ended(job)
        self.server.send_bytes(b'{"jsonrpc":"2.0","id":5,"method":"tools/c')
        self.server.close_input()
        again = RawServer(folder=self.server.folder)
        self.addCleanup(again.close)
        again.initialize("2025-11-25")
        self.assertIn(f"{job} failed, exit code 3", again.text("list"))
        self.assertIn("\nout", again.text("output", {"id": job}))


if __name__ == "__main__":
    unittest.main()

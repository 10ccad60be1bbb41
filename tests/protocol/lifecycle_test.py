#!/usr/bin/python3
"""How the program waits, says what happened by itself, and ends."""

import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import termios
import threading
import time
import unittest
from contextlib import closing

from raw_server import LEGACY, PROGRAM, RawServer, envelope, until


def waiting_bytes(pipe):
    """What its reader has not taken yet."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


class WaitTest(unittest.TestCase):
    def setUp(self):
        self.server = RawServer()
        self.addCleanup(self.server.close)

    def start_sleep(self, meta=None):
        return self.server.text("start", {"command": "sleep 300", "title": "naps", "wait_s": 0}, meta=meta)[:8]

    def test_a_cancelled_wait_is_never_answered_and_its_job_lives(self):
        for meta in [None, envelope()]:
            with self.subTest(meta=bool(meta)):
                if not meta:
                    self.server.initialize("2025-11-25")
                job = self.start_sleep(meta)
                params = {"name": "await", "arguments": {"ids": [job], "wait_s": 20}}
                if meta:
                    params["_meta"] = meta
                wait = self.server.ask("tools/call", params)
                self.assertTrue(self.server.silent())
                self.server.notify("notifications/cancelled", {"requestId": wait, "reason": "enough"})
                self.assertIn(f"{job} running", self.server.text("list", meta=meta).replace(' "naps"', ""))
                self.assertNotIn(wait, [message.get("id") for message in self.server.messages])

    def test_other_calls_are_answered_while_one_waits(self):
        self.server.initialize("2025-06-18")
        job = self.start_sleep()
        wait = self.server.ask("tools/call", {"name": "await", "arguments": {"ids": [job], "wait_s": 3}})
        began = time.monotonic()
        for _ in range(20):
            self.assertEqual(self.server.request("ping")["result"], {})
            self.server.text("list")
        self.assertLess(time.monotonic() - began, 2)
        self.assertIn("(waited 3 s)", self.server.answer_to(wait)["result"]["content"][0]["text"])

    def test_an_end_is_told_within_a_tenth_of_a_second(self):
        self.server.initialize("2025-11-25")
        job = self.server.text("start", {"command": "sleep 1; date +%s.%N", "wait_s": 0})[:8]
        answer = self.server.text("await", {"ids": [job], "wait_s": 15})
        printed = float(answer.rsplit("\n", 1)[-1].strip() or answer.split("\n")[-2])
        self.assertLess(time.time() - printed, 0.3)

    def test_progress_comes_every_ten_seconds_to_who_gave_a_token(self):
        self.server.initialize("2025-11-25")
        job = self.start_sleep()
        for token in ["t", 7]:
            wait = self.server.ask("tools/call", {"name": "await", "arguments": {"ids": [job], "wait_s": 11},
                                                  "_meta": {"progressToken": token}})
            progress = self.server.next(12)
            self.assertEqual(progress["method"], "notifications/progress")
            self.assertEqual(progress["params"]["progressToken"], token)
            self.assertIn("message", progress["params"])
            self.assertIn("result", self.server.answer_to(wait))

    def test_ends_are_announced_as_log_messages_to_clients_of_the_handshake(self):
        self.server.initialize("2025-11-25")
        self.assertEqual(self.server.request("logging/setLevel", {"level": "info"})["result"], {})
        job = self.server.text("start", {"command": "sleep 0.3; exit 3", "wait_s": 0})[:8]
        message = self.server.next(5)
        self.assertEqual(message["method"], "notifications/message")
        self.assertIn(job, str(message["params"]["data"]))
        # It never counts as told.
        self.assertIn(f"{job} ", self.server.text("start", {"command": "true"}))
        self.assertEqual(self.server.next(5)["method"], "notifications/message")
        self.assertEqual(self.server.request("logging/setLevel", {"level": "emergency"})["result"], {})
        self.server.text("start", {"command": "sleep 0.3", "wait_s": 0})
        self.assertTrue(self.server.silent(1))

    def test_no_log_messages_in_the_modern_era(self):
        self.server.text("start", {"command": "sleep 0.2", "wait_s": 0}, meta=envelope())
        self.assertTrue(self.server.silent(1))


class OutputTest(unittest.TestCase):
    def test_stdout_is_the_protocol_alone_and_jobs_do_not_get_it(self):
        server = RawServer({"BGSHELL_LOG_LEVEL": "debug", "BGSHELL_NO_SUCH": "1"})
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        for command in ["cat", "echo hi > /dev/stdout; echo x >&2", "echo y > /proc/self/fd/2", "read x; echo $x"]:
            server.call("start", {"command": command, "wait_s": 10})
        for number in range(26):
            server.text("list")
            self.assertEqual(server.request("ping")["result"], {}, number)
        # next() has parsed every line as JSON.
        self.assertGreater(len(server.messages), 50)

    def test_big_answers_are_whole_for_a_client_that_reads_a_byte_at_a_time(self):
        server = RawServer()
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        job = server.text("start", {"command": "head -c 2000000 /dev/urandom", "wait_s": 10})[:8]
        asked = [server.ask("tools/call", {"name": "output", "arguments": {"id": job, "from": 0, "max_bytes": 32000}})
                 for _ in range(4)]
        data = b""
        while data.count(b'"result"') < 4 or not data.endswith(b"\n"):
            byte = os.read(server.process.stdout.fileno(), 1)
            self.assertTrue(byte)
            data += byte
        for line in data.splitlines():
            self.assertLessEqual(len(line), 60_000)
        answers = [message for message in map(json.loads, data.splitlines()) if "id" in message]
        self.assertEqual([answer["id"] for answer in answers], asked)

    def test_a_client_that_does_not_read_stops_nothing_but_its_own_answers(self):
        server = RawServer()
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        server.text("start", {"command": "seq 1 100000", "wait_s": 10})
        job = server.text("list").split("\n")[1][:8]
        asked = [server.ask("tools/call", {"name": "output", "arguments": {"id": job, "from": 0, "max_bytes": 32000}})
                 for _ in range(60)]
        until("a full pipe", lambda: waiting_bytes(server.process.stdout) > 60_000)
        answers = {server.answer_to(identifier)["id"] for identifier in asked}
        self.assertEqual(answers, set(asked))


class EndTest(unittest.TestCase):
    def with_job(self, **more):
        server = RawServer(**more)
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        server.job = server.text("start", {"command": "sleep 300", "wait_s": 0})[:8]
        return server

    def quickest(self, end, rounds=5):
        return min(end(self.with_job()) for _ in range(rounds))

    def test_the_end_of_input_ends_it_within_50_ms(self):
        self.assertLess(self.quickest(lambda server: server.close_input()), 0.05)
        empty = subprocess.run([PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, timeout=10, check=False,
                               env={"HOME": "/nonexistent"})
        self.assertEqual((empty.returncode, empty.stdout, empty.stderr), (0, b"", b""))

    def test_the_end_of_input_ends_it_though_its_first_call_waits_for_the_registry(self):
        first = self.with_job()
        first.close_input()
        with open(first.folder + "/state/registry.db", "r+b") as registry:
            fcntl.lockf(registry, fcntl.LOCK_EX, 512, 0x40000000)  # where SQLite has its locks
            server = RawServer({"BGSHELL_STATE": first.folder + "/state"})
            self.addCleanup(server.close)
            server.initialize("2025-11-25")
            server.ask("tools/call", {"name": "start", "arguments": {"command": "true"}})
            self.assertTrue(server.silent(0.3))
            self.assertLess(server.close_input(), 1)

    def test_the_end_of_input_ends_it_though_what_it_notes_waits_for_the_registry(self):
        server = self.with_job()
        with closing(sqlite3.connect(server.folder + "/state/registry.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            server.text("send", {"id": server.job, "runtime_limit_s": 60})
            self.assertLess(server.close_input(), 1)

    def test_the_end_of_input_ends_it_though_its_answers_are_not_read(self):
        server = RawServer()
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        job = server.text("start", {"command": "head -c 40000 /dev/zero | tr '\\0' x", "wait_s": 20})[:8]
        for _ in range(550):  # their answers are more than may wait
            server.ask("tools/call", {"name": "output", "arguments": {"id": job, "from": 0, "max_bytes": 15000}})
        def reads_no_more():
            server.ask("ping")
            time.sleep(0.05)
            return waiting_bytes(server.process.stdin) > 0

        until("it reads no more", reads_no_more)
        self.assertLess(server.close_input(), 1)

    def test_it_lives_on_where_the_system_gives_no_more_processes(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become a user who has no other processes")
        for most in (1, 2, 4, 6, 9):
            with self.subTest(most=most):
                folder = RawServer.make_folder()
                self.addCleanup(shutil.rmtree, folder)
                program = shutil.copy(PROGRAM, folder + "/program")
                os.chown(folder, 65531, 65531)
                server = RawServer(folder=folder, launcher=(
                    "setpriv", "--reuid=65531", "--regid=65531", "--clear-groups",
                    "prlimit", f"--nproc={most}", "sh", "-c", 'exec "$0" mcp', program))
                self.addCleanup(lambda server=server: until("the end of its keepers", lambda: not server.processes()))
                self.addCleanup(server.close)
                server.initialize("2025-11-25")
                asked = [server.ask("tools/call", {"name": "start", "arguments": {
                    "command": "echo x", "wait_s": 5, "cwd": "/"}}) for _ in range(6)]
                answers = [server.next() for _ in asked]  # in any order
                said = [answer["result"]["content"][0]["text"] for answer in answers]
                refused = [text for text in said if "Resource temporarily unavailable" in text]
                if most <= 2:
                    self.assertEqual(len(refused), 6, said)
                if most == 1:
                    self.assertIn("No thread could be started", said[0])
                else:
                    for text in refused:
                        self.assertRegex(text, "Nothing was started|failed to start")
                    server.text("list")
                server.answer_to(server.ask("ping"))

    def test_a_login_shell_does_not_outlive_a_front_end_that_was_killed(self):
        server = RawServer({"SHELL": "/bin/bash", "BGSHELL_SHELL_LOGIN_PATH": "true"})
        self.addCleanup(server.close)
        with open(server.folder + "/.bash_profile", "w", encoding="ascii") as profile:
            profile.write("mkfifo $HOME/never; echo $$ > $HOME/new; mv $HOME/new $HOME/shell; read line <> $HOME/never\n")
        server.initialize("2025-11-25")
        server.ask("tools/call", {"name": "start", "arguments": {"command": "true"}})
        until("the login shell", lambda: os.path.exists(server.folder + "/shell"))
        server.process.kill()
        with open(server.folder + "/shell", encoding="ascii") as shell:
            number = shell.read().strip()
        until("the end of the login shell", lambda: not os.path.exists(f"/proc/{number}"))

    def test_signals_end_it_within_50_ms_and_well(self):
        for number in [signal.SIGINT, signal.SIGTERM]:
            def end(server, number=number):
                began = time.monotonic()
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(10), 0)
                return time.monotonic() - began
            self.assertLess(self.quickest(end), 0.05)

    def test_its_jobs_end_when_their_grace_is_over(self):
        server = self.with_job(settings={"BGSHELL_ORPHAN_GRACE_S": "1"})
        before = set(server.processes())
        server.close_input()
        self.assertTrue(set(server.processes()) & before, "the grace was not given")
        until("the end of the job", lambda: not server.processes(), 15)

    def test_requests_before_the_end_of_input_are_answered_and_waits_dropped(self):
        for revision in LEGACY:
            with self.subTest(revision):
                server = RawServer()
                self.addCleanup(server.close)
                server.initialize(revision)
                job = server.text("start", {"command": "sleep 300", "wait_s": 0})[:8]
                wait = server.ask("tools/call", {"name": "await", "arguments": {"ids": [job], "wait_s": 40}})
                asked = [server.ask("tools/call", {"name": "list", "arguments": {}}), server.ask("ping")]
                server.close_input()
                answered = set()
                try:
                    while True:
                        answered.add(server.next().get("id"))
                except EOFError:
                    pass
                self.assertLessEqual(set(asked), answered)
                self.assertNotIn(wait, answered)

    def test_a_client_that_vanishes_is_survived_by_nothing(self):
        server = self.with_job()
        server.ask("tools/call", {"name": "list", "arguments": {}})
        server.process.stdout.close()
        server.process.stdin.close()
        self.assertEqual(server.process.wait(10), 0)

    def test_a_reader_that_goes_away_ends_it_though_its_input_stays_open(self):
        server = self.with_job()
        server.process.stdout.close()
        server.ask("tools/call", {"name": "list", "arguments": {}})
        self.assertEqual(server.process.wait(10), 0)

    def test_it_ends_when_its_parent_dies_though_its_input_stays_open(self):
        # The shell is the parent; we hold both pipes. (Its background child would read /dev/null.)
        server = RawServer(launcher=["sh", "-c", 'exec 3<&0; "$@" <&3 & echo $! >&2; wait', "sh"])
        self.addCleanup(server.close)
        child = int(server.process.stderr.readline())
        server.initialize("2025-11-25")
        server.process.kill()
        server.process.wait(10)
        until("the end of the orphan", lambda: not os.path.exists(f"/proc/{child}"))

    def test_sigkill_leaves_jobs_that_end_after_their_grace(self):
        server = self.with_job()
        server.process.kill()
        until("the end of the job", lambda: not server.processes(), 15)

    def test_a_flood_of_requests_does_not_delay_the_end(self):
        server = self.with_job()
        lines = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"list","arguments":{}}}\n'
                         % number for number in range(1000, 3000))
        reader = threading.Thread(target=lambda: server.process.stdout.read())
        reader.start()
        server.send_bytes(lines)
        server.close_input()
        reader.join(10)
        self.assertFalse(reader.is_alive())


class FirstLookTest(unittest.TestCase):
    def run_program(self, *arguments, **more):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=10, check=False, **more)

    def test_version_and_help(self):
        self.assertRegex(self.run_program("--version").stdout, rb"^bgshell \d+\.\d+\.\d+\n$")
        answer = self.run_program("--help")
        self.assertEqual(answer.returncode, 0)
        self.assertIn(b"--orphan-grace-s", answer.stdout)
        wrong = self.run_program("--no-such-flag")
        self.assertEqual((wrong.returncode, wrong.stdout), (2, b""))

    def test_on_a_terminal_it_explains_itself(self):
        ours, theirs = os.openpty()
        with subprocess.Popen([PROGRAM], stdin=theirs, stdout=subprocess.PIPE, close_fds=True) as process:
            os.close(theirs)
            said = process.communicate(timeout=10)[0].decode()
        os.close(ours)
        self.assertEqual(process.returncode, 0)
        self.assertIn("claude mcp add", said)
        self.assertIn(os.path.realpath(PROGRAM), said)

    def test_a_probe_leaves_no_trace(self):
        server = RawServer()
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        server.request("tools/list")
        server.request("server/discover", {"_meta": envelope()})
        server.close_input()
        self.assertEqual(os.listdir(server.folder), [])

    def test_faults_of_the_configuration_are_warned_about_with_file_and_line(self):
        server = RawServer({"BGSHELL_SLOTS": "0"})
        self.addCleanup(server.close)
        server.close_input()
        self.assertIn(b"BGSHELL_SLOTS must be a whole number of jobs from 1 to 256", server.process.stderr.read())
        folder = server.folder + "/.config/bgshell"
        os.makedirs(folder)
        with open(folder + "/config.toml", "w", encoding="utf-8") as file:
            file.write("[limits]\nslots = 2\n\n[limit]\nslots = 3\n")
        again = RawServer(folder=server.folder)
        self.addCleanup(again.close)
        again.initialize("2025-11-25")
        again.text("start", {"command": "true"})
        self.assertIn("of 2 slots", again.text("list"))
        again.close_input()
        self.assertIn(b"config.toml:5: unknown key [limit] slots", again.process.stderr.read())

    def test_closed_standard_streams_are_survived(self):
        answer = subprocess.run(["sh", "-c", '"$0" 0<&- 1>&- 2>&-; echo $?', PROGRAM], stdout=subprocess.PIPE,
                                timeout=10, check=False)
        self.assertEqual(answer.stdout, b"0\n")


if __name__ == "__main__":
    unittest.main()

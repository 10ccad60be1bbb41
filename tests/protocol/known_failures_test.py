#!/usr/bin/python3
"""Failures that users of job servers reported in public, as the smallest input against the program.

The names are those of the catalogue that the project keeps of them; rows with tests elsewhere
(`grep -r b45_ tests`) are not repeated here.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import unittest

from raw_server import RawServer, until

MEMORY = "/sys/fs/cgroup/memory"  # cgroup v1; v2 has memory.max below /sys/fs/cgroup itself


class MemoryGroup:
    """A cgroup with a limit, where one can be made (None: it cannot)."""

    def __init__(self, name, megabytes):
        old = os.path.isdir(MEMORY)
        self.path = f"{MEMORY if old else '/sys/fs/cgroup'}/{name}"
        os.mkdir(self.path)
        try:
            limits = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"] if old else ["memory.max"]
            for limit in limits:
                if limit == limits[0] or os.path.exists(f"{self.path}/{limit}"):
                    self.write(limit, f"{megabytes << 20}")
        except OSError:
            os.rmdir(self.path)
            raise

    def write(self, file, text):
        with open(f"{self.path}/{file}", "w", encoding="ascii") as opened:
            opened.write(text)

    def processes(self):
        with open(f"{self.path}/cgroup.procs", encoding="ascii") as opened:
            return opened.read()

    def remove(self):
        until("the end of the group's processes", lambda: not self.processes())
        os.rmdir(self.path)


class KnownFailuresTest(unittest.TestCase):
    def serve(self, *arguments, revision="2025-11-25", **more):
        server = RawServer(*arguments, **more)
        self.addCleanup(server.close)
        server.initialize(revision)
        return server

    def run_job(self, command, **arguments):
        """The id and the whole text of the answer to a start that is waited for."""
        server = self.serve()
        text = server.text("start", {"command": command, "wait_s": 30, **arguments}, seconds=40)
        return server, text[:8], text

    @staticmethod
    def output(text):
        return text.split("(untrusted)", 1)[1].split("\n", 1)[1]

    def test_b15_a_client_that_closes_both_ends_before_it_reads_is_no_crash(self):
        for patience in [0, 0.05, 0.3]:
            with self.subTest(patience):
                server = RawServer()
                server.send({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                             "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                        "clientInfo": {"name": "raw", "version": "1"}}})
                server.send({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                             "params": {"name": "start", "arguments": {"command": "sleep 300"}}})
                time.sleep(patience)
                server.process.stdout.close()
                server.process.stdin.close()
                self.assertEqual(server.process.wait(10), 0)
                self.assertEqual(server.process.stderr.read(), b"")
                server.close()  # proves that the job has ended

    def test_b16_ended_children_are_reaped(self):
        server = self.serve()
        for _ in range(100):
            server.text("start", {"command": "true", "wait_s": 10})
        children = subprocess.run(["ps", "--ppid", str(server.process.pid), "-o", "stat="],
                                  capture_output=True, text=True, check=False).stdout
        self.assertNotIn("Z", children)
        self.assertIn("100 ended", server.text("list"))

    def test_b22_a_character_that_arrives_in_pieces_is_never_shown_in_halves(self):
        server = self.serve()
        job = server.text("start", {"command": r"printf '\342'; sleep 0.3; printf '\211'; sleep 0.3; printf '\244\n'",
                                    "wait_s": 0})[:8]
        shown = ""
        for _ in range(100):
            answer = server.text("output", {"id": job})
            self.assertNotIn("\ufffd", answer)
            if "new output (untrusted)" in answer or " output (untrusted)" in answer.replace("\noutput", " output"):
                shown += "" if "again" in answer else self.output(answer)
            if "succeeded" in answer:
                break
            time.sleep(0.02)
        self.assertEqual(shown.strip(), "\u2264")

    def test_b23_output_of_a_command_that_ends_at_once_is_there_under_its_id(self):
        server = self.serve()
        for _ in range(100):
            answer = server.text("start", {"command": "echo boom >&2; exit 3", "wait_s": 10})
            self.assertIn("failed, exit code 3", answer)
            self.assertTrue(answer.endswith("\nboom"), answer)
            self.assertIn("boom", server.text("output", {"id": answer[:8], "from": 0}))

    def test_b28_the_fatal_last_line_of_a_long_output_is_shown(self):
        _, _, text = self.run_job("for i in $(seq 1 5000); do echo line $i padding padding padding; done; "
                                  "echo FATAL: pool exhausted; exit 1")
        self.assertIn("\nline 1 padding", text)
        self.assertTrue(text.endswith("FATAL: pool exhausted"))
        whole, first, last, lines = map(int, re.search(
            r"bytes 0-(\d+), omitted (\d+)-(\d+) \((\d+) lines\)", text).groups())
        shown = self.output(text)
        self.assertIn(f"[... {first}-{last} omitted ...]", shown)
        kept = [line for line in shown.split("\n") if "padding" in line or "FATAL" in line]
        self.assertEqual(len(kept) + lines, 5001)
        self.assertEqual(whole - (last - first), sum(len(line) + 1 for line in kept))

    def test_b30_bytes_that_are_no_text_break_no_answer(self):
        server, job, _ = self.run_job(r"printf '\377\376\200ok\n'; head -c 100000 /bin/true; printf '\0'")
        for arguments in [{}, {"from": 0}, {"tail_lines": 5}, {"grep": "."}, {"from": 7, "max_bytes": 1000}]:
            # next() has decoded and parsed the line.
            self.assertNotIn("\0", server.text("output", {"id": job, **arguments}))
        size = os.path.getsize(f"{server.folder}/state/jobs/{job}/log")
        self.assertIn(f"bytes 0-{size}", server.text("output", {"id": job, "from": 0, "max_bytes": 32000}))

    def test_b33_no_view_cuts_a_character(self):
        server, job, _ = self.run_job("python3 -c 'print(\"\U0001f600\" * 50000, end=\"\")'")
        for size in range(1000, 1041):
            shown = server.call("output", {"id": job, "from": 0, "max_bytes": size})["content"][0]["text"]
            self.assertNotIn("\ufffd", shown)
            first, last = map(int, re.search(r"omitted (\d+)-(\d+)", shown).groups())
            self.assertEqual((first % 4, last % 4), (0, 0))
            self.assertEqual(self.output(shown).count("\U0001f600") * 4 + last - first, 200_000)

    def test_b34_output_is_what_a_terminal_would_show(self):
        server, job, text = self.run_job(
            r"printf '\033[?25lWorking\r\033[2KDone \033[1;31mred\033[0m\033]0;title\007\033(B\n'")
        self.assertEqual(self.output(text), "Done red")
        with open(f"{server.folder}/state/jobs/{job}/log", "rb") as log:
            self.assertTrue(log.read().startswith(b"\x1b[?25lWorking\r"))

    def test_b36_python_prints_at_once_into_a_pipe(self):
        server = self.serve()
        job = server.text("start", {"command": "python3 -c 'import time; print(\"up\"); time.sleep(60)'",
                                    "wait_s": 0})[:8]
        self.assertIn("\nup", server.text("await", {"ids": [job], "wait_for": "up", "wait_s": 20}) and
                      server.text("output", {"id": job, "from": 0}))

    def test_b37_silence_of_a_live_job_is_no_empty_answer(self):
        server = self.serve()
        job = server.text("start", {"command": "sleep 60 | tail -n 5", "wait_s": 0})[:8]
        self.assertRegex(server.text("output", {"id": job}), r"running .* of 30 min, no output yet \(0 bytes\)")

    def test_b39_reading_consumes_nothing(self):
        server, job, _ = self.run_job("seq 1 100; sleep 0.1")
        texts = {server.text("output", {"id": job, "from": 50}) for _ in range(3)}
        self.assertEqual(len(texts), 1)

    def test_b40_death_by_a_signal_is_a_failure(self):
        server = self.serve()
        for signal in ["KILL", "SEGV", "XCPU"]:
            result = server.call("start", {"command": f"kill -{signal} $$", "wait_s": 10})
            self.assertTrue(result["isError"])
            self.assertIn(f"failed, SIG{signal}", result["content"][0]["text"])

    def test_b41_a_kill_for_want_of_memory_is_named_where_the_kernel_counted_it(self):
        try:
            group = MemoryGroup(f"bgshell-test-{os.getpid()}", 96)
        except OSError as error:
            self.skipTest(f"no cgroup can be made: {error}")
        server = RawServer(launcher=["sh", "-c", f'echo $$ > {group.path}/cgroup.procs && exec "$@"', "sh"])
        self.addCleanup(group.remove)
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        answer = server.call("start", {"command": "exec python3 -c 'x = bytearray(2 << 30)'", "wait_s": 40}, seconds=50)
        self.assertIn("failed, out of memory (SIGKILL by the kernel)", answer["content"][0]["text"])
        self.assertTrue(answer["isError"])
        answer = server.text("start", {"command": "kill -9 $$", "wait_s": 10})
        self.assertIn("failed, SIGKILL by an unknown sender", answer)

    def test_b51_a_list_finds_every_job_again_also_after_a_restart_of_the_client(self):
        server = self.serve({"BGSHELL_ORPHAN_GRACE_S": "20"})
        running = server.text("start", {"command": "echo one; sleep 300", "title": "naps", "wait_s": 0})[:8]
        ended = server.text("start", {"command": "exit 3", "wait_s": 10})[:8]
        until("its output", lambda: "+1 line" in server.text("list"))
        for again in [False, True]:
            listed = server.text("list")
            self.assertRegex(listed, rf'(?m)^{running} running .* of 30 min, \+1 line.*  "naps"$')
            self.assertRegex(listed, rf'(?m)^{ended} failed, exit code 3, after .* ago.*  "exit 3"$')
            if not again:
                folder = server.folder
                server.close_input()
                server = RawServer(folder=folder)
                self.addCleanup(server.close)
                server.initialize("2025-11-25")
        self.assertIn("cancelled after", server.text("cancel", {"ids": [running]}))

    def test_b52_a_wait_ends_before_a_client_gives_up_and_says_so(self):
        server = self.serve()
        job = server.text("start", {"command": "sleep 300", "wait_s": 0})[:8]
        began = time.monotonic()
        wait = server.ask("tools/call", {"name": "await", "arguments": {"ids": [job], "wait_s": 600},
                                         "_meta": {"progressToken": "p"}})
        times = [began]
        while True:
            message = server.next(20)
            times.append(time.monotonic())
            self.assertLess(times[-1] - times[-2], 15)
            if message.get("id") == wait:
                break
            self.assertEqual(message["method"], "notifications/progress")
        self.assertGreater(times[-1] - began, 45)
        self.assertLess(times[-1] - began, 55)
        text = message["result"]["content"][0]["text"]
        self.assertRegex(text, "running 50 s of 30 min, .*waited 50 s of 600 s: your client ends longer calls")

    def test_b55_every_answer_is_one_line_of_60000_bytes(self):
        server = self.serve({"BGSHELL_STRUCTURED": "on"})
        job = server.text("start", {"command": "python3 -c 'print(\"\\\"\\x01\\\\\" * 300000)'", "wait_s": 20})[:8]
        for number in range(60):
            server.text("start", {"command": "true", "title": "\x01" * 200, "key": "\x02" * 30 + str(number)})
        for method, params in [("tools/list", {}),
                               ("tools/call", {"name": "list", "arguments": {"limit": 100}}),
                               ("tools/call", {"name": "output",
                                               "arguments": {"id": job, "from": 0, "max_bytes": 32000}}),
                               ("tools/call", {"name": "output",
                                               "arguments": {"id": job, "grep": ".", "max_bytes": 32000}})]:
            server.request(method, params)
            self.assertLessEqual(server.longest_line, 60_000)

    def test_b55_a_batch_is_answered_in_one_line_of_60000_bytes(self):
        server = self.serve(revision="2025-03-26")

        def call(number, name, arguments):
            return {"jsonrpc": "2.0", "id": number, "method": "tools/call",
                    "params": {"name": name, "arguments": arguments}}
        big = "for i in $(seq 1 3000); do echo line $i padding padding padding; done #"
        server.send([call(number, "start", {"command": big + str(number), "wait_s": 30}) for number in range(10)])
        answers = server.next(60)
        self.assertLessEqual(server.longest_line, 60_000)
        jobs = {answer["id"]: answer["result"]["content"][0]["text"][:8] for answer in answers}
        self.assertEqual(len(jobs), 10)
        server.send([call(number, "output", {"id": job, "from": 0, "max_bytes": 32000}) for number, job in jobs.items()])
        answers = server.next(60)
        self.assertLessEqual(server.longest_line, 60_000)
        for answer in answers:
            self.assertTrue(answer["result"]["content"][0]["text"].startswith(jobs[answer["id"]]))
        # What cannot be shortened is refused, in as few words as there is room for.
        server.send([{"jsonrpc": "2.0", "id": "x" * 200 + str(number), "method": "tools/list"}
                     for number in range(100)])
        answers = server.next(60)
        self.assertLessEqual(server.longest_line, 60_000)
        self.assertEqual(len(answers), 100)
        self.assertIn("result", answers[0])
        self.assertEqual(answers[-1]["error"]["code"], -32603)

    def test_b56_jobs_can_neither_write_to_the_protocol_nor_eat_requests(self):
        server = self.serve({"BGSHELL_LOG_LEVEL": "debug"})
        for command in ["cat", "echo hi > /dev/stdout; echo x >&2", "cat <&1", "echo hi > /proc/self/fd/1"]:
            server.ask("tools/call", {"name": "start", "arguments": {"command": command, "wait_s": 10}})
            self.assertEqual(server.request("ping")["result"], {})
        for _ in range(26):
            server.text("list")
        # next() has parsed and validated every line.
        until("all ends", lambda: "4 ended" in server.text("list"))

    def test_b58_numbers_and_booleans_may_be_strings(self):
        server = self.serve()
        answer = server.call("start", {"command": "sleep 300", "runtime_limit_s": "120", "service": "true", "wait_s": "0"})
        self.assertIn("of 2 min", answer["content"][0]["text"])
        wrong = server.call("start", {"command": "echo hi", "runtime_limit_s": "soon"})
        self.assertTrue(wrong["isError"])
        self.assertIn('runtime_limit_s must be a number of seconds from 1 to 86400, got "soon". Nothing was started.',
                      wrong["content"][0]["text"])

    def test_b60_a_limit_in_milliseconds_is_lowered_and_said(self):
        server = self.serve()
        answer = server.text("start", {"command": "sleep 300", "runtime_limit_s": 180000, "wait_s": 0})
        self.assertIn("runtime_limit_s 86400, not 180000", answer)
        self.assertIn("of 24 h", answer)

    def test_b63_a_job_that_reads_gets_the_end(self):
        _, _, text = self.run_job("cat; read x; echo rc=$?")
        self.assertTrue(text.endswith("rc=1"))

    def test_b66_tools_of_the_users_own_path_are_found(self):
        server = RawServer()
        self.addCleanup(server.close)
        server.close_input()
        home = server.folder
        os.mkdir(home + "/bin")
        with open(home + "/bin/mytool", "w", encoding="ascii") as tool:
            tool.write("#!/bin/sh\necho found\n")
        os.chmod(home + "/bin/mytool", 0o755)
        with open(home + "/.bash_profile", "w", encoding="ascii") as profile:
            profile.write(f'export PATH="$PATH:{home}/bin"\n')
        for probe, expected in [("true", "\nfound"), ("false", "failed, exit code 127")]:
            gui = self.serve({"PATH": "/usr/bin:/bin", "HOME": home, "SHELL": "/bin/bash",
                              "BGSHELL_SHELL_LOGIN_PATH": probe})
            answer = gui.text("start", {"command": "mytool", "wait_s": 20})
            self.assertIn(expected, answer)
            self.assertEqual("next: a command was not found" in answer, probe == "false")

    def test_b67_a_directory_that_is_gone_is_named(self):
        gone = os.path.join(RawServer.make_folder(), "gone")
        self.addCleanup(shutil.rmtree, os.path.dirname(gone))
        os.mkdir(gone)
        server = self.serve(launcher=["sh", "-c", f'cd {gone} && rmdir {gone} && exec "$@"', "sh"])
        self.assertIn("\n/", server.text("start", {"command": "pwd", "cwd": "/", "wait_s": 10}))
        for arguments, name in [({}, "cwd"), ({"cwd": gone}, gone), ({"cwd": __file__}, __file__)]:
            answer = server.call("start", {"command": "pwd", **arguments})
            self.assertTrue(answer["isError"], arguments)
            self.assertIn(name, answer["content"][0]["text"])
            self.assertIn("Nothing was started.", answer["content"][0]["text"])
        self.assertIn("0 running (0 of 16 slots), 1 ended", server.text("list"))

    def test_b73_a_healthy_silent_job_is_left_alone(self):
        server = self.serve()
        job = server.text("start", {"command": "sleep 8; echo ok", "wait_s": 0})[:8]
        for _ in range(2):
            self.assertRegex(server.text("await", {"ids": [job], "wait_s": 3}),
                             r"running \d.* of 30 min, no output yet \(0 bytes\) \(waited 3 s\)")
        answer = server.text("await", {"ids": [job], "wait_s": 15})
        self.assertIn("succeeded after 8", answer)
        self.assertEqual(self.output(answer), "ok")


if __name__ == "__main__":
    sys.exit(unittest.main())

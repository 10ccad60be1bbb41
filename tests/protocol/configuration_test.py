#!/usr/bin/python3
"""Each setting in each layer: the README's table, the file, the variable, the flag."""

import os
import re
import subprocess
import unittest

from raw_server import PROGRAM, RawServer

README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../README.md")
# One wrong value of each kind, as TOML.
WRONG = {"whole": ["0.5", '"many"', "-1", "true"], "path": ['"bin/sh"', "5"], "truth": ['"maybe"', "2"],
         "list": ['"A=1"', '["=1"]', "[5]"], "names": ['["A=1"]', "5"], "word": ['"loud"', "1"],
         "prefix": ['"a b"', '"' + "x" * 21 + '"']}


def settings():
    """(table, key, default, values) of each row of the README's table."""
    with open(README, encoding="utf-8") as file:
        rows = re.findall(r"^\| `\[(\w+)\] (\w+)` \| (?:`(\S+)`)? *\| ([^|]+?) \|", file.read(), re.MULTILINE)
    assert len(rows) >= 16, rows
    return rows


def kind(values):
    for part, name in [(" to ", "whole"), ("path", "path"), ("true or false", "truth"), ("NAME=value", "list"),
                       ("list of NAME", "names"), ("at most", "prefix")]:
        if part in values:
            return name
    return "word"


def names(table, key):
    alone = table in ("limits", "session", "results")
    full = key if alone else f"{table}_{key}"
    return "BGSHELL_" + full.upper(), "--" + full.replace("_", "-")


class ConfigurationTest(unittest.TestCase):
    def serve(self, toml="", variables=None, flags=()):
        folder = RawServer.make_folder()
        os.makedirs(folder + "/.config/bgshell")
        with open(folder + "/.config/bgshell/config.toml", "w", encoding="utf-8") as file:
            file.write(toml)
        server = RawServer(variables, folder=folder, arguments=("mcp", *flags))
        server.owns_folder = True
        self.addCleanup(server.close)
        server.initialize("2025-11-25")
        return server

    def warnings(self, *layers):
        server = self.serve(*layers)
        server.close_input()
        return server.process.stderr.read().decode()

    def test_the_readme_tells_what_the_help_tells(self):
        help_text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, timeout=10, check=True).stdout
        flags = set(re.findall(r"(--[a-z-]+)", help_text)) - {"--help", "--version"}
        self.assertEqual(flags, {names(table, key)[1] for table, key, _, _ in settings()})
        for table, key, default, values in settings():
            variable, flag = names(table, key)
            self.assertIn(variable, help_text)
            self.assertIn(flag, help_text)
            if default:
                self.assertRegex(help_text, rf"{re.escape(default)}\b")
            for number in re.findall(r"\d+", values):
                self.assertIn(number, help_text, (key, values))

    def test_a_wrong_value_is_named_in_each_layer(self):
        for table, key, _, values in settings():
            for wrong in WRONG[kind(values)]:
                said = self.warnings(f"\n[{table}]\n{key} = {wrong}\n")
                self.assertIn(f"config.toml:3: [{table}] {key} must be ", said, wrong)
            variable, flag = names(table, key)
            text = WRONG[kind(values)][0].strip('"')
            if kind(values) in ("list", "names"):
                text = "=1"
            self.assertRegex(self.warnings("", {variable: text}), f"{variable} must be ")
            self.assertRegex(self.warnings("", {}, [flag, text]), f"{flag} must be ")

    def test_a_right_value_is_taken_in_each_layer_without_a_word(self):
        right = {"path": "/bin/sh", "truth": "true", "list": "A=1", "names": "A",
                 "prefix": "job_"}
        for table, key, default, values in settings():
            value = right.get(kind(values), default)
            variable, flag = names(table, key)
            quoted = {"whole": value, "truth": value, "list": f'["{value}"]', "names": f'["{value}"]'}
            toml = f"[{table}]\n{key} = {quoted.get(kind(values), chr(34) + value + chr(34))}\n"
            self.assertEqual(self.warnings(toml, {variable: value}, [flag, value]), "")

    def test_each_layer_wins_over_those_before_it_and_a_wrong_value_over_none(self):
        for toml, variable, flag, expected in [
                (None, None, None, 16), (3, None, None, 3), (3, 4, None, 4), (3, 4, 5, 5), (None, None, 5, 5),
                (3, 4, "x", 4), (3, "x", None, 3), (3, "x", "0", 3), ('"x"', None, None, 16), ("257", "", "", 16)]:
            with self.subTest(toml=toml, variable=variable, flag=flag):
                server = self.serve("" if toml is None else f"[limits]\nslots = {toml}\n",
                                    {} if variable is None else {"BGSHELL_SLOTS": str(variable)},
                                    [] if flag is None else ["--slots", str(flag)])
                server.text("start", {"command": "true", "wait_s": 10})
                self.assertIn(f"of {expected} slots", server.text("list"))

    def test_values_have_their_effect(self):
        server = self.serve("[limits]\ndisk_budget_bytes = 104857600\nruntime_limit_s = 60\nruntime_limit_max_s = 120\n"
                            "[env]\nset = [\"COLOUR=red\"]\nunset = [\"HOME\"]\n[results]\ntool_prefix = \"job_\"\n"
                            "structured = \"on\"\n[shell]\npath = \"/bin/sh\"\n")
        tools = server.request("tools/list")["result"]["tools"]
        self.assertEqual(tools[0]["name"], "job_start")
        self.assertIn("outputSchema", tools[0])
        answer = server.call("job_start", {"command": "echo $COLOUR ${HOME-none} $0; ps -o args= $$", "wait_s": 10})
        self.assertIn("\nred none ", answer["content"][0]["text"])
        self.assertIn("/bin/sh ", answer["content"][0]["text"])
        self.assertEqual(answer["structuredContent"]["job"]["runtime_limit_s"], 60)
        long = server.text("job_start", {"command": "sleep 300", "runtime_limit_s": 500, "wait_s": 0})
        self.assertIn("of 2 min", long)
        self.assertIn("runtime_limit_s 120, not 500 (the ceiling)", long)
        self.assertIn("of 100 MiB", server.text("job_list"))

    def test_unknown_keys_tables_flags_and_variables_are_named(self):
        said = self.warnings("slots = 3\n[limit]\nslots = 3\n[limits]\nslot = 3\n", {"BGSHELL_SLOT": "3"})
        self.assertIn("config.toml:1: unknown key", said)
        self.assertIn("config.toml:3: unknown key [limit] slots", said)
        self.assertIn("config.toml:5: unknown key [limits] slot", said)
        self.assertIn("BGSHELL_SLOT", said)
        broken = self.warnings("[limits]\nslots = \n")
        self.assertIn("config.toml:2", broken)
        wrong = subprocess.run([PROGRAM, "mcp", "--slot", "3"], capture_output=True, text=True, timeout=10, check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--slot", wrong.stderr)


if __name__ == "__main__":
    unittest.main()

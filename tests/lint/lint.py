#!/usr/bin/python3
"""Checks the tree against the rules of layers.py and source_rules.py.

lint.py TOP           reports every breach as file:line: text; exit code 1 if there is one
lint.py --self-test   proves each rule on its own examples"""

import os
import re
import sys

import layers
import source_rules as rules

CODE = (".cpp", ".hpp")
SKIPPED = {".git", "build", "node_modules", "corpus", "__pycache__"}


def files_below(top):
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name not in SKIPPED and not os.path.islink(path):
                yield os.path.relpath(path, top)


def breaches(rule, path, text):
    if not rule.only.match(path) or rule.but.match(path):
        return
    for match in rule.pattern.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, f"{rule.name}: {rule.why}"


def check_code(path, source):
    code = rules.blank(source)
    for rule in rules.RULES:
        yield from breaches(rule, path, code)
    lines = source.count("\n")
    if lines > rules.MAX_LINES:
        yield lines, f"length: {lines} lines, at most {rules.MAX_LINES}: one concept, one file"
    if os.path.splitext(os.path.basename(path))[0] in rules.EMPTY_NAMES:
        yield 1, "name: says nothing about what is in it"
    if path.endswith(".hpp") and "#pragma once" not in source:
        yield 1, "header: no #pragma once"
    if path.startswith("server/"):
        yield from check_includes(path, source)


def check_includes(path, source):
    inside = path.removeprefix("server/")
    layer = inside.split("/")[0] if "/" in inside else "app"
    for number, line in enumerate(source.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if not match:
            continue
        complaint = layers.check_include(layer, inside, match[1] or match[2], bool(match[1]))
        if complaint:
            yield number, f"layers: {complaint}"


def check_tree(top):
    found = []
    for path in files_below(top):
        with open(os.path.join(top, path), "rb") as file:
            content = file.read()
        if b"\0" in content[:4096]:
            continue
        source = content.decode("utf-8", "replace")
        for rule in rules.TEXT_RULES:
            found += [(path, *breach) for breach in breaches(rule, path, source)]
        if path.endswith(CODE):
            found += [(path, *breach) for breach in check_code(path, source)]
    server = os.path.join(top, "server")
    found += [(os.path.relpath(file, top), line, f"layers: {text}")
              for file, line, text in layers.check_layers(server)]
    return found


def self_test():
    """Complaints about rules that do not do what their examples say."""
    wrong = []
    for rule in rules.RULES + rules.TEXT_RULES:
        blank = rules.blank if rule in rules.RULES else (lambda text: text)
        wrong += [f"{rule.name} misses: {text}" for text in rule.bad if not rule.pattern.search(blank(text))]
        wrong += [f"{rule.name} flags: {text}" for text in rule.good if rule.pattern.search(blank(text))]
    for case in [("jobs", "jobs/a.cpp", "mcp/x.hpp", True), ("text", "text/a.cpp", "platform/x.hpp", True),
                 ("keeper", "keeper/a.cpp", "store/x.hpp", True), ("jobs", "jobs/a.cpp", "boost/json.hpp", False),
                 ("mcp", "mcp/a.cpp", "sqlite3.h", False), ("jobs", "jobs/a.cpp", "spawn.h", False),
                 ("tools", "tools/a.cpp", "error.hpp", True)]:
        if not layers.check_include(*case):
            wrong.append(f"layers miss: {case}")
    for case in [("jobs", "jobs/a.cpp", "store/x.hpp", True), ("store", "store/a.cpp", "sqlite3.h", False),
                 ("jobs", "jobs/a.cpp", "jobs/x.hpp", True), ("jobs", "jobs/a.cpp", "vector", False)]:
        if layers.check_include(*case):
            wrong.append(f"layers flag: {case}")
    if not layers.check_links("jobs", "bgshell_layer(NAME jobs SOURCES a.cpp PRIVATE bgshell_mcp)")[0]:
        wrong.append("layers miss a link upwards")
    if rules.blank('f("// x"); // y\n/* z */') != 'f("    ");     \n       ':
        wrong.append("comments and literals are not told apart")
    return wrong


def main(arguments):
    if arguments == ["--self-test"]:
        wrong = self_test()
        print("\n".join(wrong) or "every rule holds on its examples")
        return 1 if wrong else 0
    if len(arguments) != 1 or not os.path.isdir(os.path.join(arguments[0], "server")):
        print(__doc__, file=sys.stderr)
        return 2
    found = check_tree(arguments[0])
    for path, line, text in found:
        print(f"{path}:{line}: {text}")
    print(f"{len(found)} breaches")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

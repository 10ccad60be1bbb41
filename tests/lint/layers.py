"""Which layer may include and link what. The table is the layer diagram of the program."""

import os
import re

# Each layer knows only layers of a lower rank; equal ranks do not know each other.
RANK = {
    "platform": 0,
    "text": 0,
    "keeper": 1,
    "store": 2,
    "jobs": 3,
    "tools": 4,
    "mcp": 5,
    "transport": 6,
    "app": 7,
}

# Headers of others -> the files (by pattern, below server/) that alone may include them.
OWNED_HEADERS = [
    (r"sqlite3\.h", r"store/"),
    (r"re2/", r"text/"),
    (r"spawn\.h|sys/wait\.h", r"platform/"),
    (r"boost/beast", r"transport/"),
    (r"boost/json", r"(mcp|tools)/|keeper/\w*record\w*\.|transport/http"),
    (r"boost/process", r"\w+/login_path\w*\.cpp"),
    (r"boost/asio", r"(app|transport|mcp|tools|jobs|store)/|platform/(asio|task_scope)\."),
    (r"CLI/", r"app/command_line\.cpp"),
    (r"toml\+\+/", r"app/config_file\.cpp"),
    (r"spdlog/", r"app/log\.cpp"),
    (r"iostream|regex|fstream", r"$^"),
]

# Libraries of a layer beyond the layers below it.
LIBRARIES = {
    "platform": {"Boost::headers", "bgshell_asio", "Threads::Threads"},
    "text": {"bgshell_re2", "Boost::headers"},
    "keeper": {"Boost::headers", "Boost::json", "Threads::Threads"},
    "store": {"bgshell_sqlite", "bgshell_asio", "Boost::headers", "Threads::Threads"},
    "jobs": {"bgshell_asio", "Boost::headers", "Threads::Threads"},
    "tools": {"Boost::json", "Boost::headers", "bgshell_asio", "bgshell_schemas"},
    "mcp": {"Boost::json", "Boost::headers", "bgshell_asio"},
    "transport": {"bgshell_asio", "Boost::headers"},
    "app": {"bgshell_asio", "bgshell_spdlog", "bgshell_toml", "CLI11::CLI11", "Boost::headers"},
}


def check_include(layer, path, included, ours):
    """The complaint about one #include of the file `path` (relative to server/), or None.

    `ours` tells the two forms apart: "jobs/x.hpp" against <vector>."""
    if ours:
        target = included.split("/")[0]
        if target not in RANK:
            return f'"{included}" names no layer: ours are included from server/, others with <>'
        if target != layer and RANK[target] >= RANK[layer]:
            return f'{layer} may not know {target} ("{included}")'
        return None
    for header, owner in OWNED_HEADERS:
        if re.match(header, included) and not re.match(owner, path):
            return f"<{included}> belongs to {owner}"
    return None


def layer_of(library):
    """The layer of one of our libraries: a layer may be several (keeper_protocol, keeper)."""
    name = library.removeprefix("bgshell_")
    if name == "asio":
        return "platform"
    return next((layer for layer in RANK if name == layer or name.startswith(layer + "_")), None)


def check_links(layer, text):
    """Complaints about the CMakeLists.txt `text` of a layer, and the files it lists."""
    complaints = []
    text = re.sub(r"#[^\n]*", "", text)
    libraries = re.findall(r"bgshell_layer\(\s*NAME\s+(\w+)(.*?)\)", text, re.S)
    if not libraries:
        complaints.append(f"no bgshell_layer(NAME {layer} ...)")
    for name, arguments in libraries:
        if layer_of(name) != layer:
            complaints.append(f"the library {name} is not named after its layer {layer}")
        current = None
        for word in arguments.split():
            if word in ("SOURCES", "HEADERS", "DEPENDS", "PRIVATE"):
                current = word
            elif current in ("DEPENDS", "PRIVATE") and word not in LIBRARIES[layer]:
                target = layer_of(word) if word.startswith("bgshell_") else None
                if target is None or (target != layer and RANK[target] >= RANK[layer]):
                    complaints.append(f"{name} may not link {word}")
    return complaints, set(re.findall(r"[\w/.]+\.[ch]pp", text))


def check_layers(server):
    """All complaints about the folder `server`, as (file, line, text)."""
    found = []
    for layer in sorted(os.listdir(server)):
        folder = os.path.join(server, layer)
        if layer not in RANK or not os.path.isdir(folder):
            continue
        lists = os.path.join(folder, "CMakeLists.txt")
        if not os.path.exists(lists):
            continue
        with open(lists, encoding="utf-8") as file:
            complaints, listed = check_links(layer, file.read())
        found += [(lists, 1, text) for text in complaints]
        for name in sorted(os.listdir(folder)):
            if name.endswith((".cpp", ".hpp")) and name not in listed:
                found.append((os.path.join(folder, name), 1, f"is not listed in {layer}/CMakeLists.txt"))
    return found

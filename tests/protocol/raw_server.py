"""The program at the other end of two pipes, spoken to in raw lines."""

import json
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time

from validate_messages import Validator

PROGRAM = os.environ["BGSHELL_PROGRAM"]
LEGACY = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"


def envelope(version=MODERN, **more):
    return {META + "protocolVersion": version, META + "clientCapabilities": {},
            META + "clientInfo": {"name": "raw", "version": "1"}, **more}


def until(what, look, seconds=10):
    deadline = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what}: not within {seconds} s"
        time.sleep(0.01)


class RawServer:
    """One process with a state directory of its own. `messages` has every line it wrote, parsed."""

    def __init__(self, settings=None, folder=None, arguments=("mcp",), launcher=()):
        self.folder = folder or self.make_folder()
        self.owns_folder = folder is None
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder,
                       "BGSHELL_STATE": self.folder + "/state", "BGSHELL_ORPHAN_GRACE_S": "0",
                       "BGSHELL_SHELL_LOGIN_PATH": "false", **(settings or {})}
        self.process = subprocess.Popen([*launcher, PROGRAM, *arguments], env=environment, bufsize=0,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.messages = []
        self.longest_line = 0
        self.validator = Validator()
        self.revisions = {}  # of answers, by the JSON text of the id
        self.revision = None
        self._buffer = b""
        self._last_id = 0
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.process.stdout, selectors.EVENT_READ)

    @staticmethod
    def make_folder():
        return tempfile.mkdtemp(prefix="bgshell-raw-")

    # -- writing
    def send_bytes(self, data):
        view = memoryview(data)
        while view:
            view = view[self.process.stdin.write(view):]

    def send(self, message):
        self.validator.asked(message)
        if isinstance(message, dict) and "method" in message and "id" in message:
            self.revisions[json.dumps(message["id"])] = self.revision_of(message)
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def revision_of(self, request):
        """The revision that the answer to a request is in; None: that of the handshake."""
        params = request.get("params")
        meta = params.get("_meta", {}) if isinstance(params, dict) else {}
        if META + "protocolVersion" in meta or request["method"] == "server/discover":
            return MODERN
        if request["method"] == "initialize" and isinstance(params, dict):
            asked = params.get("protocolVersion")
            return asked if asked in LEGACY else "2025-11-25"
        return None

    def ask(self, method, params=None, identifier=None):
        """Sends a request and gives its id."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id if identifier is None else identifier, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return message["id"]

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})})

    # -- reading
    def next(self, seconds=10):
        """The next message of any kind."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            if not self._selector.select(max(0, deadline - time.monotonic())):
                raise AssertionError(f"no message within {seconds} s; so far {self._buffer[:200]!r}")
            chunk = self.process.stdout.read(65536)
            if not chunk:
                raise EOFError(f"it ended; stderr: {self.process.stderr.read()!r}")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        assert len(line) <= 4 << 20, "a line of absurd length"
        self.longest_line = max(self.longest_line, len(line) + 1)
        message = json.loads(line.decode("utf-8"))
        self.messages.append(message)
        self.validate(message)
        return message

    def validate(self, message):
        """Every message is one that the official schema of its revision allows."""
        identifier = json.dumps(message.get("id")) if isinstance(message, dict) else None
        revision = self.revisions.get(identifier) or self.revision or "2025-11-25"
        found = self.validator.check(revision, message)
        assert not found, f"{found}: {json.dumps(message)[:500]}"

    def silent(self, seconds=0.2):
        """Whether nothing arrives for a while."""
        return b"\n" not in self._buffer and not self._selector.select(seconds)

    def answer_to(self, identifier, seconds=10):
        """The response with this id; others that come before stay in `messages`."""
        while True:
            message = self.next(seconds)
            if isinstance(message, dict) and message.get("id") == identifier and "method" not in message:
                return message

    def request(self, method, params=None, seconds=10):
        return self.answer_to(self.ask(method, params), seconds)

    # -- sessions
    def initialize(self, revision, name="raw"):
        answer = self.request("initialize", {"protocolVersion": revision, "capabilities": {},
                                             "clientInfo": {"name": name, "version": "1"}})
        self.notify("notifications/initialized")
        self.revision = answer["result"]["protocolVersion"]
        return answer["result"]

    def call(self, tool, arguments=None, seconds=20, meta=None):
        params = {"name": tool, "arguments": arguments or {}}
        if meta:
            params["_meta"] = meta
        return self.request("tools/call", params, seconds)["result"]

    def text(self, tool, arguments=None, seconds=20, meta=None):
        return self.call(tool, arguments, seconds, meta)["content"][0]["text"]

    # -- ends
    def close_input(self):
        """Seconds from the end of its input to its exit."""
        began = time.monotonic()
        self.process.stdin.close()
        self.process.wait(10)
        return time.monotonic() - began

    def processes(self):
        """Processes with our folder in their environment or among their open files."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if int(pid) == os.getpid():
                continue
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    ours = self.folder.encode() in file.read()
                ours = ours or any(os.readlink(f"/proc/{pid}/fd/{fd}").startswith(self.folder)
                                   for fd in os.listdir(f"/proc/{pid}/fd"))
            except OSError:
                continue
            if ours:
                found.append(int(pid))
        return found

    def close(self):
        """Ends it and proves that nothing of it is left."""
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            raise
        self._selector.close()
        if self.owns_folder:
            until("the end of its keepers and jobs", lambda: not self.processes(), 15)
            shutil.rmtree(self.folder)

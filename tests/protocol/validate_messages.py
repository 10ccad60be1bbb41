#!/usr/bin/python3
"""Validates what a server sent against the official schema of the revision in use.

    validate_messages.py FILE...      lines of {"direction": "client" | "server", "revision": R, "message": M}

Messages of the client say what the ids of the server's answers mean; only the server's are judged. Prints
a line for each complaint; exit code 1 if there is any. Beyond the schemas, whose objects are open, a field
that the revision does not define is a complaint, too."""

import functools
import json
import os
import sys

import jsonschema

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemas")
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]

RESULTS = {
    "completion/complete": "CompleteResult",
    "initialize": "InitializeResult",
    "logging/setLevel": "EmptyResult",
    "ping": "EmptyResult",
    "prompts/get": "GetPromptResult",
    "prompts/list": "ListPromptsResult",
    "resources/list": "ListResourcesResult",
    "resources/read": "ReadResourceResult",
    "resources/subscribe": "EmptyResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/unsubscribe": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/call": "CallToolResult",
    "tools/list": "ListToolsResult",
}

# What is inside these is nobody's business but the server's and the client's.
OPEN = {"_meta", "arguments", "data", "experimental", "extensions", "inputSchema", "outputSchema",
        "structuredContent"}


@functools.lru_cache(maxsize=None)
def schema_of(revision):
    with open(os.path.join(FOLDER, revision + ".json"), encoding="utf-8") as file:
        return json.load(file)


def definitions(revision):
    schema = schema_of(revision)
    return schema.get("$defs") or schema["definitions"]


@functools.lru_cache(maxsize=None)
def validator(revision, name):
    """Of one definition, with the whole file to resolve references in."""
    schema = schema_of(revision)
    key = "$defs" if "$defs" in schema else "definitions"
    kind = jsonschema.validators.validator_for(schema)
    return kind({"$schema": schema["$schema"], "$ref": f"#/{key}/{name}", key: schema[key]})


def complaints_of(revision, name, value, frame=False):
    """`frame`: what is inside is judged by another definition."""
    if name not in definitions(revision):
        return [f"{revision} has no {name}"]
    found = [f"{name}: {error.message} at /{'/'.join(map(str, error.absolute_path))}"
             for error in validator(revision, name).iter_errors(value)]
    return found if found or frame else list(unknown_fields(revision, definitions(revision)[name], value, name))


def unknown_fields(revision, schema, value, path):
    """Fields that the revision does not define; `value` is valid."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        yield from unknown_fields(revision, definitions(revision)[name], value, path)
    elif "anyOf" in schema:
        attempts = [list(unknown_fields(revision, each, value, path))
                    for each in schema["anyOf"] if fits(revision, each, value)]
        yield from min(attempts, key=len, default=[])
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for index, entry in enumerate(value):
            yield from unknown_fields(revision, schema["items"], entry, f"{path}/{index}")
    elif isinstance(value, dict) and "properties" in schema:
        for key, entry in value.items():
            if key not in schema["properties"]:
                yield f"{path} has a field {key!r} that {revision} does not define"
            elif key not in OPEN:
                yield from unknown_fields(revision, schema["properties"][key], entry, f"{path}/{key}")


def fits(revision, schema, value):
    if "$ref" in schema:
        return validator(revision, schema["$ref"].rsplit("/", 1)[1]).is_valid(value)
    return jsonschema.validators.validator_for(schema_of(revision))(schema).is_valid(value)


@functools.lru_cache(maxsize=None)
def notifications(revision):
    """Definition by method, of what a server may send."""
    table = {}
    names = definitions(revision)["ServerNotification"]["anyOf"]
    for name in (each["$ref"].rsplit("/", 1)[1] for each in names):
        table[definitions(revision)[name]["properties"]["method"]["const"]] = name
    return table


class Validator:
    """One connection. Give it each message of the client by `asked`, each of the server to `check`."""

    def __init__(self):
        self.methods = {}  # by the JSON text of the id

    def asked(self, message):
        for each in message if isinstance(message, list) else [message]:
            if isinstance(each, dict) and "method" in each and "id" in each:
                self.methods[json.dumps(each["id"])] = each["method"]

    def check(self, revision, message):
        """The complaints about one message of the server in `revision`."""
        if isinstance(message, list):
            if revision != "2025-03-26":
                return ["a batch outside of 2025-03-26"]
            return [text for each in message for text in self.check(revision, each)] or (
                [] if message else ["an empty batch"])
        if "method" in message:
            return self._check_notification(revision, message)
        if "error" in message:
            return self._check_error(revision, message)
        return self._check_result(revision, message)

    def _check_notification(self, revision, message):
        if "id" in message:
            return ["a request to the client"]
        name = notifications(revision).get(message["method"])
        if name is None:
            return [f"{revision} has no {message['method']}"]
        if "message" in message.get("params", {}) and message["method"] == "notifications/progress" \
                and revision == "2024-11-05":
            return ["progress with a message, which 2024-11-05 does not define"]
        envelope = complaints_of(revision, "JSONRPCNotification", message, frame=True)
        return envelope or complaints_of(revision, name, self._without_frame(revision, name, message))

    def _check_error(self, revision, message):
        newer = "JSONRPCErrorResponse" in definitions(revision)
        if "id" not in message and not newer:
            # These schemas demand an id, and nothing but an absent one is right where it is not known.
            message = {**message, "id": 0}
        return complaints_of(revision, "JSONRPCErrorResponse" if newer else "JSONRPCError", message)

    def _check_result(self, revision, message):
        newer = "JSONRPCResultResponse" in definitions(revision)
        name = "JSONRPCResultResponse" if newer else "JSONRPCResponse"
        complaints = complaints_of(revision, name, message, frame=True)
        if complaints:
            return complaints
        method = self.methods.get(json.dumps(message["id"]))
        if method is None:
            return [f"an answer to nothing: id {message['id']!r}"]
        name = RESULTS.get(method)
        if name is None:
            return [f"a result of {method}, which is not known here"]
        if name == "EmptyResult" and revision != REVISIONS[-1] and message["result"] != {}:
            return [f"the result of {method} is not empty"]
        return complaints_of(revision, name, message["result"])

    @staticmethod
    def _without_frame(revision, name, message):
        """Older definitions of notifications leave jsonrpc to the frame."""
        known = definitions(revision)[name]["properties"]
        return {key: value for key, value in message.items() if key in known or key != "jsonrpc"}


def main(paths):
    count = 0
    for path in paths:
        connection = Validator()
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                record = json.loads(line)
                if record["direction"] == "client":
                    connection.asked(record["message"])
                    continue
                for complaint in connection.check(record["revision"], record["message"]):
                    print(f"{path}:{number}: {complaint}")
                    count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

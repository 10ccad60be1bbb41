#!/usr/bin/python3
"""schema_oracle_test.py PROBE: holds the tools' schema check against the jsonschema package.

1. On generated schemas of the keyword subset and generated values, both say the same.
2. On the published input schemas and generated arguments, both say the same.
3. The structure of every sample answer conforms to its published output schema, and has no member that
   the schema does not name.
"""

import json
import random
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("python3-jsonschema is missing: apt-get install python3-jsonschema")

WORDS = ["a", "b", "TERM", "id", "ids", ""]
NUMBERS = [0, 1, -1, 2, 50, 50.0, 0.5, -0.0, 1e300, -3.7, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)]


def some_schema(rng, depth):
    schema = {}
    if rng.random() < 0.8:
        schema["type"] = rng.choice(["object", "array", "string", "boolean", "integer", "number"])
    if rng.random() < 0.2:
        schema["description"] = "x"
    if rng.random() < 0.2:
        schema["enum"] = rng.sample(WORDS, rng.randint(1, 3))
    if rng.random() < 0.3:
        schema["minimum"] = rng.choice(NUMBERS)
    if rng.random() < 0.3:
        schema["maximum"] = rng.choice(NUMBERS)
    if depth > 0 and rng.random() < 0.5:
        schema["items"] = some_schema(rng, depth - 1)
    if depth > 0 and rng.random() < 0.5:
        names = rng.sample(WORDS, 3)
        schema["properties"] = {name: some_schema(rng, depth - 1) for name in names}
    if rng.random() < 0.3:
        schema["required"] = rng.sample(WORDS, rng.randint(0, 2))
    return schema


def some_value(rng, depth):
    kind = rng.randint(0, 6 if depth > 0 else 4)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind <= 2:
        return rng.choice(NUMBERS)
    if kind <= 4:
        return rng.choice(WORDS)
    if kind == 5:
        return [some_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return {name: some_value(rng, depth - 1) for name in rng.sample(WORDS, rng.randint(0, 3))}


def fitting(rng, schema):
    """A value that mostly fits `schema`: without it nearly all values would be refused."""
    if rng.random() < 0.1:
        return some_value(rng, 2)
    if "enum" in schema and rng.random() < 0.9:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "string":
        return rng.choice(WORDS)
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        low, high = schema.get("minimum", -5), schema.get("maximum", 5)
        edges = [low, high, low - 1, high + 1, (low + high) / 2]
        number = rng.choice(edges + NUMBERS)
        # Integers beyond 64 bits are doubles to the one side, not to the other.
        return number if -(2**63) <= number < 2**64 else float(number)
    if kind == "array":
        return [fitting(rng, schema.get("items", {})) for _ in range(rng.randint(0, 3))]
    if kind == "object":
        names = [name for name in schema.get("properties", {}) if rng.random() < 0.6]
        names += [name for name in schema.get("required", []) if rng.random() < 0.95]
        return {name: fitting(rng, schema.get("properties", {}).get(name, {})) for name in names}
    return some_value(rng, 2)


def answers(probe, cases):
    text = "".join(json.dumps({"schema": s, "value": v}) + "\n" for s, v in cases)
    done = subprocess.run([probe, "check"], input=text, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.split()


def compare(probe, cases, least_share):
    said = answers(probe, cases)
    assert len(said) == len(cases), (len(said), len(cases))
    good = 0
    for (schema, value), ours in zip(cases, said):
        theirs = jsonschema.Draft202012Validator(schema).is_valid(value)
        good += theirs
        if theirs != (ours == "1"):
            sys.exit(f"they say {theirs}, we say {ours}:\n{json.dumps(schema)}\n{json.dumps(value)}")
    # A generator whose values all fit, or none, would compare nothing.
    share = good / len(cases)
    assert least_share < share < 1 - least_share, share


def unnamed(schema, value):
    """Members of `value` that `schema` does not name, as paths."""
    if isinstance(value, dict):
        for name, member in value.items():
            if name not in schema.get("properties", {}):
                yield name
            else:
                yield from (f"{name}.{path}" for path in unnamed(schema["properties"][name], member))
    elif isinstance(value, list):
        for item in value:
            yield from unnamed(schema.get("items", {}), item)


def main(probe):
    rng = random.Random(20261130)
    cases = []
    for _ in range(3000):
        schema = some_schema(rng, 2)
        cases.append((schema, fitting(rng, schema)))
    compare(probe, cases, 0.1)

    done = subprocess.run([probe, "samples"], capture_output=True, text=True, timeout=60, check=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    inputs = [line["schema"] for line in lines if line["tool"].endswith(" input")]
    assert len(inputs) == 6, len(inputs)
    compare(probe, [(schema, fitting(rng, schema)) for schema in inputs for _ in range(500)], 0.05)

    samples = [line for line in lines if not line["tool"].endswith(" input")]
    assert len(samples) > 20, len(samples)
    for sample in samples:
        jsonschema.Draft202012Validator.check_schema(sample["schema"])
        jsonschema.validate(sample["value"], sample["schema"], cls=jsonschema.Draft202012Validator)
        extra = sorted(set(unnamed(sample["schema"], sample["value"])))
        assert not extra, (sample["tool"], extra)
        assert next(iter(sample["value"])) == "summary", sample["tool"]
    print(f"{len(cases) + 3000} comparisons, {len(samples)} samples")


if __name__ == "__main__":
    main(sys.argv[1])

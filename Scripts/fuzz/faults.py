"""Faults: the findings of the fuzzer, stored so that they can be replayed."""
import base64
import json
import os


class Fault(Exception):
    """Wrong behaviour of the product.

    The kind is a short constant such as "crash" or "wrong answer"; the minimiser keeps an input as long as its fault has
    the same kind. The detail describes the expected and the actual behaviour.
    """

    def __init__(self, kind, detail):
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


def expect_equal(actual, expected, what):
    """Raises a fault if an answer differs from that of the oracle."""
    if actual != expected:
        raise Fault("wrong answer", f"{what}\n  expected {shorten(expected)}\n  actual   {shorten(actual)}")


def shorten(value, limit=1500):
    """Returns a value as text of bounded length."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def encoded(value):
    """Returns an input as JSON: bytes become {"$bytes": Base64}."""
    def convert(part):
        if isinstance(part, bytes):
            return {"$bytes": base64.b64encode(part).decode()}
        if isinstance(part, (list, tuple)):
            return [convert(item) for item in part]
        if isinstance(part, dict):
            return {key: convert(item) for key, item in part.items()}
        return part
    return json.dumps(convert(value), indent=1)


def decoded(text):
    """Returns the input that `encoded` wrote."""
    def convert(part):
        return base64.b64decode(part["$bytes"]) if set(part) == {"$bytes"} else part
    return json.loads(text, object_hook=convert)


def store(folder, name, case, fault, given, files):
    """Writes a fault to a new folder and returns the folder.

    The folder contains `input.json`, which `--input` reads, `fault.txt`, and the files needed to reproduce the fault
    manually.
    """
    path = os.path.join(folder, name)
    os.makedirs(path, exist_ok=True)
    contents = {"input.json": encoded(given), "fault.txt": f"{case}\n{fault.kind}: {fault.detail}\n", **files}
    for file, content in contents.items():
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        with open(os.path.join(path, file), "wb") as output:
            output.write(data)
    return path

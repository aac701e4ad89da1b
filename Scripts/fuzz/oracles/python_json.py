"""Python's JSON parser, restricted to RFC 8259 and the documented limits."""
import json
import sys

MAXIMUM_DEPTH = 1000
# Python counts nested values and function calls together; its default limit of 1,000 would be reached first.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MAXIMUM_DEPTH))
MAXIMUM_INTEGER = 1 << 64


class Invalid(ValueError):
    """Raised if a text is not JSON that can be stored as a document."""


def parse_document(text):
    """Returns the object of a text. Raises Invalid if it is not a valid document."""
    if depth_of(text) > MAXIMUM_DEPTH + 200:
        raise Invalid("too deep")
    try:
        made = json.loads(text, parse_constant=reject)
    except RecursionError:
        raise Invalid("too deep") from None
    except ValueError as error:
        raise Invalid(str(error)) from None
    if not isinstance(made, dict):
        raise Invalid("not an object")
    if depth(made) > MAXIMUM_DEPTH:
        raise Invalid("too deep")
    check(made)
    return made


def reject(name):
    raise Invalid(f"{name} is not JSON")


def depth_of(text):
    """Returns an upper bound on the depth, without recursion."""
    level = most = 0
    for character in text:
        level += (character in "[{") - (character in "]}")
        most = max(most, level)
    return most


def depth(made):
    """Returns the nesting depth of arrays and objects."""
    level, current = 0, [made]
    while current:
        current = [child for value in current for child in (value.values() if isinstance(value, dict) else value)
                   if isinstance(child, (dict, list))]
        level += 1
    return level


def check(made):
    """Raises Invalid for strings that are not Unicode and numbers that are too large."""
    pending = [made]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
            raise Invalid("a lone surrogate")
        elif isinstance(value, float) and value in (float("inf"), float("-inf")):
            raise Invalid("a number that is too large")

"""Checks messages for text that they must not contain."""
import re

from faults import Fault, shorten

# Internal messages of SQLite, the Swift runtime and Foundation.
INTERNAL = re.compile(
    r"no such (?:column|table|function|module|collation|index)|near \"[^\"]*\": syntax error|SQLITE_[A-Z]+"
    r"|SQLite error|SQL logic error|ambiguous column name|bad parameter or other API misuse|unrecognized token"
    r"|too many SQL variables|Expression tree is too large|datatype mismatch"
    r"|wrong number of arguments to function|misuse of aggregate|parse error near|malformed MATCH expression"
    r"|fts5: |vtable constructor failed|string or blob too big|malformed JSON"
    r"|[Ff]atal error|Swift runtime failure|unexpectedly found nil|Index out of range|Optional\(|Error Domain="
    r"|Stack dump|DecodingError|EncodingError|NSCocoaError|The operation could ?n.t be completed")

# A damaged file is reported with SQLite's finding in parentheses.
DAMAGE = re.compile(r"the file is damaged \(.*\)", re.DOTALL)

# C0 and C1 control characters except line feed and tab.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def check_text(message, given=""):
    """Raises a fault if a message contains internal text, unless the input contains the same text.

    A colon follows the names of files in messages but not in the input.
    """
    for found in INTERNAL.finditer(DAMAGE.sub("", message)):
        if found.group().removesuffix(": ") not in given:
            raise Fault("internal message", f"{found.group()!r} in {shorten(message)}")


def check_printed(messages, given=""):
    """Raises a fault if the standard error is not UTF-8, or contains control characters or an internal message."""
    try:
        text = messages.decode()
    except UnicodeDecodeError:
        raise Fault("unreadable message", f"not UTF-8: {shorten(messages)}") from None
    found = CONTROL.search(text)
    if found:
        raise Fault("control character", f"{found.group()!r} in {shorten(text)}")
    check_text(text, given)

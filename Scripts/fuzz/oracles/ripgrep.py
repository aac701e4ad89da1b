"""Runs ripgrep on the indexed files."""
import re
import shutil

from process import run

FIXED = ["--color", "never", "--no-heading", "--null", "--with-filename", "--no-context-separator"]


def find():
    """Returns the path of rg, or None if it is not installed."""
    return shutil.which("rg")


def search(program, arguments, folder, needs_pcre2):
    """Returns the exit status and the lines sorted by file."""
    engine = ["-P"] if needs_pcre2 else []
    outcome = run(program, ["--no-config", "-uuu", *engine, *FIXED, *arguments], folder)
    return outcome.status, sorted_lines(outcome.output)


def sorted_lines(output):
    """Sorts lines by file, keeping the order within a file. With -l, each name ends with NUL and has no line break."""
    files = {}
    for row in re.split(rb"\n", output):
        for part in row.split(b"\0")[:-1] if row.endswith(b"\0") else [row]:
            name, _, rest = part.partition(b"\0")
            files.setdefault(name, []).append(rest)
    return sorted(files.items())

"""ripgrep over the files that were indexed."""
import re
import shutil

from process import run

FIXED = ["--color", "never", "--no-heading", "--null", "--with-filename", "--no-context-separator"]


def find():
    """The path of rg, or None if it is not installed."""
    return shutil.which("rg")


def search(program, arguments, folder, needs_pcre2):
    """The exit status, and the sorted lines; those that name a file come first by its name."""
    engine = ["-P"] if needs_pcre2 else []
    outcome = run(program, ["--no-config", "-uuu", *engine, *FIXED, *arguments], folder)
    return outcome.status, sorted_lines(outcome.output)


def sorted_lines(output):
    """The lines of each file in their order, files by name. The names that -l prints end with NUL alone."""
    files = {}
    for row in re.split(rb"\n", output):
        for part in row.split(b"\0")[:-1] if row.endswith(b"\0") else [row]:
            name, _, rest = part.partition(b"\0")
            files.setdefault(name, []).append(rest)
    return sorted(files.items())

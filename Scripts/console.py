#!/usr/bin/env python3
"""Runs the console examples of the documents and compares their output with the pages.

    Scripts/console.py PAGE…            compare; exit status 1 if an example differs
    Scripts/console.py --update PAGE…   write the actual output into the pages

An example is a block fenced as ```console: lines that begin with "$ " are commands ("> " continues a command), the lines
below them are the output, including messages. The blocks of a page run in order in a temporary folder that contains a
copy of Corpora, on a terminal with 100 columns and no colours. A line "…" matches any number of lines. Times, sizes
and speeds are not compared. A page without examples is reported, because a damaged fence would hide them, unless
WITHOUT_EXAMPLES lists it.
"""

import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import fcntl

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLUMNS = 100
FENCE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
# 3.1 ms, 58.3 kB, 4.0 MB/s
SPEED = re.compile(r"\d+(?:\.\d+)? (B|kB|MB|GB)/s")
QUANTITY = re.compile(r"\d+(?:\.\d+)? (ms|s|B|kB|MB|GB)\b")
WITHOUT_EXAMPLES = {
    "Corpora/handbook/" + name + ".md"
    for name in ("README", "documents", "library", "limits", "postgresql", "query-builder", "replication", "sqlpp")
}


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    pages = [argument for argument in arguments if not argument.startswith("-")]
    if not pages:
        sys.exit(__doc__)
    concord = os.path.abspath(os.environ.get("CONCORD", os.path.join(ROOT, ".build/release/concord")))
    if not os.access(concord, os.X_OK):
        sys.exit(f"{concord}: not found; build it with `make build`")
    wrong = 0
    empty = [page for page in pages if has_no_examples(page)]
    for page in empty:
        print(f"{page}: has no examples; if that is intended, add it to WITHOUT_EXAMPLES in Scripts/console.py")
    for page in pages:
        wrong += check(page, concord, update)
    if empty and not wrong:
        sys.exit(1)
    if wrong:
        sys.exit(f"{wrong} {'example differs' if wrong == 1 else 'examples differ'}")


def has_no_examples(page):
    """Returns whether a page has no examples and is not listed as one without."""
    if os.path.relpath(os.path.abspath(page), ROOT) in WITHOUT_EXAMPLES:
        return False
    with open(page, encoding="utf-8") as file:
        return FENCE.search(file.read()) is None


def check(page, concord, update):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    folder = tempfile.mkdtemp(prefix="concord-console-")
    wrong = 0

    def run_block(match):
        nonlocal wrong
        parts = []
        for command, expected in steps(match[1]):
            actual = run(command, folder, concord)
            if expected == ["…"] or matches(expected, actual):
                # Output that differs only in times is kept, so that pages do not change with every run.
                parts += [command, expected]
                continue
            wrong += 1
            if not update:
                print(f"{page}: $ {command}")
                print("\n".join("  - " + line for line in expected))
                print("\n".join("  + " + line for line in actual))
            parts += [command, actual]
        lines = []
        for command, output in zip(parts[::2], parts[1::2]):
            lines.append("$ " + command.replace("\n", "\n> "))
            lines += output
        return "```console\n" + "".join(line + "\n" for line in lines) + "```"

    try:
        shutil.copytree(os.path.join(ROOT, "Corpora"), os.path.join(folder, "Corpora"))
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(concord, os.path.join(folder, ".bin/concord"))
        result = FENCE.sub(run_block, text)
    finally:
        shutil.rmtree(folder)
    if update:
        if result != text:
            with open(page, "w", encoding="utf-8") as file:
                file.write(result)
            print(f"{page}: {wrong} updated")
        return 0
    return wrong


def steps(block):
    """Returns the commands of a block, each with the lines below it."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        elif found:
            found[-1][1].append(line)
    return found


def run(command, folder, concord):
    """Returns the output of a command on a terminal, as lines."""
    environment = {
        "PATH": os.path.join(folder, ".bin") + ":" + os.environ["PATH"],
        "HOME": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    }
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        close_fds=True)
    os.close(slave)
    output = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        output += piece
    process.wait(timeout=60)
    os.close(master)
    # jq prints colours on every terminal.
    text = re.sub(r"\x1b\[[0-9;]*m", "", output.decode("utf-8"))
    lines = text.replace("\r\n", "\n").replace(folder + "/", "").split("\n")
    return [line.rstrip() for line in (lines[:-1] if lines[-1] == "" else lines)]


def matches(expected, actual):
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line == "…" else re.escape(comparable(line)) + r"\n" for line in expected)
    return re.fullmatch(pattern, "".join(comparable(line) + "\n" for line in actual)) is not None


def comparable(line):
    return re.sub(r"\s+", " ", QUANTITY.sub(r"N \1", SPEED.sub("N B/s", line))).rstrip()


if __name__ == "__main__":
    main()

"""Compares `concord grep` and the pattern index with ripgrep and codesearch on a source tree.

It measures whole processes, with the files and the database in the page cache. It also compares the lines that concord
and ripgrep find in the files that the database contains byte for byte (Scripts/check_grep.py), and fails if they differ.
"""
import os
import shutil
import sys

from processes import medians, run, timed

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Scripts"))
import check_grep  # noqa: E402

PATTERNS = [
    ("a rare literal", [], "usb_serial_generic_write_bulk_callback"),
    ("an alternative and a class", [], r"EXPORT_SYMBOL_GPL\(usb_\w+\)"),
    ("names of files", ["-l"], r"spin_(lock|unlock)_irq\w+"),
    ("white space", [], r"struct\s+\w+_ops\s*="),
    ("no trigram", [], "[0-9]{7,}"),
]
ROUNDS = 15


def missing_program():
    """Returns the first peer that is not installed, or None."""
    return next((program for program in ("rg", "cindex", "csearch") if shutil.which(program) is None), None)


def megabytes(size):
    return f"{size / 1e6:,.0f} MB"


def measure(options, folder):
    """Runs the measurements and returns the table as text."""
    tree = os.path.abspath(options.tree)
    database = os.path.abspath(options.database or os.path.join(folder, "patterns.concord"))
    environment = {"CSEARCHINDEX": os.path.join(folder, "csearch")}
    concord = [options.concord, "-d", database]
    if not os.path.exists(database):
        # Status 2: a few files of the tree do not have the format of their extension; they are reported and skipped.
        timed([*concord, "-q", "index", "--no-ignore", "--hidden", tree], statuses=(0, 2))
    _, peer_seconds = timed(["cindex", tree], environment)
    files = check_grep.comparable_files(database, tree)

    (built,), _ = run(options.program, "patterns", database)
    text = built["textBytes"]
    rows = [measure_pattern(options, concord, tree, files, environment, *pattern) for pattern in PATTERNS]
    peer_size = os.path.getsize(environment["CSEARCHINDEX"])
    return table(rows) + (
        f"\n{len(files):,} files, {built['documents']:,} documents with {megabytes(text)} of text. Building the pattern index takes "
        f"{built['seconds']:.1f} s: {text / built['seconds'] / 1e6:.0f} MB/s, or "
        f"{text / built['processorSeconds'] / 1e6:.0f} MB per CPU second. Its size is "
        f"{megabytes(built['indexBytes'])}, {built['indexBytes'] / text:.1%} of the text. codesearch's index takes "
        f"{peer_seconds:.1f} s and {megabytes(peer_size)}. The database with documents, full-text and pattern index is "
        f"{os.path.getsize(database) / text:.2f} times the size of the text.\n")


def measure_pattern(options, concord, tree, files, environment, name, flags, pattern):
    arguments = flags or ["-n"]
    always = check_grep.ALWAYS
    parse = check_grep.files_only if flags else check_grep.lines_by_file
    mine, theirs = (
        parse(timed([*command, *always, *arguments, pattern, tree])[0], files)
        for command in ([*concord, "grep"], ["rg", "--no-config", "-uuu"]))
    difference = check_grep.difference(mine, theirs)
    if difference:
        sys.exit(f"bench: {pattern}: concord grep and rg differ\n{difference}")
    times = medians(
        [[*concord, "grep", *arguments, pattern], ["rg", "--no-config", "-uuu", *arguments, pattern, tree],
         ["csearch", *arguments, pattern]],
        ROUNDS, environment)
    (inside,), _ = run(options.program, "grep", concord[-1], pattern)
    found = len(mine) if flags else sum(map(len, mine.values()))
    label = f"{name}: `{' '.join([*flags, pattern])}`".replace("|", "\\|")
    return label, found, times, inside


def measure_scan(options, database, files, pattern):
    """Measures a pattern that an index does not speed up. Returns the number of lines, and the seconds of concord and rg -P."""
    tree = os.path.abspath(options.tree)
    commands = [[options.concord, "-d", database, "grep", "-n"], ["rg", "--no-config", "-uuu", "-P", "-n"]]
    mine, theirs = (
        check_grep.lines_by_file(timed([*command, *check_grep.ALWAYS, "--", pattern, tree])[0], files)
        for command in commands)
    difference = check_grep.difference(mine, theirs)
    if difference:
        sys.exit(f"bench: {pattern}: concord grep and rg -P differ\n{difference}")
    return sum(map(len, mine.values())), medians(
        [[*commands[0], "--", pattern], [*commands[1], "--", pattern, tree]], options.rounds)


def milliseconds(value):
    return f"{value:,.0f} ms" if value >= 10 else f"{value:.1f} ms"


def table(rows):
    text = ("| pattern | found | Concordance | ripgrep | codesearch | Concordance / ripgrep | Concordance / codesearch "
            "| lines, database open | query for documents |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n")
    for label, found, (mine, ripgrep, codesearch), inside in rows:
        cells = [milliseconds(seconds * 1000) for seconds in (mine, ripgrep, codesearch)]
        cells += [f"{mine / ripgrep:.2f}", f"{mine / codesearch:.2f}", milliseconds(inside["lineMilliseconds"]),
                  milliseconds(inside["queryMilliseconds"])]
        text += f"| {label} | {found:,} | {' | '.join(cells)} |\n"
    return text

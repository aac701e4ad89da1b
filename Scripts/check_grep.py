#!/usr/bin/env python3
"""Compares the results of `concord grep` on a database with those of `rg -uuu` on the folder that was indexed.

    concord -d linux.concord index --no-ignore --hidden .corpora/linux
    Scripts/check_grep.py linux.concord .corpora/linux

Name the folder as in `concord index`, so that ids equal paths. Only files whose bytes equal the text in the database are
compared: binary files, files in other character sets and files of records are excluded on both sides. Each difference is
printed with the first lines that only one side has; the exit status is then 1.
"""
import argparse
import os
import re
import sqlite3
import subprocess
import sys
import time

import check_grep_cases

ALWAYS = ["--color", "never", "--no-heading", "--null", "--with-filename", "--no-context-separator"]
SHOWN = 3


def comparable_files(database, folder):
    """Returns the ids of documents whose text equals the bytes of a file in the folder."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    documents = connection.execute(
        """SELECT id, CAST(json_extract(body, '$.text') AS BLOB) FROM "_default._default"
           WHERE deleted = 0 AND json_type(body, '$.text') = 'text'""")
    prefix = folder + "/"
    found = set()
    for path, text in documents:
        if not path.startswith(prefix) or b"\0" in text:
            continue
        try:
            with open(path, "rb") as file:
                if file.read() == text:
                    found.add(os.fsencode(path))
        except OSError:
            # The id of a record, or a deleted file.
            continue
    connection.close()
    return found


def run(command):
    """Runs a command and returns its output, messages, exit status and elapsed time."""
    start = time.perf_counter()
    process = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return process, time.perf_counter() - start


def lines_by_file(output, files):
    """Returns the lines of each file in order, without the file's name."""
    found = {}
    for line in output.split(b"\n"):
        path, separator, rest = line.partition(b"\0")
        if separator and path in files:
            found.setdefault(path, []).append(rest)
    return found


def files_only(output, files):
    """Returns the files of a list of names."""
    return {path: [] for path in output.split(b"\0") if path in files}


def difference(mine, theirs):
    """Returns the first lines that only one side has, as text; None if both sides are equal."""
    if mine == theirs:
        return None
    text = []
    count = 0
    for path in sorted(mine.keys() | theirs.keys()):
        ours, other = mine.get(path), theirs.get(path)
        if ours == other:
            continue
        count += 1
        if count > SHOWN:
            continue
        for name, one, two in (("concord", ours, other), ("rg", other, ours)):
            known = set(two or [])
            only = [line for line in one or [] if line not in known]
            if one is not None and (only or two is None):
                line = (only or [b""])[0][:200].decode(errors="replace")
                text.append(f"    only {name}: {os.fsdecode(path)}: {line}")
        if ours is not None and other is not None and set(ours) == set(other):
            text.append(f"    different order or number of lines: {os.fsdecode(path)}: {len(ours)}, {len(other)}")
    return f"  {count} files differ\n" + "\n".join(text)


def check(case, options, files):
    """Runs one case on both sides and returns the differences."""
    paths = [os.path.join(options.folder, path) for path in case.paths] or [options.folder]
    parse = files_only if case.is_list else lines_by_file
    theirs, their_time = run(
        ["rg", "--no-config", "-uuu", *ALWAYS, *case.ripgrep, *case.arguments, "--", *case.pattern, *paths])
    if theirs.returncode not in (0, 1):
        return [f"rg: exit status {theirs.returncode}: {theirs.stderr.decode(errors='replace').strip()[:500]}"], 0
    expected = parse(theirs.stdout, files)
    faults = []
    mine_time = 0
    for index in [[], ["--no-index"]] if options.both or case.scans else [[]]:
        mine, seconds = run(
            [options.program, "-d", options.database, "grep", *ALWAYS, *index, *case.arguments, "--", *case.pattern,
             *paths])
        mine_time = mine_time or seconds
        name = " ".join(index)
        if mine.returncode not in (0, 1):
            faults.append(f"{name} exit status {mine.returncode}: {mine.stderr.decode(errors='replace').strip()[:500]}")
        text = difference(parse(mine.stdout, files), expected)
        if text:
            faults.append(f"{name}\n{text}")
    count = sum(map(len, expected.values())) or len(expected)
    print(f"{'ok  ' if not faults else 'FAIL'} {count:>9,} {mine_time:7.2f} s {their_time:7.2f} s  {case}", flush=True)
    return faults, count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("folder", help="the folder, named as in `concord index`")
    parser.add_argument("--program", default=".build/release/concord")
    parser.add_argument("--both", action="store_true", help="also run every pattern without the index")
    parser.add_argument("--only", default="", help="run only cases whose arguments match this regular expression")
    options = parser.parse_args()
    options.folder = options.folder.rstrip("/")

    files = comparable_files(options.database, options.folder)
    if not files:
        sys.exit(f"check_grep: no document in {options.database} is a file in {options.folder}")
    print(f"{len(files):,} files; columns: lines or files found, seconds of concord, seconds of rg")
    failed = 0
    cases = [case for case in check_grep_cases.CASES if re.search(options.only, str(case))]
    for case in cases:
        faults, count = check(case, options, files)
        for fault in faults:
            print("  " + fault)
        if not faults and count == 0 and not case.may_be_empty:
            print("  rg finds nothing, so the case tests nothing")
            faults = ["empty"]
        failed += bool(faults)
    print(f"{len(cases)} cases, {failed} differ")
    sys.exit(1 if failed or not cases else 0)


if __name__ == "__main__":
    main()

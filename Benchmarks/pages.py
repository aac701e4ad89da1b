"""Writes measured tables into the documents: all of them into docs/benchmarks.md, a selection into README.md.

    python3 pages.py    writes the table of the README again from docs/benchmarks.md

The tables are between comments: `<!-- bench NAME -->` and `<!-- /bench NAME -->`.
"""
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BENCHMARKS = os.path.join(ROOT, "docs", "benchmarks.md")
README = os.path.join(ROOT, "README.md")

FASTER, MEMORY = "times as fast", "times as much"
# The rows of the README: the table, the beginning of the row's label, the label in the README (`{hits}` is the number of hits in
# the row), the peer, the column of the peer, and the meaning of the ratio.
SUMMARY = [
    ("bench", "indexing", "indexing documents of 1 kB", "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench", "peak memory", "peak memory while indexing", "SQLite FTS5", "SQLite FTS5", MEMORY),
    ("bench", "a common word", "search for `return`: ten best of {hits} hits, with snippets", "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench", "two words", "search for `memory AND barrier`: ten best of {hits} hits, with snippets",
     "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench ranking", "`struct AND device`", "ranking alone, no documents read: `struct AND device`, {hits} hits",
     "Tantivy", "Tantivy", FASTER),
    ("bench queries", "counting by a property without", "counting 100,000 documents by a property, no index",
     "`json_extract`", "SQLite", FASTER),
    ("bench patterns", "an alternative", "`grep 'EXPORT_SYMBOL_GPL\\(usb_\\w+\\)'` in the Linux source",
     "ripgrep", "ripgrep", FASTER),
    ("bench patterns", "no trigram", "`grep '[0-9]{{7,}}'`, for which an index is of no use", "ripgrep", "ripgrep", FASTER),
]


def section(page, mark):
    """The text between the comments of a table, with what is before and after it."""
    before, rest = page.split(f"<!-- {mark} -->\n")
    text, after = rest.split(f"<!-- /{mark} -->")
    return before, text, after


def write_table(path, mark, text):
    with open(path, encoding="utf-8") as file:
        before, _, after = section(file.read(), mark)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}<!-- {mark} -->\n{text}<!-- /{mark} -->{after}")


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def row(page, mark, label):
    """The row whose first cell begins with a label, as a dictionary by the headings of the columns."""
    lines = [line for line in section(page, mark)[1].splitlines() if line.startswith("|")]
    heading = cells(lines[0])
    found = next((cells(line) for line in lines[2:] if cells(line)[0].startswith(label)), None)
    if found is None:
        raise SystemExit(f"pages: docs/benchmarks.md has no row {label!r} between the comments {mark!r}")
    return dict(zip(heading, found))


def number(cell):
    return float(re.match(r"[\d,.]+", cell)[0].replace(",", ""))


def summary(page):
    """The table of the README, from the page of all tables."""
    text = "| task | Concordance | compared with | ratio |\n|---|---:|---:|---:|\n"
    for mark, label, name, peer, column, meaning in SUMMARY:
        found = row(page, mark, label)
        mine, theirs = found["Concordance"], found[column]
        if theirs == "-":
            continue  # This peer was not installed.
        # Speeds and memory: ours over theirs. Times: theirs over ours.
        ratio = number(mine) / number(theirs)
        if mine.endswith("ms"):
            ratio = 1 / ratio
        digits = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}"
        hits = found.get("hits") or next(iter(re.findall(r"([\d,]+) hits", next(iter(found.values())))), "")
        text += f"| {name.format(hits=hits)} | {mine} | {peer}: {theirs} | {digits} {meaning} |\n"
    return text


def write_summary(benchmarks=BENCHMARKS, readme=README):
    with open(benchmarks, encoding="utf-8") as file:
        page = file.read()
    write_table(readme, "bench summary", summary(page))


if __name__ == "__main__":
    write_summary()

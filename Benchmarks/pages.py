"""Writes measured tables into the documents: all tables into docs/benchmarks.md, a selection of rows into README.md.

    python3 pages.py    rewrites the table of the README from docs/benchmarks.md

Each table is between two comments: `<!-- bench NAME -->` and `<!-- /bench NAME -->`.
"""
import os
import re
from decimal import ROUND_HALF_UP, Decimal

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BENCHMARKS = os.path.join(ROOT, "docs", "benchmarks.md")
README = os.path.join(ROOT, "README.md")

FASTER, SLOWER, MEMORY = "times as fast", "times as long", "times as much"
# The rows of the README: the table, the prefix of the row's label, the label in the README (`{hits}` is replaced by the
# number of hits of the row), the peer, the column of the peer, and the unit of the ratio.
SUMMARY = [
    ("bench", "indexing", "indexing 1 kB documents", "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench peers", "storing and indexing", "storing and indexing 1,000,000 documents", "Tantivy, which stores their text",
     "its time or speed", SLOWER),
    ("bench peers", "full-text index of", "full-text index of 1,000,000 stored documents",
     "Tantivy, which stores none",
     "its time or speed", SLOWER),
    ("bench", "peak memory", "peak memory while indexing", "SQLite FTS5", "SQLite FTS5", MEMORY),
    ("bench", "a common word", "search for `return`: top 10 of {hits} hits, with snippets", "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench", "two words", "search for `memory AND barrier`: top 10 of {hits} hits, with snippets",
     "SQLite FTS5", "SQLite FTS5", FASTER),
    ("bench searches", "`struct AND device`", "search for `struct AND device`: top 10 of {hits} hits, no snippets",
     "Tantivy, without documents", "Tantivy", FASTER),
    ("bench queries", "counting by a property without", "counting 100,000 documents by a property, no index",
     "`json_extract`", "SQLite", FASTER),
    ("bench patterns", "an alternative", "`grep 'EXPORT_SYMBOL_GPL\\(usb_\\w+\\)'` in the Linux source",
     "ripgrep", "ripgrep", FASTER),
    ("bench patterns", "no trigram", "`grep '[0-9]{{7,}}'`, which an index cannot speed up", "ripgrep", "ripgrep", FASTER),
]


def section(page, mark):
    """Returns the text between the comments of a table, and the text before and after it."""
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
    """Returns the row whose first cell begins with a label, as a dictionary by column heading."""
    lines = [line for line in section(page, mark)[1].splitlines() if line.startswith("|")]
    heading = cells(lines[0])
    found = next((cells(line) for line in lines[2:] if cells(line)[0].startswith(label)), None)
    if found is None:
        raise SystemExit(f"pages: docs/benchmarks.md has no row {label!r} between the comments {mark!r}")
    return dict(zip(heading, found))


def number(cell):
    return float(re.match(r"[\d,.]+", cell)[0].replace(",", ""))


def summary(page):
    """Returns the table of the README, made from docs/benchmarks.md."""
    text = "| task | Concordance | compared with | ratio |\n|---|---:|---:|---:|\n"
    for mark, label, name, peer, column, meaning in SUMMARY:
        if "|" not in section(page, mark)[1]:
            continue  # This table was not measured yet.
        found = row(page, mark, label)
        mine, theirs = found["Concordance"], found[column]
        if theirs == "-":
            continue  # The peer was not installed.
        # "Times as fast" is theirs divided by ours for times; other ratios are ours divided by theirs.
        ratio = number(mine) / number(theirs)
        if meaning == FASTER and re.search(r"\d m?s$", mine):
            ratio = 1 / ratio
        digits = f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}"
        if meaning == MEMORY:
            # The page has a more exact ratio than that of the sizes in whole MB.
            digits = str(Decimal(found["ratio"]).quantize(Decimal("0.1"), ROUND_HALF_UP))
        hits = found.get("hits") or next(iter(re.findall(r"([\d,]+) hits", next(iter(found.values())))), "")
        text += f"| {name.format(hits=hits)} | {mine} | {peer}: {theirs} | {digits} {meaning} |\n"
    return text


def write_summary(benchmarks=BENCHMARKS, readme=README):
    with open(benchmarks, encoding="utf-8") as file:
        page = file.read()
    write_table(readme, "bench summary", summary(page))


if __name__ == "__main__":
    write_summary()

"""Measures how time, memory and size grow with the number of documents.

    python3 growth.py --program concord-bench --documents data/variations.jsonl [--counts 100000,1000000,10000000]
                      [--soak SECONDS] [--folder FOLDER] [--write]

variations.py makes the documents; the smaller databases contain the first ones. For each number of documents: indexing,
peak memory, the size of the file, searches, and adding 1,000 documents. With the largest database, single documents are
saved for some time while another thread searches. The numbers of hits are compared with a scan of the first 100,000
documents.
"""
import argparse
import os
import sys

import pages
from processes import run
from scans import expected_hits

QUERIES = ["the", "spinlock", "struct AND device", "struct AND device AND return AND int", "struct OR device OR return OR int",
           '"memory barrier"', "spin*"]
CHECKED = ["spinlock", "struct AND device", '"memory barrier"']
MISSPELT = "filesytem dirctory"


class Table:
    """Rows by name; one column for each number of documents."""

    def __init__(self):
        self.rows = {}

    def add(self, name, value):
        print(f"{name}: {value}", file=sys.stderr)
        self.rows.setdefault(name, []).append(value)

    def text(self, counts):
        heading = "".join(f" {count:,} |" for count in counts)
        text = f"| documents of 1 kB |{heading}\n|---|{'---:|' * len(counts)}\n"
        return text + "".join(f"| {name} | {' | '.join(values)} |\n" for name, values in self.rows.items())


def measure(options, count, path, table):
    (indexed,), memory = run(options.program, "index", options.documents, count, path)
    if indexed["documents"] != count:
        sys.exit(f"bench: {options.documents} has only {indexed['documents']:,} documents")
    table.add("text", f"{indexed['bytes'] / 1e6:,.0f} MB")
    table.add("indexing", f"{indexed['seconds']:,.1f} s")
    table.add("documents per second", f"{count / indexed['seconds']:,.0f}")
    table.add("peak memory while indexing", f"{memory / 1e6:,.0f} MB")
    table.add("size of the file", f"{os.path.getsize(path) / 1e6:,.0f} MB")
    (opened, first), _ = run(options.program, "first", path, "spinlock")
    table.add("opening and first search", f"{opened['openMilliseconds'] + first['milliseconds']:.1f} ms")
    (_, first), _ = run(options.program, "first", path, MISSPELT)
    table.add("two misspelt words, first search", f"{first['milliseconds']:.1f} ms")
    answers, memory = run(options.program, "search", path, *QUERIES)
    for answer in answers:
        if count <= 100_000 and answer["query"] in CHECKED:
            expected = expected_hits(options.documents, count, answer["query"])
            if answer["hits"] != expected:
                sys.exit(f"bench: {answer['query']}: {answer['hits']} hits, {expected} documents have it")
        table.add(f"`{answer['query']}`", f"{answer['milliseconds']:.2f} ms")
    table.add("peak memory of these searches", f"{memory / 1e6:,.0f} MB")
    (added,), _ = run(options.program, "add", path, options.documents, 1000)
    table.add("adding 1,000 documents", f"{added['seconds']:.2f} s")


def soak(options, path):
    (found,), _ = run(options.program, "soak", path, options.documents, options.soak, *QUERIES)
    text = f"Single saves and searches at the same time for {options.soak} s with the largest database:\n\n"
    text += "| | number | median | p99 | p99.9 | maximum |\n|---|---:|---:|---:|---:|---:|\n"
    for name in ("saves", "searches"):
        times = found[name]
        text += f"| {name} | {times['count']:,.0f} |" + "".join(
            f" {times[part]:.2f} ms |" for part in ("median", "p99", "p999", "maximum")) + "\n"
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--counts", default="100000,1000000,10000000")
    parser.add_argument("--soak", type=int, default=600)
    parser.add_argument("--folder", default=".", help="the folder of the databases; the last one is kept")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    counts = [int(count) for count in options.counts.split(",")]
    table = Table()
    for count in counts:
        path = os.path.join(options.folder, f"growth{count}.concord")
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        measure(options, count, path, table)
        if count != counts[-1]:
            os.remove(path)
    text = table.text(counts)
    if options.soak:
        text += "\n" + soak(options, path)
    print(text)
    if options.write:
        pages.write_table(pages.BENCHMARKS, "bench growth", text)


main()

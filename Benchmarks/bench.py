"""Compares Concordance with SQLite FTS5 on the same documents in the same run.

It measures saving and reading documents, building a full-text index, and searching. Each task runs in a separate
process, so that its peak memory can be measured. The peer is Python's sqlite3 with a plain FTS5 table (unicode61), used
in the usual way. patterns.py measures `concord grep`.

It also checks the number of hits of each query on a sample, against a count by a regular expression over every document.
The benchmark fails if they differ.
"""
import argparse
import json
import os
import platform
import sqlite3
import statistics
import sys
import tempfile
import time

import pages
import patterns
import peers
import rank
from processes import run
from scans import expected_hits, lines

QUERIES = [
    ("a common word", "return"),
    ("a rare word", "spinlock"),
    ("two words", "memory AND barrier"),
    ("a phrase", '"memory barrier"'),
    ("a prefix", "interrup*"),
]
SAMPLE = 50_000


def stock_index(pieces, count, path):
    """Fills a plain FTS5 table; runs in a separate process (see main)."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE VIRTUAL TABLE f USING fts5(title, body, tokenize = 'unicode61')")
    size = 0
    start = time.perf_counter()
    connection.execute("BEGIN")
    for number, line in lines(pieces, count):
        document = json.loads(line)
        size += len(line)
        connection.execute(
            "INSERT INTO f (rowid, title, body) VALUES (?, ?, ?)", (number, document["title"], document["body"]))
        if number % 10_000 == 9_999:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
    connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    connection.close()
    print(json.dumps({"bytes": size, "seconds": seconds}))


def stock_search(path, query):
    """Returns the median milliseconds of a query's ten best hits."""
    connection = sqlite3.connect(path)
    times = []
    for _ in range(7):
        start = time.perf_counter()
        connection.execute(
            "SELECT rowid, snippet(f, -1, '', '', '', 32) FROM f WHERE f MATCH ? ORDER BY rank LIMIT 10", (query,)
        ).fetchall()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def stock_save(pieces, count, path):
    """Saves into a plain table with a unique id, in batches of 1,000, and reads by id; runs in a separate process."""
    documents = [(str(number), line.decode()) for number, line in lines(pieces, count)]
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE d (id TEXT PRIMARY KEY, body TEXT)")
    start = time.perf_counter()
    for first in range(0, count, 1000):
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO d VALUES (?, ?)", documents[first : first + 1000])
        connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    # The same linear congruential sequence as in concord-bench.
    state, ids = 42, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        ids.append(str((state >> 33) % count))
    start = time.perf_counter()
    for id in ids:
        connection.execute("SELECT body FROM d WHERE id = ?", (id,)).fetchone()
    print(json.dumps({"saved": count / seconds, "read": count / (time.perf_counter() - start)}))


def check_answers(options, folder):
    path = os.path.join(folder, "sample.concord")
    run(options.program, "index", options.pieces, SAMPLE, path)
    answers, _ = run(options.program, "search", path, *[query for _, query in QUERIES])
    for (_, query), answer in zip(QUERIES, answers):
        expected = expected_hits(options.pieces, SAMPLE, query)
        if answer["hits"] != expected:
            sys.exit(f"bench: {query}: {answer['hits']} hits in the sample, {expected} documents hold it")
    os.remove(path)


def savings(options, count, ours, theirs):
    """Returns the median numbers of documents that both programs save and read by id in a second."""
    mine, peer = [], []
    for _ in range(2 * options.rounds + 1):
        for path in (ours, theirs):
            for name in (path, path + "-wal", path + "-shm"):
                if os.path.exists(name):
                    os.remove(name)
        (saved,), _ = run(options.program, "save", options.pieces, count, ours)
        (read,), _ = run(options.program, "read", ours, count)
        mine.append({"saved": saved["perSecond"], "read": read["perSecond"]})
        (both,), _ = run(sys.executable, __file__, "--stock-save", options.pieces, count, theirs)
        peer.append(both)
    return ({key: statistics.median(speeds[key] for speeds in runs) for key in ("saved", "read")} for runs in (mine, peer))


def measure(options, folder):
    rows = []
    count = options.documents
    small = min(count, 100_000)

    mine, theirs = savings(options, small, os.path.join(folder, "saved.concord"), os.path.join(folder, "saved.sqlite"))
    for work, key in (("saving documents, batches of 1,000", "saved"), ("reading documents by id", "read")):
        rows.append((work, f"{mine[key]:,.0f} /s", f"{theirs[key]:,.0f} /s", mine[key] / theirs[key]))

    ours = os.path.join(folder, "indexed.concord")
    stock = os.path.join(folder, "indexed.sqlite")
    (theirs,), stock_memory = run(sys.executable, __file__, "--stock-index", options.pieces, count, stock)
    (mine,), memory = run(options.program, "index", options.pieces, count, ours)
    speed, stock_speed = (task["bytes"] / task["seconds"] / 1e6 for task in (mine, theirs))
    rows.append((f"indexing {count:,} documents", f"{speed:.1f} MB/s", f"{stock_speed:.1f} MB/s", speed / stock_speed))
    rows.append(("peak memory while indexing", f"{memory / 1e6:,.0f} MB", f"{stock_memory / 1e6:,.0f} MB",
                 memory / stock_memory))
    size, stock_size = os.path.getsize(ours), os.path.getsize(stock)
    rows.append(("size of the file", f"{size / 1e6:,.0f} MB", f"{stock_size / 1e6:,.0f} MB", size / stock_size))

    answers, _ = run(options.program, "search", ours, *[query for _, query in QUERIES])
    for (what, query), answer in zip(QUERIES, answers):
        theirs = stock_search(stock, query)
        rows.append((f"{what}: `{query}`, {answer['hits']:,} hits, ten best with snippets",
                     f"{answer['milliseconds']:.2f} ms", f"{theirs:.2f} ms", answer["milliseconds"] / theirs))
    return rows


def measure_queries(options, folder):
    """Compares queries over 100,000 documents of 1 kB with plain SQLite; concord-bench compares the results itself."""
    (found,), _ = run(options.program, "query", 100_000, folder)
    what = [
        ("counting by a property without an index; `json_extract`", "countSeconds", "jsonExtractSeconds", 1000),
        ("counting by a property with a value index; an indexed column", "indexedMilliseconds", "columnIndexedMilliseconds", 1),
        ("grouping by a property with a value index; an indexed column", "groupSeconds", "columnGroupSeconds", 1000),
        ("`LIKE '%mutex_lock%'` without an index; on `json_extract`", "likeSeconds", "jsonExtractLikeSeconds", 1000),
    ]
    rows = [
        (name, f"{found[mine] * scale:.3g} ms", f"{found[theirs] * scale:.3g} ms", f"{found[mine] / found[theirs]:.2f}")
        for name, mine, theirs, scale in what
    ]
    # Plain SQLite has no regular expressions.
    rows.append((r"a regular expression without an index: `spin_(lock\|unlock)_irq\w+`",
                 f"{found['regexSeconds'] * 1000:.3g} ms", "-", "-"))
    note = f"Compiling an SQL++ query of five conditions takes {found['compileMilliseconds']:.2f} ms."
    return rows, note


def view_table(options, folder):
    """Compares views with plain SQLite; concord-bench compares the results itself."""
    (found,), _ = run(options.program, "views", 100_000, folder)
    text = "| 100,000 documents of 1 kB | Concordance | SQLite | ratio |\n|---|---:|---:|---:|\n"
    for what, ours, peers in [
            ("100 rows of a range of keys; an indexed column", "rangeMilliseconds", "peerRangeMilliseconds"),
            ("grouped sums of 1,000,000 rows after an update; `GROUP BY` with an index", "groupMilliseconds",
             "peerGroupMilliseconds")]:
        mine, theirs = found[ours], found[peers]
        text += f"| {what} | {mine:.3g} ms | {theirs:.3g} ms | {mine / theirs:.2g} |\n"
    return (f"{text}\nA map function in Swift that emits one row processes {found['mappedPerSecond']:,.0f} documents per second; the file "
            f"grows by {found['growthBytes'] / 1e6:.1f} MB.\n")


def query_table(rows, note):
    text = "| 100,000 documents of 1 kB | Concordance | SQLite | ratio |\n|---|---:|---:|---:|\n"
    for what, mine, theirs, ratio in rows:
        text += f"| {what} | {mine} | {theirs} | {ratio} |\n"
    return f"{text}\n{note}\n"


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def table(rows):
    text = "| | Concordance | SQLite FTS5 | ratio |\n|---|---:|---:|---:|\n"
    for what, mine, theirs, ratio in rows:
        text += f"| {what} | {mine} | {theirs} | {ratio:.{2 if ratio >= 0.01 else 4}f} |\n"
    cores = os.cpu_count()
    text += (f"\nMeasured on {cores} cores of an {processor()} with SQLite {sqlite3.sqlite_version}. The peer is Python's `sqlite3` with a "
             "plain FTS5 table (`unicode61`) on the same documents.\n")
    return text


def main():
    tasks = {"--stock-index": stock_index, "--stock-save": stock_save}
    if sys.argv[1] in tasks:
        return tasks[sys.argv[1]](sys.argv[2], int(sys.argv[3]), sys.argv[4])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pieces", help="the documents to index")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--program", required=True, help="concord-bench")
    parser.add_argument(
        "--write", action="store_true", help="write the tables into docs/benchmarks.md and a selection into README.md")
    parser.add_argument("--queries-only", action="store_true", help="print only the tables of queries and views, which need no documents")
    parser.add_argument("--patterns", action="store_true", help="add the table of regular expressions")
    parser.add_argument("--patterns-only", action="store_true", help="print only that table")
    parser.add_argument("--ranking", action="store_true", help="add the table of ranked searches")
    parser.add_argument("--ranking-only", action="store_true", help="print only that table")
    parser.add_argument("--peers", action="store_true", help="add the table of whole tasks and their peers")
    parser.add_argument("--peers-only", action="store_true", help="print only that table")
    parser.add_argument("--rounds", type=int, default=3, help="the runs of each program in that table")
    parser.add_argument("--ranked-database", help="the database of ranked searches; created if it does not exist")
    parser.add_argument("--tree", help="the source tree for regular expressions")
    parser.add_argument("--concord", help="the command, for regular expressions")
    parser.add_argument("--database", help="the database of the tree; created if it does not exist")
    options = parser.parse_args()
    has_patterns = options.patterns or options.patterns_only
    has_ranking = options.ranking or options.ranking_only
    has_peers = options.peers or options.peers_only
    is_part = options.queries_only or options.patterns_only or options.ranking_only or options.peers_only
    needed = ["tree", "concord"] * (has_patterns or has_peers) + ["pieces"] * (has_ranking or has_peers or not is_part)
    for name in needed:
        if getattr(options, name) is None:
            parser.error(f"--{name} is needed")
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(__file__))) as folder:
        tables = {}
        if options.queries_only or not is_part:
            tables["bench queries"] = query_table(*measure_queries(options, folder))
            tables["bench views"] = view_table(options, folder)
        if not is_part:
            check_answers(options, folder)
            tables["bench"] = table(measure(options, folder))
        if has_peers:
            missing = peers.missing_program()
            if missing:
                print(f"bench: {missing} is not installed; the table of peers is not measured", file=sys.stderr)
            else:
                tables["bench peers"] = peers.measure(options, folder)
        # After the memory measurements: Tantivy runs in this process, and a new process inherits the peak of its parent.
        if has_ranking:
            tables["bench searches"] = rank.measure(options, folder)
        if has_patterns:
            missing = patterns.missing_program()
            if missing:
                print(f"bench: {missing} is not installed; concord grep is not measured", file=sys.stderr)
            else:
                tables["bench patterns"] = patterns.measure(options, folder)
    for mark, text in tables.items():
        print(text)
        if options.write:
            pages.write_table(pages.BENCHMARKS, mark, text)
    if options.write:
        pages.write_summary()


main()

"""Compares ranked searches with plain FTS5 and Tantivy, for bench.py.

Concordance is measured as programs use it: `Collection.search` returns the documents of the ten best hits, with or without a
snippet of each. FTS5 and Tantivy return numbers of rows and scores, without documents. concord-bench compares the answers with
FTS5's on the same table in the same run, and fails if they differ. Tantivy (`make peers`) is measured if it is installed, on the
same documents, with its own tokenizer. The database is open; times are medians of later searches, except for the first ones.
"""
import json
import os
import statistics
import subprocess
import sys
import time

QUERIES = [
    "the", "return", "struct", "spinlock",
    "struct AND device", "struct OR device", "spinlock AND return",
    "struct AND device AND return AND int", "struct OR device OR return OR int",
    '"memory barrier"', '"struct device"', '"return 0"', "spin*",
]


def run(program, *arguments):
    process = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if process.returncode != 0:
        sys.exit(f"rank: {program} {arguments[0]} failed")
    return [json.loads(line) for line in process.stdout.splitlines()]


def tantivy_times(pieces, count, folder):
    """Returns, by query, the milliseconds of the ten best hits, those including the number of hits, and that number.

    Returns None if Tantivy is not installed.
    """
    try:
        import tantivy
    except ImportError:
        return None
    schema = tantivy.SchemaBuilder().add_text_field("title").add_text_field("body").build()
    index = tantivy.Index(schema, path=folder)
    writer = index.writer(500_000_000, 1)
    with open(pieces, encoding="utf-8") as file:
        for number, line in enumerate(file):
            if number == count:
                break
            document = json.loads(line)
            writer.add_document(tantivy.Document(title=document["title"], body=document["body"]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    times = {}
    for text in QUERIES:
        if text.endswith("*"):
            continue  # Its query parser does not support prefixes.
        query = index.parse_query(text, ["title", "body"])

        def median(counting):
            taken = []
            for _ in range(21):
                start = time.perf_counter()
                result = searcher.search(query, 10, count=counting)
                taken.append(time.perf_counter() - start)
            return statistics.median(taken) * 1000, result.count

        times[text] = (median(False)[0], *median(True))
    return times


def measure(options, folder):
    """Runs the measurements and returns the table, with a line that describes it."""
    database = options.ranked_database or os.path.join(folder, "ranked.concord")
    if not os.path.exists(database):
        run(options.program, "index", options.pieces, options.documents, database)
    peer = os.path.join(folder, "tantivy")
    os.mkdir(peer)
    theirs = tantivy_times(options.pieces, options.documents, peer) or {}
    _, *answers = run(options.program, "rank", database, *QUERIES)
    # Each run opens the file again. As for the other times, the file is in the page cache.
    loading = statistics.median(run(options.program, "rank", database)[0]["loadMilliseconds"] for _ in range(9))
    text = ("| query | hits | Concordance | with snippets | first search | counting | SQLite FTS5 | Tantivy | "
            "FTS5 / Concordance | Concordance / Tantivy |\n")
    text += "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    for answer in answers:
        ours, stock = answer["milliseconds"], answer["stockMilliseconds"]
        peer_time, _, _ = theirs.get(answer["query"], (None, None, None))
        row = [f"`{answer['query']}`", f"{answer['hits']:,}", f"{ours:.3f} ms", f"{answer['snippetMilliseconds']:.3f} ms",
               f"{answer['firstMilliseconds']:.1f} ms", f"{answer['countMilliseconds']:.3f} ms", f"{stock:.1f} ms",
               f"{peer_time:.3f} ms" if peer_time else "-", f"{stock / ours:,.0f}",
               f"{ours / peer_time:.2f}" if peer_time else "-"]
        text += "| " + " | ".join(row) + " |\n"
    text += (f"\nMedian times for {options.documents:,} documents of 1 kB in an open database. \"Concordance\" is `Collection.search` for "
             "the ten best documents without snippets, \"with snippets\" is the same with a snippet for each hit, \"first search\" is "
             "the first search for the query after the database was opened, without snippets, and \"counting\" is `Collection.count`. "
             f"The first search of any query after opening takes another {loading:.1f} ms to load the catalog and the document lengths.\n")
    return text

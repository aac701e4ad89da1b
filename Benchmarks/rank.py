"""Measures ranked searches beside stock FTS5 and Tantivy: python3 rank.py PIECES DOCUMENTS PROGRAM [DATABASE]

PROGRAM is concord-bench. It compares its answers with FTS5's on the same table in the same run, and fails where they
differ. Tantivy (`pip install tantivy`) is measured where it is installed, on the same documents: its words are not quite
ours, so its hits are shown. Queries are warm, from an open database; times are medians.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

QUERIES = [
    "the", "return", "struct", "spinlock",
    "struct AND device", "struct OR device",
    "struct AND device AND return AND int", "struct OR device OR return OR int",
    '"struct device"', '"return 0"', "spin*",
]


def run(program, *arguments):
    process = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if process.returncode != 0:
        sys.exit(f"rank: {program} {arguments[0]} failed")
    return [json.loads(line) for line in process.stdout.splitlines()]


def tantivy_times(pieces, count, folder):
    """Milliseconds by query: the ten best, the same with the number of hits, and that number; None without Tantivy."""
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
            continue  # Its query parser has no prefixes.
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


def main(pieces, count, program, database=None):
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(__file__))) as folder:
        if database is None:
            database = os.path.join(folder, "ranked.concord")
            run(program, "index", pieces, count, database)
        peer = os.path.join(folder, "tantivy")
        os.mkdir(peer)
        theirs = tantivy_times(pieces, count, peer) or {}
        loading, *answers = run(program, "rank", database, *QUERIES)
        print(f"Loading what ranking needs: {loading['loadMilliseconds']:.1f} ms\n")
        print("| query | hits | first | ten best | counted | FTS5 | FTS5 / ours | Tantivy | ours / Tantivy | its hits |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for answer in answers:
            ours, stock = answer["milliseconds"], answer["stockMilliseconds"]
            row = [f"`{answer['query']}`", f"{answer['hits']:,}", f"{answer['firstMilliseconds']:.1f} ms", f"{ours:.3f} ms",
                   f"{answer['countMilliseconds']:.3f} ms", f"{stock:.1f} ms", f"{stock / ours:,.0f}"]
            if answer["query"] in theirs:
                peer_time, _, hits = theirs[answer["query"]]
                row += [f"{peer_time:.3f} ms", f"{ours / peer_time:.2f}", f"{hits:,}"]
            else:
                row += ["", "", ""]
            print("| " + " | ".join(row) + " |")


if len(sys.argv) not in (4, 5):
    sys.exit(__doc__)
main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])

"""Compares whole tasks with the fastest known program for each, for bench.py.

Every ratio is the time of Concordance divided by the time of the other program. Programs run in turn, each time in a new
process, and the medians are compared. The benchmark fails if an answer differs from a scan of the documents.
"""
import importlib.util
import json
import os
import shutil
import statistics
import sys
from dataclasses import dataclass

import patterns
import scans
from processes import run, timed

HERE = os.path.dirname(os.path.abspath(__file__))
WORDS = ["spinlock", "barrier", "filesystem"]
# No document contains the misspelt words.
MISSPELT = {
    "filesytem dirctory": "filesystem directory",
    "spinlok barier": "spinlock barrier",
    "virtul filesytem": "virtual filesystem",
    "virtul dirctory": "virtual directory",
}
# Patterns without three literal characters in a row.
SCANS = [
    ("vertical white space", r"\v"),
    ("negative look-around", r"(?<![0-9a-fA-Fx])[0-9]{7,}(?![0-9a-fA-F])"),
    ("a back-reference", r"\b(\w{4,}) \1\b"),
]


@dataclass
class Row:
    work: str
    ours: str
    peer: str
    theirs: str
    ratio: float
    target: str


def missing_program():
    """Returns the first peer that is not installed, or None."""
    return patterns.missing_program() or (None if importlib.util.find_spec("tantivy") else "tantivy")


def measure(options, folder):
    """Runs the measurements and returns the table as text. Leaves its databases for the other tables of the run."""
    indexed, tantivy = os.path.join(folder, "peers.concord"), os.path.join(folder, "peers.tantivy")
    rows = indexing(options, indexed, tantivy, os.path.join(folder, "stored.concord"))
    rows += [saving(options, folder)] + first_search(options, indexed, tantivy) + misspelt_words(options, indexed, tantivy)
    options.ranked_database = options.ranked_database or indexed
    tree = os.path.join(folder, "tree.concord")
    rows += source_tree(options, tree, folder)
    options.database = options.database or tree
    files = patterns.check_grep.comparable_files(tree, os.path.abspath(options.tree))
    check_tree(options, tree, os.path.join(folder, "tree.tantivy"), {os.fsdecode(path) for path in files})
    rows += [scan(options, tree, files, *pattern) for pattern in SCANS]
    return table(rows)


def indexing(options, ours, theirs, copy):
    """Measures Concordance twice: storing and indexing documents, and indexing those that are stored. Tantivy either only
    indexes the documents, or also stores their texts."""
    stored, indexed, peer_stored, peer_indexed = [], [], [], []
    for _ in range(options.rounds):
        for path in (ours, theirs, copy):
            remove(path)
        # The system would write the files of earlier tasks during the measurements.
        os.sync()
        (mine,), _ = run(options.program, "indexloaded", options.pieces, options.documents, ours)
        os.sync()
        (peer,) = tantivy_task("store", options.pieces, options.documents, theirs)
        require("documents", "the file", mine["documents"], peer["documents"])
        stored.append(mine["seconds"])
        peer_stored.append(peer["seconds"])
        shutil.copy(ours, copy)
        remove(theirs)
        os.sync()
        (mine,), _ = run(options.program, "fulltext", copy)
        os.sync()
        (peer,) = tantivy_task("index", options.pieces, options.documents, theirs)
        require("documents", "the file", mine["documents"], peer["documents"])
        indexed.append(mine["seconds"])
        peer_indexed.append(peer["seconds"])
    for database in (ours, copy):
        check_words(options, options.documents, searched(options, database), scans.unicode_word)
    remove(copy)
    counts = [(found["query"], found["hits"]) for found in tantivy_task("count", theirs, *WORDS)]
    check_words(options, options.documents, counts, scans.alphanumeric_word)
    stored, indexed, peer_stored, peer_indexed = map(statistics.median, (stored, indexed, peer_stored, peer_indexed))

    def row(work, mine, name, peer):
        return Row(work, duration(mine), name, duration(peer), mine / peer, "1.0")

    storing = f"storing and indexing {options.documents:,} documents, full text"
    return [
        row(storing, stored, "Tantivy, with stored fields", peer_stored),
        row(storing, stored, "Tantivy, index only", peer_indexed),
        row(f"full-text index of {options.documents:,} stored documents", indexed, "Tantivy, index only", peer_indexed),
    ]


def saving(options, folder):
    count = min(options.documents, 100_000)
    speeds = [], []
    for _ in range(options.rounds):
        ours, theirs = os.path.join(folder, "batches.concord"), os.path.join(folder, "batches.sqlite")
        (mine,), _ = run(options.program, "saveindexed", options.pieces, count, ours)
        (peer,), _ = run(sys.executable, os.path.join(HERE, "fts5_peer.py"), options.pieces, count, theirs, *WORDS)
        answers = searched(options, ours)
        remove(ours)
        remove(theirs)
        speeds[0].append(mine["perSecond"])
        speeds[1].append(peer["perSecond"])
    check_words(options, count, answers, scans.unicode_word)
    check_words(options, count, peer["hits"].items(), scans.alphanumeric_word)
    mine, peer = map(statistics.median, speeds)
    return Row("saving in batches of 1,000 into a collection with a full-text index", f"{mine:,.0f} /s", "SQLite FTS5",
               f"{peer:,.0f} /s", peer / mine, "40,000 /s")


def first_search(options, ours, theirs):
    """Measures opening and the first search of a process; the files are in the page cache."""
    opening, searching = ([], []), ([], [])
    for _ in range(3 * options.rounds):
        (mine, answer), _ = run(options.program, "first", ours, WORDS[0])
        (peer,) = tantivy_task("first", theirs, WORDS[0])
        for opened, searches, task, search in zip(opening, searching, (mine, peer), (answer, peer)):
            opened.append(task["openMilliseconds"])
            searches.append(search["milliseconds"])
    check_words(options, options.documents, [(answer["query"], answer["hits"])], scans.unicode_word)
    return [
        Row(f"first search after opening: `{WORDS[0]}`", *compared(searching), "10 ms"),
        Row("opening and first search", *compared([list(map(sum, zip(*both))) for both in zip(opening, searching)]), ""),
    ]


def misspelt_words(options, ours, theirs):
    """Measures the first search of a process, and those for other words after it."""
    firsts, later, repeated = ([], []), ([], []), ([], [])
    queries = list(MISSPELT)
    for turn in range(max(options.rounds, len(queries))):
        turned = queries[turn % len(queries):] + queries[:turn % len(queries)]
        (_, *answers), _ = run(options.program, "first", ours, *turned)
        peers = tantivy_task("fuzzy", theirs, *turned)
        for answer, peer in zip(answers, peers):
            require(answer["query"], "the correction", answer["corrected"], MISSPELT[answer["query"]])
            if not 0 < answer["hits"] <= peer["hits"]:
                sys.exit(f"bench: {answer['query']}: {answer['hits']} hits, Tantivy has {peer['hits']}")
        for measured, task in zip(range(2), (answers, peers)):
            firsts[measured].append(task[0]["milliseconds"])
            later[measured].extend(answer["milliseconds"] for answer in task[1:])
            repeated[measured].extend(answer["laterMilliseconds"] for answer in task)
    check_words(options, options.documents,
                [(" AND ".join(answer["corrected"].split()), answer["hits"]) for answer in answers], scans.unicode_word)
    return [
        Row("two misspelt words, first search after opening", *compared(firsts), "10 ms"),
        Row("two misspelt words, later searches for other words", *compared(later), "10 ms"),
        Row("two misspelt words, the same search again", *compared(repeated), "10 ms"),
    ]


def source_tree(options, database, folder):
    tree = os.path.abspath(options.tree)
    theirs = os.path.join(folder, "tree.tantivy")
    environment = {"CSEARCHINDEX": os.path.join(folder, "peers.csearch")}
    both, patterns_only = ([], []), ([], [])
    for _ in range(options.rounds):
        for path in (database, theirs, environment["CSEARCHINDEX"]):
            remove(path)
        # Status 2: a few files of the tree do not have the format of their extension; they are reported and skipped.
        _, mine = timed([options.concord, "-d", database, "-q", "index", "--no-ignore", "--hidden", tree], statuses=(0, 2))
        _, codesearch = timed(["cindex", tree], environment)
        (tantivy,) = tantivy_task("tree", tree, theirs)
        (built,), _ = run(options.program, "patterns", database)
        both[0].append(mine)
        both[1].append(codesearch + tantivy["seconds"])
        patterns_only[0].append(built["seconds"])
        patterns_only[1].append(codesearch)
    (mine, peer), (built, codesearch) = (map(statistics.median, times) for times in (both, patterns_only))
    return [
        Row("full-text and pattern index of the Linux source, from scratch", duration(mine), "codesearch + Tantivy",
            duration(peer), mine / peer, "20 s"),
        Row("pattern index of the Linux source", duration(built), "codesearch", duration(codesearch), built / codesearch,
            "1.0"),
    ]


def check_tree(options, database, theirs, files):
    """Compares the number of files with each word with a scan of the files, for Concordance of those in `files`."""
    tree = os.path.abspath(options.tree)
    expected = scans.hits_in_texts((file for file in scans.texts(tree) if file[0] in files), WORDS)
    for word in WORDS:
        output, _ = timed([options.concord, "-d", database, "search", "--exact", "--snippets", "0", "--limit", "1000000",
                           "--json", f"text:{word}"])
        found = {json.loads(line)["id"] for line in output.splitlines()}
        require(word, "a scan", len(found & files), expected[word])
    # Tantivy indexes the path in the field "title", so paths are scanned as well.
    named = ((path, f"{path} {text}") for path, text in scans.texts(tree))
    expected = scans.hits_in_texts(named, WORDS, scans.alphanumeric_word)
    for answer in tantivy_task("count", theirs, *WORDS):
        require(answer["query"], "a scan", answer["hits"], expected[answer["query"]])


def scan(options, database, files, name, pattern):
    found, (mine, peer) = patterns.measure_scan(options, database, files, pattern)
    return Row(f"{name}: `{pattern}`, {found:,} lines", f"{mine * 1000:,.0f} ms", "`rg -P`", f"{peer * 1000:,.0f} ms",
               mine / peer, "1.0")


def compared(times):
    """Returns the cells of two lists of milliseconds."""
    mine, peer = map(statistics.median, times)
    return f"{mine:.2f} ms", "Tantivy", f"{peer:.2f} ms", mine / peer


def searched(options, database):
    return [(answer["query"], answer["hits"]) for answer in run(options.program, "search", database, *WORDS)[0]]


def check_words(options, count, answers, word):
    for query, hits in answers:
        require(query, "a scan", hits, scans.expected_hits(options.pieces, count, query, word))


def require(what, other, found, expected):
    if found != expected:
        sys.exit(f"bench: {what}: {found}, {other} has {expected}")


def tantivy_task(*arguments):
    return run(sys.executable, os.path.join(HERE, "tantivy_peer.py"), *arguments)[0]


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def duration(seconds):
    return f"{seconds:,.1f} s"


def table(rows):
    text = "| task | Concordance | compared with | its time or speed | ratio | target |\n|---|---:|---|---:|---:|---:|\n"
    for row in rows:
        work = row.work.replace("|", "\\|")
        text += f"| {work} | {row.ours} | {row.peer} | {row.theirs} | {row.ratio:.2f} | {row.target} |\n"
    return text

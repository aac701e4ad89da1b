"""Measures when a search should find documents with only some of the words of the query, for defaults.py.

By default, a query of fewer than three words is strict, that is it finds only documents with all of its words, if one document contains
them. A longer query, a sentence, is strict if 1,000 documents contain all of its words. These three numbers are not options, so every
rule is computed from two runs of each query: one that is always strict, and one that is never strict. A rule only chooses between them.
"""
import itertools
import os
import re

import judged
import sweeps

# A word that occurs in no document: with it, no document contains all words, so that some are enough.
UNKNOWN = "zqxjvkwpq"
# A query of at least this number of words is a sentence. With the last value, no query is one. One-word queries are always strict.
LENGTHS = [2, 3, 4, 5, 99]
# A sentence is strict if this number of documents contain all of its words. With the last value, it never is.
NEVER = 10**9
COUNTS = [1, 10, 30, 100, 300, 1000, NEVER]
# The same number for shorter queries.
SHORT_COUNTS = [1, 10, 30, 100, NEVER]
DEFAULT = (3, 1000, 1)
SYNTAX = re.compile(r'["“”„()]|^[-–−]\S|[*~]$|\w:\w|^(?:AND|OR|NOT)$')


def words(query):
    """Returns the words of a query as the search box counts them; None if it contains operators."""
    parts = query.split()
    return None if any(SYNTAX.search(part) for part in parts) else [part for part in parts if any(map(str.isalnum, part))]


def measure(measurements, collection):
    """Returns the average precisions of all rules, each as a list over the queries; the number of words of each query; the values of
    the strict and the relaxed run; and for how many queries the default rule differs from the default search."""
    queries = judged.read_queries(collection)
    simple = {name: words(text) for name, text in queries.items()}

    def database():
        return collection.database(measurements.program)

    def rewritten(file, rewrite):
        path = os.path.join(collection.work, file)
        judged.write_queries(path, {name: rewrite(queries[name], found) for name, found in simple.items() if found})
        return path

    usual = measurements.per_query("default", collection, database)
    strict = measurements.per_query(
        "strict", collection, database, lambda: rewritten("strict.tsv", lambda _, found: " AND ".join(f'"{word}"' for word in found)),
        ["--syntax", "fts5"])
    relaxed = measurements.per_query(
        "relaxed", collection, database, lambda: rewritten("relaxed.tsv", lambda text, _: f"{UNKNOWN} {text}"))

    def value(name, length, count, short_count):
        found, hits = strict[name] if simple.get(name) else (0, 0)
        # Without a document that contains all words, every rule behaves as the default, which also corrects the spelling.
        if hits == 0:
            return usual[name][0]
        return found if hits >= (count if len(simple[name]) >= length else short_count) else relaxed[name][0]

    rules = {rule: [value(name, *rule) for name in usual] for rule in itertools.product(LENGTHS, COUNTS, SHORT_COUNTS)}
    differing = sum(abs(value - usual[name][0]) > 1e-6 for name, value in zip(usual, rules[DEFAULT]))
    kinds = {name: (len(simple.get(name) or []), strict[name][1] if simple.get(name) else 0) for name in usual}
    return rules, kinds, strict, relaxed, differing


# As many documents as people look at; see RelaxableQuery.sufficientCount.
FEW = 10


def pairs(measured):
    """Returns the values of the two-word queries, strict and with any word, of which fewer than ten and of which more documents contain
    both words."""
    _, kinds, strict, relaxed, _ = measured
    found = {True: [], False: []}
    for name, (length, hits) in kinds.items():
        if length == 2 and hits > 0:
            found[hits < FEW].append((strict[name][0], relaxed[name][0]))
    return found[True], found[False]


def pair_cells(values):
    """Returns the cells of a table: the number of queries, the means, and how many are better and worse with any word."""
    if not values:
        return ["0", "-", "-", "-", "-"]
    means = [f"{sweeps.mean(column):.4f}" for column in zip(*values)]
    return [str(len(values)), *means, str(sum(relaxed > strict for strict, relaxed in values)),
            str(sum(relaxed < strict for strict, relaxed in values))]

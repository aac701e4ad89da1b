"""Measures stop words and stemmers, for defaults.py.

Stop words are left out of queries, not of documents, so any list can be measured by removing its words from the queries. To separate
them from the rule of fallback.py, these queries find all documents with any of their words.
"""
import collections
import json
import os
import re
import subprocess

import judged

WORD = re.compile(r"\w+(?:['’]\w+)*")
# The list of Lucene's EnglishAnalyzer.
LUCENE = set("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was "
             "will with".split())
# Words that occur in more than these fractions of the documents.
FREQUENT = [0.5, 0.25, 0.1]


def tokens(text):
    return WORD.findall(text.lower())


def listed(program, language, queries):
    """Returns the words of the queries that are in the list of the language."""
    text = " ".join(sorted({token for query in queries.values() for token in tokens(query)}))
    process = subprocess.run([program, "analyze", "--language", language, "--stop-words", "language", "--query", "--", text],
                             stdout=subprocess.PIPE, text=True, check=True)
    rows = (line.split("\t") for line in process.stdout.splitlines())
    return {row[3] for row in rows if row[-1] == "stop word"}


def frequencies(collection):
    """Returns the number of documents with each word, and the number of documents."""
    counts, documents = collections.Counter(), 0
    with open(collection.documents, encoding="utf-8") as file:
        for line in file:
            values = (value for key, value in json.loads(line).items() if key != "_id" and isinstance(value, str))
            counts.update({token for value in values for token in tokens(value)})
            documents += 1
    return counts, documents


def lists(program, collection):
    """Returns the stop words of each list by its name."""
    queries = judged.read_queries(collection)
    counts, documents = frequencies(collection)
    found = {"kept": set(), "the list of the language": listed(program, collection.language, queries)}
    if collection.language == "en":
        found["Lucene's list"] = LUCENE
    for share in FREQUENT:
        found[f"in over {share:.0%} of the documents"] = {token for token, count in counts.items() if count > share * documents}
    return found


def any_words(path, queries, stop_words):
    """Writes queries for documents with any of the words except stop words, unless there are no other words."""
    def rewritten(query):
        found = tokens(query)
        kept = [token for token in found if token not in stop_words] or found
        return " OR ".join(f'"{token}"' for token in kept)
    judged.write_queries(path, {name: rewritten(query) for name, query in queries.items() if tokens(query)})
    return path


def stemmers(collection):
    return {"none": "", **({"porter": "porter"} if collection.language == "en" else {}), "Snowball": collection.language}


def isolated(measurements, collection):
    """Returns the average precisions of each combination of a stemmer and a list of stop words, by query."""
    queries = judged.read_queries(collection)
    found, known = {}, None
    names = ["kept", "the list of the language", *(["Lucene's list"] if collection.language == "en" else []),
             *(f"in over {share:.0%} of the documents" for share in FREQUENT)]
    for stemmer, language in stemmers(collection).items():
        for number, name in enumerate(names):
            def write(name=name, number=number):
                nonlocal known
                known = known or lists(measurements.program, collection)
                return any_words(os.path.join(collection.work, f"any-{number}.tsv"), queries, known[name])
            found[stemmer, name] = measurements.per_query(
                f"any word, stemmer {stemmer}, stop words {name}", collection,
                lambda language=language: collection.database(measurements.program, language), write, ["--syntax", "fts5"])
    return {setting: [value for value, _ in values.values()] for setting, values in found.items()}


def as_searched(measurements, collection):
    """Returns the average precisions of ordinary searches with each option of `concord index`, by query."""
    settings = [("--language", collection.language, None), ("--language --stop-words language", collection.language, "language"),
                ("--language none", "", None)]
    if collection.language == "en":
        settings.append(("--language porter", "porter", None))
    found = {}
    for name, language, stop_words in settings:
        # The same measurement as in fallback.py.
        title = "default" if name == "--language" else f"searched with {name}"
        values = measurements.per_query(
            title, collection,
            lambda language=language, stop_words=stop_words: collection.database(measurements.program, language, stop_words))
        found[name] = [value for value, _ in values.values()]
    return found

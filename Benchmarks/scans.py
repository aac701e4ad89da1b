"""Counts the documents of a JSONL file that match a query, by a regular expression over every document.

The counts are independent of every index, so that a benchmark can check the answers of all programs against them.
"""
import json
import os
import re


def lines(pieces, count):
    with open(pieces, "rb") as file:
        for number, line in enumerate(file):
            if number == count:
                return
            yield number, line


def unicode_word(text, prefix=False):
    """Returns a pattern for a word by UAX #29: an apostrophe between letters belongs to it, adjacent Han and Kana do not."""
    part = r"[^\W\u3040-\u30ff\u3400-\u9fff]"
    end = "" if prefix else rf"(?!{part})(?!['\u2019][^\W\d_])"
    return rf"(?<!{part})(?<![^\W\d_]['\u2019]){text}{end}"


def alphanumeric_word(text, prefix=False):
    """Returns a pattern for a word of letters and digits, which is how FTS5's unicode61 and Tantivy separate words."""
    return rf"(?<![^\W_]){text}" + ("" if prefix else r"(?![^\W_])")


def patterns(query, word):
    if query.startswith('"'):
        return [r"[^\w]+".join(word(part) for part in query.strip('"').split())]
    if query.endswith("*"):
        return [word(query[:-1], prefix=True)]
    return [word(part) for part in query.split(" AND ")]


def expected_hits(pieces, count, query, word=unicode_word):
    """Counts the matches of an ASCII query among the first documents with a full scan."""
    compiled = [re.compile(pattern, re.IGNORECASE) for pattern in patterns(query, word)]
    required = [part.lower().encode() for part in re.findall(r"\w+", query.replace(" AND ", " "))]
    hits = 0
    for _, line in lines(pieces, count):
        folded = line.lower()
        if not all(part in folded for part in required):
            continue  # Only documents with the letters of each word are parsed.
        document = json.loads(line)
        fields = (document["title"], document["body"])
        hits += all(any(pattern.search(field) for field in fields) for pattern in compiled)
    return hits


def texts(tree):
    """Returns the paths and texts of the files of a tree that are UTF-8."""
    for folder, _, names in os.walk(tree):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            try:
                yield path, data.decode()
            except UnicodeDecodeError:
                continue


def hits_in_texts(files, words, word=unicode_word):
    """Counts the files that contain each ASCII word."""
    compiled = {text: re.compile(word(text), re.IGNORECASE) for text in words}
    hits = dict.fromkeys(words, 0)
    for _, text in files:
        folded = text.lower()
        for wanted, pattern in compiled.items():
            hits[wanted] += wanted in folded and pattern.search(text) is not None
    return hits

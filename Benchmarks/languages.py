"""Measures known-item searches in many languages, compared with Lucene's analyzers, as a table in Markdown.

    languages.py --program concord [--languages de,es,pl,zh_TW]

The collections are made by a rule. For each language with translated manual pages in /usr/share/man (Debian's packages manpages-de,
manpages-es, manpages-pl, manpages-zh and others, which make bench-languages installs), a document is the text of a page without its section
NAME, and the query for it is the one-line description in this section. Pages with the same description are left out, and at most 500
queries are chosen by the hash of their names. A last collection consists of the stories of Corpora/polyglot in one index without a
language; the query is the title.

The measure is the mean reciprocal rank of the document among the first 100 hits. Concordance indexes with `--language` if it has a
stemmer for the language; Lucene uses Anserini's analyzer for the language, if there is one.
"""
import argparse
import collections
import glob
import gzip
import hashlib
import json
import os
import re
import subprocess
import tempfile

import lucene

MANUALS = "/usr/share/man"
QUERIES = 500
STEMMED = set("ar ca da de el en es et eu fi fr ga hi hu hy id it lt ne nl no pt ro ru sr sv ta tr yi".split())
LUCENE = set("ar bn da de en es fa fi fr hi hu id it ja ko nl no pt ru sv te th tr uk zh".split())
ESCAPE = re.compile(r"\\f(?:\(..|\[[^]]*\]|.)|\\s[-+]?\d|\\[*n](?:\(..|\[[^]]*\]|.)|\\[&/,|^%:!)~ ]|\\\[[^]]*\]|\\\(..")
REQUEST = re.compile(r"^[.']\s*(\w*)\s*(.*)$")
# Requests whose arguments are not text.
SILENT = {"so", "ds", "de", "nr", "if", "ie", "el", "ig", "in", "ti", "sp", "ft", "ne", "na", "ad", "nf", "fi", "TS", "TE", "Os", "Dd"}


def plain(line):
    return ESCAPE.sub("", line).replace("\\-", "-").replace("\\e", "\\")


def sections(source):
    """Returns the sections of a page as lists of lines. The first section is NAME."""
    found = []
    for line in source.splitlines():
        request = REQUEST.match(line)
        if request:
            name, rest = request.groups()
            if name in ("SH", "Sh"):
                found.append([])
                continue
            if not name or name in SILENT:
                continue
            line = rest.replace('"', " ")
        if found and not line.startswith("\\\""):
            found[-1].append(plain(line))
    return found


def page(path):
    """Yields the name, the description and the text of a page, if it has a section NAME with a description."""
    with gzip.open(path) as file:
        source = file.read().decode("utf-8", errors="replace")
    parts = sections(source)
    if len(parts) < 2:
        return
    head = " ".join(" ".join(parts[0]).split())
    title = re.split(r" -{1,2} | — | – ", head, maxsplit=1)
    text = " ".join(" ".join(" ".join(part) for part in parts[1:]).split())
    if len(title) == 2 and title[1] and len(text) > 200:
        yield os.path.basename(path)[:-3], title[1], text


def pages(folder):
    """Yields the name, the description and the text of each page."""
    for path in sorted(glob.glob(os.path.join(folder, "man*", "*.gz"))):
        if not os.path.islink(path):
            yield from page(path)


def manual(language, folder):
    """Writes the collection of a language; returns the number of documents."""
    found = {name: (title, text) for name, title, text in pages(os.path.join(MANUALS, language))}
    counts = collections.Counter(title for title, _ in found.values())
    names = sorted((name for name in found if counts[found[name][0]] == 1),
                   key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:QUERIES]
    write(folder, {name: text for name, (_, text) in found.items()}, {name: found[name][0] for name in names})
    return len(found), len(names)


def polyglot(folder):
    texts, titles = {}, {}
    for path in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "..", "Corpora", "polyglot", "*.md"))):
        with open(path, encoding="utf-8") as file:
            parts = re.split(r"^# (.*)$", file.read(), maxsplit=1, flags=re.M)
        if len(parts) == 3 and os.path.basename(path) not in ("README.md", "edge-cases.md"):
            texts[os.path.basename(path)], titles[os.path.basename(path)] = parts[2], parts[1]
    write(folder, texts, titles)
    return len(texts), len(titles)


def write(folder, texts, titles):
    with open(os.path.join(folder, "documents.jsonl"), "w", encoding="utf-8") as file:
        for name, text in texts.items():
            file.write(json.dumps({"_id": name, "text": text}, ensure_ascii=False) + "\n")
    with open(os.path.join(folder, "queries.tsv"), "w", encoding="utf-8") as queries, \
            open(os.path.join(folder, "qrels.txt"), "w", encoding="utf-8") as qrels:
        for number, (name, title) in enumerate(titles.items(), 1):
            queries.write(f"{number}\t{title}\n")
            qrels.write(f"{number} 0 {name} 1\n")


def concordance(program, folder, language):
    database, run = os.path.join(folder, "d.concord"), os.path.join(folder, "ours.run")
    stemmer = ["--language", language] if language in STEMMED else []
    documents, queries, qrels = (os.path.join(folder, name) for name in ("documents.jsonl", "queries.tsv", "qrels.txt"))
    subprocess.run([program, "index", "-q", "-d", database, *stemmer, documents], check=True)
    subprocess.run([program, "eval", "-q", "-d", database, "--queries", queries, "--qrels", qrels, "--run", run, "--depth", "100"],
                   stdout=subprocess.DEVNULL, check=True)
    return reciprocal_rank(run, qrels)


def theirs(folder, language):
    if not lucene.is_installed():
        return "not installed"
    if language not in LUCENE:
        return "no analyzer"
    run = os.path.join(folder, "theirs.run")
    index = lucene.index(os.path.join(folder, "documents.jsonl"), folder, "-language", language)
    lucene.search(index, os.path.join(folder, "queries.tsv"), run, 0.9, 0.4, "-language", language, "-hits", 100)
    return f"{reciprocal_rank(run, os.path.join(folder, 'qrels.txt')):.3f}"


def reciprocal_rank(run, qrels):
    with open(qrels, encoding="utf-8") as file:
        wanted = {line.split()[0]: line.split()[2] for line in file}
    ranks = {}
    with open(run, encoding="utf-8") as file:
        for line in file:
            query, _, document, rank = line.split()[:4]
            if wanted.get(query) == document:
                ranks[query] = int(rank)
    return sum(1 / rank for rank in ranks.values()) / len(wanted)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="concord", help="the command")
    parser.add_argument("--languages", help="folders of /usr/share/man, separated by commas; by default all with 200 pages")
    options = parser.parse_args()
    languages = options.languages.split(",") if options.languages else [
        name for name in sorted(os.listdir(MANUALS))
        if not name.startswith("man") and len(glob.glob(os.path.join(MANUALS, name, "man*", "*.gz"))) >= 200]
    print("| collection | documents | queries | Concordance | Lucene |\n|---|---:|---:|---:|---:|", flush=True)
    for language in [*languages, "polyglot"]:
        with tempfile.TemporaryDirectory() as folder:
            counts = polyglot(folder) if language == "polyglot" else manual(language, folder)
            code = "" if language == "polyglot" else language.split("_")[0]
            ours = concordance(options.program, folder, code)
            print(f"| {language} | {counts[0]} | {counts[1]} | {ours:.3f} | {theirs(folder, code or 'en')} |", flush=True)


if __name__ == "__main__":
    main()

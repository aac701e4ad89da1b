"""Judged collections and their indexes, for defaults.py.

Collections are in groups, and each group counts once when parameters are chosen: collections of a group consist of the same texts, or of
translations of them, so one of them is not an independent test of parameters that were chosen on another.
"""
import dataclasses
import glob
import os
import subprocess

import known_items
import languages

GROUPS = {"manual": "manual", "verbose": "manual", "linux-docs": "linux-docs", "linux-verbose": "linux-docs"}
CODE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Corpora", "code-queries")
# The minimum number of manual pages of a language.
PAGES = 200


@dataclasses.dataclass
class Collection:
    name: str
    group: str
    # The folder with queries.tsv and qrels.txt.
    folder: str
    # The file or folder that is indexed.
    documents: str
    # The language of the documents, if there is a stemmer for it.
    language: str = ""
    # Whether the queries were written for a topic, with several relevant documents each, and judged by people.
    is_topical: bool = False
    # Whether the documents are source files.
    is_code: bool = False
    # Where the indexes are stored.
    work: str = ""

    @property
    def queries(self):
        return os.path.join(self.folder, "queries.tsv")

    @property
    def qrels(self):
        return os.path.join(self.folder, "qrels.txt")

    @property
    def depth(self):
        """The number of hits per query. A known item after the first 100 hits hardly changes the mean."""
        return 1000 if self.is_topical else 100

    def database(self, program, language=None, stop_words=None):
        """Returns the path of an index, which is built unless it exists. Without options, it has the language of the collection."""
        language = self.language if language is None else language
        name = f"{language or 'none'}-{stop_words or 'none'}.concord"
        path = os.path.join(self.work, name)
        if not os.path.exists(path):
            os.makedirs(self.work, exist_ok=True)
            options = (["--language", language] if language else []) + (["--stop-words", stop_words] if stop_words else [])
            documents = ["--no-ignore", "."] if self.is_code else [self.documents]
            subprocess.run([program, "index", "-q", "-d", path + ".part", "--no-patterns", *options, *documents], check=True,
                           cwd=self.documents if self.is_code else None)
            os.rename(path + ".part", path)
        return path

    def swept(self, count):
        """Returns the collection with the queries for sweeps: all if they were judged by people, otherwise the first ones."""
        if self.is_topical:
            return self
        folder = os.path.join(self.work, f"first-{count}")
        os.makedirs(folder, exist_ok=True)
        with open(self.queries, encoding="utf-8") as file:
            lines = file.readlines()[:count]
        ids = {line.split("\t")[0] for line in lines}
        with open(self.qrels, encoding="utf-8") as file:
            judgements = [line for line in file if line.split()[0] in ids]
        for name, text in (("queries.tsv", lines), ("qrels.txt", judgements)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.writelines(text)
        return dataclasses.replace(self, folder=folder)


def read_queries(collection):
    """Returns the text of each query by its id."""
    with open(collection.queries, encoding="utf-8") as file:
        return dict(line.rstrip("\n").split("\t", 1) for line in file)


def document_count(collection):
    """Returns the number of documents; of source code, the number of files."""
    if collection.is_code:
        return sum(len(names) for _, _, names in os.walk(collection.documents))
    with open(collection.documents, encoding="utf-8") as file:
        return sum(1 for _ in file)


def write_queries(path, queries):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{name}\t{text}\n" for name, text in queries.items())


def make(folders, tree, work):
    """Returns all collections: the given folders, and those that known_items.py and languages.py make from what is installed."""
    found = []
    for folder in folders:
        name = os.path.basename(os.path.normpath(folder))
        found.append(Collection(name, name, folder, os.path.join(folder, "documents.jsonl"), "en", is_topical=True))
    for name, rule in known_items.COLLECTIONS.items():
        if name not in known_items.FROM_LINUX or os.path.isdir(tree):
            found.append(_made(work, name, GROUPS.get(name, name), "en", lambda folder, rule=rule: known_items.make(rule, tree, folder)))
    for name in sorted(os.listdir(languages.MANUALS)):
        if not name.startswith("man") and len(glob.glob(os.path.join(languages.MANUALS, name, "man*", "*.gz"))) >= PAGES:
            code = name.split("_")[0]
            found.append(_made(work, name, "translations", code if code in languages.STEMMED else "",
                               lambda folder, name=name: languages.manual(name, folder)))
    found.append(_made(work, "polyglot", "translations", "", languages.polyglot))
    if os.path.isdir(tree):
        found.append(Collection("code-queries", "code", CODE, os.path.abspath(tree), is_code=True))
    for collection in found:
        collection.work = os.path.join(work, collection.name)
    # A language of which only a few pages have a description does not give a mean.
    return [collection for collection in found if len(read_queries(collection)) >= 40]


def _made(work, name, group, language, rule):
    folder = os.path.join(work, name, "collection")
    if not os.path.exists(os.path.join(folder, "qrels.txt")):
        os.makedirs(folder, exist_ok=True)
        rule(folder)
    return Collection(name, group, folder, os.path.join(folder, "documents.jsonl"), language)

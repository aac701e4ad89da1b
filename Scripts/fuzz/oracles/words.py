"""A simple evaluator of search queries on documents of ASCII words, and stock FTS5 for its query language."""
import sqlite3


def matches(tree, document):
    """Returns whether a document matches a tree of grammars/searches.py.

    The document is a dictionary of fields with space-separated words.
    """
    name, *parts = tree
    if name in ("box", "and"):
        return all(matches(part, document) for part in parts)
    if name == "brackets":
        return matches(parts[0], document)
    if name in ("minus", "not"):
        return not matches(parts[0], document)
    if name == "or":
        return any(matches(part, document) for part in parts)
    if name == "field":
        return matches(parts[1], {parts[0]: document[parts[0]]})
    fields = [text.split() for text in document.values()]
    if name == "word":
        return any(parts[0] in words for words in fields)
    if name == "prefix":
        return any(word.startswith(parts[0]) for words in fields for word in words)
    if name == "phrase":
        size = len(parts)
        return any(words[start:start + size] == parts for words in fields for start in range(len(words) - size + 1))
    raise ValueError(f"the evaluator has no {name}")


class StockFTS5:
    """The same documents in an FTS5 table of stock SQLite."""

    def __init__(self, documents):
        self.connection = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection.execute("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, title, text)")
        self.connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [
            (name, document["title"], document["text"]) for name, document in documents.items()])

    def ids(self, query):
        return sorted(row[0] for row in self.connection.execute("SELECT id FROM t WHERE t MATCH ?", (query,)))

    def close(self):
        self.connection.close()

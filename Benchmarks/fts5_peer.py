"""Saves documents into a plain SQLite table and an FTS5 table, for peers.py: fts5_peer.py PIECES COUNT PATH WORD...

Each batch of 1,000 documents is one transaction. The FTS5 table stores only its index, because the documents are in the
other table. Prints the documents per second, and the number of documents with each word.
"""
import json
import sqlite3
import sys
import time

import scans


def main(pieces, count, path, *words):
    documents, texts = [], []
    for number, line in scans.lines(pieces, int(count)):
        # The JSON is parsed before the time starts.
        document = json.loads(line)
        documents.append((number, str(number), line.decode()))
        texts.append((number, document["title"], document["body"]))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE d (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT)")
    connection.execute("CREATE VIRTUAL TABLE f USING fts5(title, body, content = '', tokenize = 'unicode61')")
    start = time.perf_counter()
    for first in range(0, len(documents), 1000):
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO d VALUES (?, ?, ?)", documents[first : first + 1000])
        connection.executemany("INSERT INTO f (rowid, title, body) VALUES (?, ?, ?)", texts[first : first + 1000])
        connection.execute("COMMIT")
    seconds = time.perf_counter() - start
    hits = {
        word: connection.execute("SELECT count(*) FROM f WHERE f MATCH ?", (word,)).fetchone()[0] for word in words}
    print(json.dumps({"perSecond": len(documents) / seconds, "hits": hits}))


if __name__ == "__main__":
    main(*sys.argv[1:])

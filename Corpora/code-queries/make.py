"""Makes the queries and judgements of this folder from the Linux source tree.

    make.py .corpora/linux

Every relevant file is determined by a rule that does not depend on a search engine; README.md describes the rules. The choice among
the candidates of a rule is random with a fixed seed.
"""
import collections
import os
import random
import re
import sys

SEED = 61
COUNTS = {"function": 30, "macro": 10, "struct": 10, "parts": 15, "camel": 10, "path": 10, "tail": 10, "name": 5}
EXPORT = re.compile(r"^EXPORT_SYMBOL(?:_GPL)?\((\w+)\);", re.M)
MACRO = re.compile(r"^#\s*define\s+(\w+)", re.M)
STRUCT = re.compile(r"^struct (\w+) \{", re.M)
WORD = re.compile(r"\w+")
# The part of the tree that all architectures share.
FOLDERS = ("block", "crypto", "drivers", "fs", "include", "init", "io_uring", "ipc", "kernel", "lib", "mm", "net", "security", "sound")
MINIMUM_FILES = 40


def read(tree):
    """Returns the text of each C file by its path in the tree."""
    texts = {}
    for folder, folders, names in os.walk(tree):
        folders.sort()
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as file:
                    texts[os.path.relpath(path, tree)] = file.read()
    return texts


def unique(texts, pattern):
    """Returns the names that the pattern finds in exactly one file, with this file, in the shared folders."""
    files = collections.defaultdict(set)
    for path, text in texts.items():
        for name in pattern.findall(text):
            files[name].add(path)
    found = {name: next(iter(paths)) for name, paths in files.items() if len(paths) == 1}
    return {name: path for name, path in found.items() if path.split("/")[0] in FOLDERS}


def camel_parts(name):
    """Returns the words of a name in camel case."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make.py TREE")
    texts = read(sys.argv[1])
    uses = collections.Counter()
    for text in texts.values():
        uses.update(set(WORD.findall(text)))
    generator = random.Random(SEED)

    def used(names):
        return sorted(name for name in names if uses[name] >= MINIMUM_FILES)

    exports, macros, structs = (unique(texts, pattern) for pattern in (EXPORT, MACRO, STRUCT))
    chosen = []

    def choose(kind, candidates, query):
        for candidate in generator.sample(candidates, COUNTS[kind]):
            chosen.append((kind, *query(candidate)))

    functions = used(exports)
    choose("function", functions, lambda name: (name, exports[name]))
    choose("macro", [n for n in used(macros) if n.isupper()], lambda name: (name, macros[name]))
    choose("struct", used(structs), lambda name: ("struct " + name, structs[name]))
    choose("parts", [n for n in functions if 3 <= len(n.strip("_").split("_")) <= 4 and n.islower()],
           lambda name: (" ".join(name.strip("_").split("_")), exports[name]))
    names = {**macros, **structs, **exports}
    camel = [n for n in sorted(names) if uses[n] >= 10 and re.fullmatch(r"([A-Z][a-z]+){2,}", n)]
    choose("camel", camel, lambda name: (" ".join(camel_parts(name)).lower(), names[name]))
    paths = sorted(path for path in texts if path.split("/")[0] in FOLDERS and path.count("/") >= 2)
    choose("path", paths, lambda path: (path, path))
    tails = collections.Counter("/".join(path.split("/")[-2:]) for path in texts)
    choose("tail", [p for p in paths if tails["/".join(p.split("/")[-2:])] == 1],
           lambda path: ("/".join(path.split("/")[-2:]), path))
    basenames = collections.Counter(os.path.basename(path) for path in texts)
    choose("name", [p for p in paths if basenames[os.path.basename(p)] == 1], lambda path: (os.path.basename(path), path))

    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "queries.tsv"), "w") as queries, open(os.path.join(folder, "qrels.txt"), "w") as qrels:
        for number, (kind, query, path) in enumerate(chosen, 1):
            queries.write(f"{kind}-{number}\t{query}\n")
            qrels.write(f"{kind}-{number} 0 {path} 1\n")


if __name__ == "__main__":
    main()

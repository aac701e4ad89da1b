"""Writes any number of different JSONL documents of about 1 kB: python3 variations.py PIECES OUT COUNT

Each document is a piece of the Linux source (`make corpus-linux`) or of the documentation that Debian's packages have installed
(/usr/share/doc), with its lines in another order and one word in eight replaced. The replacements are words of other
documents, and names that are joined from two of them, so that the number of different words grows with the number of
documents. The documents depend on their numbers only.
"""
import json
import multiprocessing
import os
import random
import re
import sys

DOCUMENTATION = "/usr/share/doc"
BATCH = 10_000


def documentation():
    """Returns pieces of the text files of the installed documentation."""
    found = []
    for folder, folders, files in os.walk(DOCUMENTATION):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if os.path.islink(path) or "." in name and not name.endswith((".txt", ".md", ".html", ".rst")):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
            except (UnicodeDecodeError, OSError):
                continue
            found += [(path, name, text[start : start + 1000]) for start in range(0, len(text), 1000)]
    return found


def load(pieces):
    """Loads the pieces and the words of each process."""
    global texts, words
    with open(pieces, encoding="utf-8") as file:
        texts = [(piece["path"], piece["title"], piece["body"]) for piece in map(json.loads, file)]
    texts += documentation()
    sample = random.Random(0).sample(texts, min(len(texts), 20_000))
    words = sorted({word for _, _, body in sample for word in re.findall(r"[A-Za-z]{3,12}", body)})


def document(number):
    chance = random.Random(number)
    path, title, body = texts[int(chance.random() * len(texts))]
    changed = body.split("\n")
    chance.shuffle(changed)
    changed = "\n".join(changed).split(" ")
    for _ in range(len(changed) // 8):
        word = words[int(chance.random() * len(words))]
        # One replacement in sixteen is a new name.
        if chance.random() < 1 / 16:
            word += "_" + words[int(chance.random() * len(words))]
        changed[int(chance.random() * len(changed))] = word
    return json.dumps({"path": f"{number}/{path}", "title": title, "body": " ".join(changed)})


def batch(first):
    return "".join(document(number) + "\n" for number in range(first, min(first + BATCH, count)))


if __name__ == "__main__":
    count = int(sys.argv[3])
    load(sys.argv[1])
    with multiprocessing.get_context("fork").Pool() as pool, open(sys.argv[2], "w", encoding="utf-8") as file:
        for lines in pool.imap(batch, range(0, count, BATCH)):
            file.write(lines)

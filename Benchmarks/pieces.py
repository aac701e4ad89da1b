"""Splits a source tree into JSONL documents of about 1 kB: python3 pieces.py TREE OUT COUNT

Files are read in the order of their paths and cut at the first line end after every 1,000 characters.
"""
import json
import os
import sys


def texts(tree):
    for folder, folders, files in os.walk(tree):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            try:
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, tree), name, file.read()
            except UnicodeDecodeError:
                continue


def pieces(text):
    start = 0
    while start < len(text):
        end = min(len(text), start + 1000)
        line_end = text.find("\n", end)
        if line_end < 0 or line_end - end > 400:
            line_end = end
        yield text[start:line_end]
        start = line_end


def main(tree, out, count):
    written = 0
    with open(out, "w", encoding="utf-8") as file:
        for path, name, text in texts(tree):
            for number, piece in enumerate(pieces(text)):
                if written == count:
                    return
                file.write(json.dumps({"path": f"{path}#{number}", "title": name, "body": piece}) + "\n")
                written += 1


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))

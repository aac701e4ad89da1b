#!/usr/bin/env python3
"""Scripts/check_languages.py CONCORD [COUNT]: measures `concord index --language auto` on Corpora/polyglot and on
translated man pages (Debian: manpages-de, manpages-fr, ...), COUNT pages of each language.

A page counts as correct if its stored language is that of its folder. Prints each language with its errors."""
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Serbian and Croatian are one language for the stemmer, and CLD2 reports Bosnian for some Croatian texts.
SAME = {"no": "nb", "hr": "sr", "bs": "sr", "iw": "he"}


def plain(roff):
    """Returns the text of a man page without requests and escapes."""
    lines = []
    for line in roff.splitlines():
        match = re.match(r"[.']\s*(SH|SS|B|I|BR|BI|IR|RB|IB|TP|Nd|Sh)\b\s*(.*)", line)
        if match:
            lines.append(match.group(2))
        elif not line.startswith((".", "'")):
            lines.append(line)
    return re.sub(r"\\f(\[\w*\]|\(..|.)|\\[-&%/,]|\\s[-+]?\d|\\\*?\(..|\\\[[^]]*\]", "", "\n".join(lines))


def pages(count):
    generator = random.Random(24)
    for folder in sorted(Path("/usr/share/man").iterdir()):
        language = re.match(r"([a-z]{2})(_[A-Z]{2})?$", folder.name)
        if not language:
            continue
        files = sorted(f for f in folder.glob("man[158]/*.gz") if not f.is_symlink())
        generator.shuffle(files)
        found = 0
        for file in files:
            try:
                text = plain(gzip.open(file).read().decode())
            except UnicodeDecodeError:
                continue
            # Shorter pages only refer to others.
            if len(text) >= 1000 and found < count:
                found += 1
                yield language.group(1), file.name, text


def main():
    concord, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 15
    polyglot = Path(__file__).parent.parent / "Corpora/polyglot"
    with tempfile.TemporaryDirectory() as folder:
        wanted = {}
        for language, name, text in pages(count):
            path = Path(folder, "man", language, name.removesuffix(".gz") + ".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            wanted[str(path.relative_to(folder))] = language
        for file in polyglot.glob("*.md"):
            if file.stem not in ("README", "edge-cases"):
                path = Path(folder, "polyglot", file.name)
                path.parent.mkdir(exist_ok=True)
                path.write_bytes(file.read_bytes())
                wanted[str(path.relative_to(folder))] = file.stem[:2]
        subprocess.run([concord, "index", "-q", "--language", "auto", "."], cwd=folder, check=True)
        rows = subprocess.run([concord, "query", "--json", "SELECT path, language FROM _"], cwd=folder, check=True,
                              stdout=subprocess.PIPE).stdout.splitlines()
        totals = {}
        for row in map(json.loads, rows):
            want, got = wanted[row["path"]], (row.get("language") or "unknown")
            group = row["path"].split("/")[0]
            right = SAME.get(got, got).split("-")[0] == SAME.get(want, want)
            for key in (group, f"{group}/{want}" if group == "man" else None):
                if key:
                    total = totals.setdefault(key, [0, 0, []])
                    total[0] += 1
                    total[1] += right
                    if not right:
                        total[2].append(f"{row['path']}: {got}")
        for key, (number, right, errors) in sorted(totals.items()):
            print(f"{key}: {right} of {number}, {100 * right / number:.1f} %", *(errors[:4] if "/" in key or key == "polyglot" else []))


main()

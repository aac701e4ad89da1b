#!/usr/bin/env python3
"""Scripts/check_formats.py CONCORD [COUNT] [FORMAT...]: writes files with LibreOffice, pandoc, ghostscript and Python, each with a
sentence in six languages, and checks that `concord index` finds each sentence at its location. Then indexes COUNT (300) truncated and
changed copies of each file: no run may crash or take more than five minutes, and a text file in the same folder must be found.

Programs that are not installed are reported, and their formats left out."""
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from email.message import EmailMessage
from pathlib import Path

SENTENCES = [("en", "The lighthouse keeper counts the ships.", "lighthouse"),
             ("de", "Der Leuchtturmwärter zählt die Schiffe.", "Leuchtturmwärter"),
             ("el", "Ο φαροφύλακας μετράει τα πλοία.", "φαροφύλακας"),
             ("ru", "Смотритель маяка считает корабли.", "Смотритель"),
             ("fr", "Le gardien du phare compte les bateaux.", "gardien"),
             ("tr", "Deniz feneri bekçisi gemileri sayıyor.", "bekçisi")]


# The separator, the quotation mark and the character set of a table.
UTF8 = "--infilter=CSV:44,34,76"


def run(arguments, folder, limit=300):
    return subprocess.run(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit, check=False)


def office(folder, source, target, extension, *options):
    """Converts a file with LibreOffice."""
    result = run(["soffice", *options, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", target,
                  "--outdir", str(folder), str(source)], folder)
    path = folder / f"{source.stem}.{extension}"
    if not path.exists():
        raise OSError(f"LibreOffice did not write {path.name}: {result.stderr.decode()[:300]}")
    return path


def pandoc(folder, source, extension, *options):
    path = folder / f"pandoc.{extension}"
    result = run(["pandoc", "-s", "-o", str(path), *options, str(source)], folder)
    if result.returncode:
        raise OSError(result.stderr.decode()[:300])
    return path


def files(folder):
    """Yields (name of the format, file, locations of the sentences), or the reason why a file was not written."""
    chapters = folder / "chapters.md"
    chapters.write_text("---\ntitle: Lights\nauthor: A. Fresnel\nlang: en\n---\n\n" + "".join(
        f"# Part {n}\n\n{text}\n\n" for n, (_, text, _) in enumerate(SENTENCES, 1)))
    breaks = "<p style='page-break-before: always'>"
    page = folder / "page.html"
    page.write_text("<html><meta charset=utf-8><body>" + breaks.join(f"<p>{text}" for _, text, _ in SENTENCES) + "</body></html>")
    table = folder / "table.csv"
    table.write_text("".join(f"{code},{text}\n" for code, text, _ in SENTENCES))
    one, numbers = [""] * 6, [f":{n}" for n in range(1, 7)]
    makers = {
        "pandoc docx": lambda: (pandoc(folder, chapters, "docx"), one),
        "pandoc odt": lambda: (pandoc(folder, chapters, "odt"), one),
        "pandoc rtf": lambda: (pandoc(folder, chapters, "rtf"), one),
        "pandoc epub": lambda: (pandoc(folder, chapters, "epub"), None),
        "pandoc pptx": lambda: (pandoc(folder, chapters, "pptx"), [f":{n}" for n in range(2, 8)]),
        "pandoc ipynb": lambda: (pandoc(folder, chapters, "ipynb"), None),
        "pandoc man": lambda: (pandoc(folder, chapters, "1", "-t", "man"), [f":Part {n}" for n in range(1, 7)]),
        "LibreOffice odt": lambda: (office(folder, page, "odt:writer8", "odt"), one),
        "LibreOffice docx": lambda: (office(folder, folder / "pandoc.odt", "docx", "docx"), one),
        "LibreOffice rtf": lambda: (office(folder, folder / "pandoc.odt", "rtf", "rtf"), one),
        "LibreOffice pdf": lambda: (office(folder, folder / "page.odt", "pdf", "pdf"), None),
        "LibreOffice xlsx": lambda: (office(folder, table, "xlsx", "xlsx", UTF8), [":table"] * 6),
        "LibreOffice ods": lambda: (office(folder, table, "ods", "ods", UTF8), [":table"] * 6),
        "LibreOffice odp": lambda: (office(folder, folder / "pandoc.pptx", "odp", "odp"), [f":{n}" for n in range(2, 8)]),
        "ghostscript pdf": lambda: (ghostscript(folder), None),
        "zip": lambda: (archive(folder), [f"/letters/{code}.txt" for code, _, _ in SENTENCES]),
        "mail": lambda: (mail(folder), [""] + [f"/{code}.txt" for code, _, _ in SENTENCES[1:]]),
        "sqlite": lambda: (database(folder), [":ships"] * 6),
        "srt": lambda: (subtitles(folder), [f":00:00:0{n}" for n in range(1, 7)]),
    }
    for name, make in makers.items():
        try:
            path, locations = make()
            yield name, path, locations
        except (OSError, subprocess.TimeoutExpired) as error:
            yield name, None, str(error)


def ghostscript(folder):
    path = folder / "gs.pdf"
    result = run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={path}", str(folder / "page.pdf")], folder)
    if result.returncode:
        raise OSError(result.stderr.decode()[:300])
    return path


def archive(folder):
    path = folder / "box.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box:
        for code, text, _ in SENTENCES:
            box.writestr(f"letters/{code}.txt", text + "\n")
    return path


def mail(folder):
    message = EmailMessage()
    message["Subject"] = "Lights"
    message.set_content(SENTENCES[0][1])
    for code, text, _ in SENTENCES[1:]:
        message.add_attachment(text, filename=f"{code}.txt")
    path = folder / "mail.eml"
    path.write_bytes(message.as_bytes())
    return path


def database(folder):
    path = folder / "base.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE ships (id INTEGER, text TEXT)")
        base.executemany("INSERT INTO ships VALUES (?, ?)", list(enumerate(text for _, text, _ in SENTENCES)))
    base.close()
    return path


def subtitles(folder):
    path = folder / "film.srt"
    path.write_text("".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n\n" for n, (_, text, _) in enumerate(SENTENCES, 1)))
    return path


def index(concord, folder, arguments=()):
    result = run([concord, "index", "-q", "--optional-formats", "sqlite,image,audio", *arguments, "."], folder)
    if result.returncode:
        raise OSError(f"exit status {result.returncode}: {result.stderr.decode()[:500]}")


def found(concord, folder, word):
    lines = run([concord, "search", "--exact", "--json", word], folder).stdout.splitlines()
    return sorted(json.loads(line)["id"] for line in lines)


def check_locations(concord, path, locations):
    """Returns the differences of the found ids."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(path, folder)
        index(concord, folder)
        wrong, ids = [], []
        for number, (_, _, word) in enumerate(SENTENCES):
            got = found(concord, folder, word)
            ids += got
            wanted = None if locations is None else path.name + locations[number]
            # A program may add pages and chapters, such as a title page, so only the order is known.
            if len(got) != 1 or wanted not in (None, got[0]):
                wrong.append(f"{word}: {got} instead of {wanted or 'one hit'}")
        if locations is None and ids != sorted(ids, key=lambda name: int(name.rpartition(":")[2])):
            wrong.append(f"the order is {ids}")
        return wrong


def check_damage(concord, path, count):
    data = path.read_bytes()
    generator = random.Random(path.name)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            copy = bytearray(data)
            if number % 3 == 0:
                copy = copy[:generator.randrange(len(copy))]
            else:
                for _ in range(generator.randint(1, 20)):
                    copy[generator.randrange(len(copy))] = generator.randrange(256)
            Path(folder, f"{number}{path.suffix}").write_bytes(copy)
        Path(folder, "zz.txt").write_text("a periscope\n")
        index(concord, folder)
        return [] if "zz.txt" in found(concord, folder, "periscope") else ["zz.txt was not found"]


def main():
    concord = str(Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, path, locations in files(Path(folder)):
            if path is None:
                print(f"{name}: not checked, {locations}", flush=True)
                continue
            if len(sys.argv) > 3 and not any(part in name for part in sys.argv[3:]):
                continue
            try:
                wrong = check_locations(concord, path, locations) + check_damage(concord, path, count)
            except (OSError, subprocess.TimeoutExpired) as error:
                wrong = [str(error)]
            failures += bool(wrong)
            print(f"{name}: {'; '.join(wrong) or f'6 sentences found, {count} damaged files indexed'}", flush=True)
    sys.exit(1 if failures else 0)


main()

"""Random tables as CSV and TSV."""
from grammars.documents import WORDS

CELLS = ["", "0", "1", "-1", "1.5", "1.50", "01234", "1e5", "1E5", "+1", " 1", "1 ", "NaN", "inf", "true", "null", "a\"b",
         "\"", "a,b", "a;b", "a\tb",
         "line\nbreak", "two\r\nlines", " padded ", "'", "é", "日本語", "=1+1", "9223372036854775807", "9223372036854775808",
         "-0", ".5", "5.", "0x10",
         "\\", "\\n", "{\"a\":1}", "[1]", "\u00a0"]


def table(random):
    """Returns a header of distinct names, and rows as wide as the header."""
    width = random.randint(1, 5)
    header = random.sample(["name", "a b", "n", "x.y", "é", "text", "k\"q", "c,d"], width)
    rows = []
    for _ in range(random.randint(0, 6)):
        rows.append([random.choice(CELLS) if random.random() < 0.6 else random.choice(WORDS) for _ in range(width)])
    return header, rows


def written(random, header, rows, delimiter):
    """Returns the text of a table. Cells are quoted if quotes are required, and sometimes if they are not."""
    end = random.choice(["\n", "\n", "\r\n"])

    def cell(text):
        needs = any(character in text for character in (delimiter, '"', "\n", "\r")) or text != text.strip()
        return '"' + text.replace('"', '""') + '"' if needs or random.random() < 0.2 else text

    lines = [delimiter.join(map(cell, row)) for row in [header, *rows]]
    return end.join(lines) + random.choice(["", end])

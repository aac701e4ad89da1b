"""Random queries of the search box and of FTS5 query syntax, as trees that oracles evaluate."""
from grammars.documents import WORDS
from mutate import mutate_text

FIELDS = ["title", "text"]

PIECES = ['"', "“", "”", "„", "-", "–", " OR ", " AND ", " NOT ", "(", ")", "title:", "text:", "nofield:", "*", "~", "~2",
          "^2", ":", "NEAR(",
          "{title text}:", "-title:", "title:(", "title:-", "C++", "a.b", "http://x/?a=b", "don't", "'", "+", "京都", "é",
          "@", "#define",
          "path:", "type:", "\0", "…", "\u200b"]


def document(random):
    """Returns a document of words: `title` is short, `text` longer, `n` is a number."""
    pool = random.sample(WORDS, 14)
    made = {"title": " ".join(random.choice(pool) for _ in range(random.randint(1, 3))), "n": random.randrange(10)}
    made["text"] = " ".join(random.choice(pool) for _ in range(random.randint(0, 25)))
    return made


def term(random, fields=True):
    kind = random.randrange(10)
    if kind < 5:
        made = ["word", random.choice(WORDS)]
    elif kind < 7:
        made = ["phrase", *(random.choice(WORDS) for _ in range(random.choice([2, 2, 3])))]
    else:
        made = ["prefix", random.choice(WORDS)[:random.choice([1, 2, 3])]]
    return ["field", random.choice(FIELDS), made] if fields and random.random() < 0.2 else made


def box_query(random, depth=2):
    """Returns a query of the search box, whose parts are all required. NOT binds more tightly than AND, AND than OR."""
    parts = [alternatives(random, depth)]
    for _ in range(random.randrange(3)):
        kind = random.randrange(6)
        if kind < 2:
            parts.append([random.choice(["minus", "not"]), term(random)])
        else:
            parts.append(alternatives(random, depth))
    return ["box", *parts]


def alternatives(random, depth):
    """Returns one part, or several joined by OR."""
    count = random.choice([1, 1, 1, 2, 3])
    return conjunction(random, depth) if count == 1 else ["or", *(conjunction(random, depth) for _ in range(count))]


def conjunction(random, depth):
    """Returns one part, or several joined by AND, some of them negated."""
    parts = [bracketed(random, depth) for _ in range(random.choice([1, 1, 1, 2, 3]))]
    parts[1:] = [["not", part] if random.random() < 0.3 else part for part in parts[1:]]
    return parts[0] if len(parts) == 1 else ["and", *parts]


def bracketed(random, depth):
    """Returns a term, or a query in brackets."""
    return ["brackets", box_query(random, depth - 1)] if depth and random.random() < 0.15 else term(random)


def fts5_query(random, depth=2):
    """Returns a query in FTS5 query syntax."""
    kind = random.randrange(10)
    if depth > 0 and kind < 4:
        return [random.choice(["AND", "OR", "NOT"]), fts5_query(random, depth - 1), fts5_query(random, depth - 1)]
    if kind == 4:
        return ["near", str(random.randrange(5)), random.choice(WORDS), random.choice(WORDS)]
    if kind == 5:
        return ["first", random.choice(WORDS)]
    return term(random)


def written(tree):
    """Returns a tree as the text of a query, in either language."""
    name, *parts = tree
    if name == "box":
        return " ".join(map(written, parts))
    if name == "word":
        return parts[0]
    if name == "phrase":
        return '"' + " ".join(parts) + '"'
    if name == "prefix":
        return parts[0] + "*"
    if name == "field":
        return f"{parts[0]}:{written(parts[1])}"
    if name == "minus":
        return "-" + written(parts[0])
    if name == "or":
        return " OR ".join(map(written, parts))
    if name == "and":
        return " AND ".join(map(written, parts))
    if name == "not":
        return "NOT " + written(parts[0])
    if name == "brackets":
        return "(" + written(parts[0]) + ")"
    if name in ("AND", "OR", "NOT"):
        return f"({written(parts[0])}) {name} ({written(parts[1])})"
    if name == "near":
        return f"NEAR({parts[1]} {parts[2]}, {parts[0]})"
    if name == "first":
        return "^" + parts[0]
    raise ValueError(f"unknown node {name}")


# Ranges of letters and marks of scripts that are analyzed differently.
SCRIPTS = [(0x61, 0x7A), (0xC0, 0xF6), (0x100, 0x17F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x5EA), (0x620, 0x64A),
           (0x904, 0x939), (0xE01, 0xE30), (0x1E00, 0x1EFF),
           (0x3041, 0x3096), (0x30A1, 0x30FA), (0x4E00, 0x4FFF), (0xAC00, 0xACFF), (0x10400, 0x1044F), (0x1D400, 0x1D433),
           (0x20000, 0x20050), (0x0F40, 0x0F6C), (0x1780, 0x17B3)]


def foreign_text(random):
    """Returns words in random scripts, some with marks, digits or an apostrophe."""
    words = []
    for _ in range(random.randint(1, 8)):
        low, high = random.choice(SCRIPTS)
        letters = (chr(random.randint(low, high)) for _ in range(random.randint(1, 7)))
        word = "".join(letter for letter in letters if letter.isalpha())
        if word and random.random() < 0.2:
            word += random.choice(["\u0301", "1", "'s", "_x", "-y", ".z", "ß", "İ", "\u00ad" + "a"])
        words.append(word or "x")
    return " ".join(words)


def garbage(random):
    """Returns arbitrary text."""
    text = written(box_query(random)) if random.random() < 0.5 else written(fts5_query(random))
    return mutate_text(random, text, PIECES, random.choice([1, 2, 5, 20, 60]))

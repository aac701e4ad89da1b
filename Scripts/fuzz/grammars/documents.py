"""Random JSON documents with the properties that random queries use."""

WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo", "lima",
         "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey",
         "xray", "yankee", "zulu"]

NUMBERS = [0, 1, -1, 2, 3, 7, 10, 255, -128, 0.5, 1.5, -2.25, 1e3, 1e15, 123456789, 9007199254740993, 2147483648,
           9223372036854775807, -9223372036854775808, 1e300]


def scalar(random):
    """Returns a number, string, Boolean or null."""
    kind = random.randrange(10)
    if kind < 4:
        return random.choice(NUMBERS[:10])
    if kind < 5:
        return random.choice(NUMBERS)
    if kind < 8:
        return text(random, 2)
    return random.choice([True, False, None])


def text(random, most=8):
    """Returns words separated by spaces, or sometimes an empty string or text with other characters."""
    if random.random() < 0.1:
        return random.choice(["", " ", "10", "%", "a_b", "Éclair", "straße", "line\nbreak", "tab\t", "\\", "日本語", "👩‍💻"])
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, most)))


def document(random):
    """Returns a document: `a`, `b` and `c` are scalars, `s` is mostly text, `o.x` is nested, `tags` is an array."""
    made = {}
    for name in ("a", "b", "c"):
        if random.random() < 0.8:
            made[name] = scalar(random)
    if random.random() < 0.9:
        made["s"] = text(random) if random.random() < 0.9 else scalar(random)
    if random.random() < 0.6:
        made["o"] = {"x": scalar(random), "y": random.randrange(5)} if random.random() < 0.8 else {}
    if random.random() < 0.7:
        made["tags"] = [scalar(random) for _ in range(random.randrange(4))]
    return made

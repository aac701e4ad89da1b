"""Random changes to text and bytes."""

# Text that often breaks parsers: delimiters of many syntaxes, extreme numbers, characters with unusual widths.
PIECES = [
    "", " ", "\t", "\n", "\r\n", "\0", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "\u202e", "\u0301",
    "\U0001f469\u200d\U0001f4bb",
    "'", '"', "`", "\\", "(", ")", "[", "]", "{", "}", "<", ">", "&", "#", "$", "%", "*", "+", "-", "--", "/*", "*/", ";",
    ":", "=", "?", "@", "^", "|", "~", ",", ".", "..", "/", "0", "-1", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616", "1e400", "1e-400", "NaN", "0x10", "é", "e\u0301", "ß", "İ", "ﬁ", "京都", "\ud7ff", "\uffff",
    "\U0010ffff",
]


def mutate_text(random, text, pieces=(), changes=None):
    """Returns the text after random changes: removed, repeated, swapped and inserted parts."""
    pool = list(pieces) + PIECES
    for _ in range(changes or random.choice([1, 1, 2, 3, 5, 10])):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 1, 1, 2, 4, 10, 40]))
        kind = random.randrange(5)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = text[:end] + text[start:end] * random.choice([1, 1, 2, 30]) + text[end:]
        elif kind == 2:
            other = random.randrange(len(text) + 1)
            text = text[:start] + text[other:other + 12] + text[end:]
        else:
            text = text[:start] + random.choice(pool) + text[end:]
    return text


def mutate_bytes(random, data, changes=None):
    """Returns the bytes after random changes to single bytes and runs of bytes."""
    data = bytearray(data)
    for _ in range(changes or random.choice([1, 1, 2, 4, 16])):
        start = random.randrange(len(data) + 1)
        kind = random.randrange(5)
        if kind == 0 and start < len(data):
            data[start] = random.randrange(256)
        elif kind == 1 and start < len(data):
            data[start] ^= 1 << random.randrange(8)
        elif kind == 2:
            del data[start:start + random.choice([1, 2, 8, 64])]
        elif kind == 3:
            data[start:start] = random.choice(PIECES).encode("utf-8", "surrogatepass")
        else:
            data[start:start] = data[start:start + random.choice([1, 4, 32])]
    return bytes(data)

"""Random JSON texts: valid texts in unusual forms, and some invalid texts."""
import json

from mutate import mutate_text

NUMBERS = ["0", "-0", "1", "-1", "0.1", "1.50", "1e5", "1E+5", "1e-7", "123456789012345678", "9007199254740993",
           "9223372036854775807",
           "-9223372036854775808", "0.30000000000000004", "1.7976931348623157e308", "5e-324", "2.2250738585072014e-308",
           "100000000000000000000"]
STRINGS = ['""', '"a"', '"\\u0000"', '"\\u001f"', '"\\ud83d\\ude00"', '"😀"', '"\\/"', '"\\\\\\""', '"é"', '"e\\u0301"',
           '"\\ufeff"', '"\\uffff"',
           '"' + "x" * 300 + '"', '"\u2028"', '"<b>"', '"$.a"', '"null"']
KEYS = ['"a"', '"b"', '"c d"', '""', '"$ref"', '"a.b"', '"[0]"', '"é"', '"\\u0061\\u0062"', '"😀"', '"@type"', '"key\\n"',
        '"__proto__"']
PIECES = ["\\ud800", "\\u00", "\\x", "NaN", "Infinity", "-Infinity", "01", "1.", ".5", "+1", "0x1", "'a'", ",", ",,",
          "//", "/* */", "{}", "[]", "null",
          "true", "nul", "\ufeff", "\x01", "1e999", "-1e999", "99999999999999999999999", '"a":1,', "[[[["]


def text(random, depth=4):
    """Returns the text of a value."""
    kind = random.randrange(12)
    if depth > 0 and kind < 2:
        return "[" + separator(random).join(text(random, depth - 1) for _ in range(random.randrange(5))) + "]"
    if depth > 0 and kind < 5:
        return object_text(random, depth)
    if kind < 8:
        return random.choice(NUMBERS)
    if kind < 11:
        return random.choice(STRINGS)
    return random.choice(["true", "false", "null"])


def object_text(random, depth=4, keys=KEYS):
    """Returns the text of an object with distinct keys."""
    chosen = random.sample(keys, random.randrange(5))
    colon = random.choice([":", ": ", " :", " : "])
    return "{" + separator(random).join(key + colon + text(random, depth - 1) for key in chosen) + "}"


def separator(random):
    return random.choice([",", ", ", " ,", ",\n  ", "\t,"])


def document(random):
    """Returns the text of an object, usually a valid one."""
    kind = random.randrange(10)
    if kind == 0:
        depth = random.choice([10, 100, 500, 990, 998, 999, 1000, 1001, 1002, 1200, 5000])
        opening, closing = random.choice([("[", "]"), ('{"a":', "}")])
        return '{"a":' + opening * depth + "1" + closing * depth + "}"
    made = object_text(random)
    return mutate_text(random, made, PIECES) if kind < 5 else made


def records(random):
    """Returns the format and the text of a file of objects, and the objects."""
    plain = ['"a"', '"b"', '"c d"', '"é"', '"t"']
    made = [object_text(random, 2, plain).replace("\n", " ") for _ in range(random.randint(1, 6))]
    form = random.randrange(4)
    if form == 0:
        return "jsonl", "\n".join(made) + random.choice(["", "\n", "\n\n"]), made
    if form == 1:
        return "jsonl", "\r\n".join(made) + "\r\n", made
    if form == 2:
        return "json", "[" + ",".join(made) + "]", made
    values = [json.loads(one) for one in made]
    return "json", json.dumps(values, indent=random.choice([None, 2])), list(map(json.dumps, values))

"""Random regular expressions, and lines for them to match."""
from grammars.documents import WORDS
from mutate import mutate_text

TOKENS = WORDS + ["foo_bar", "fooBar", "x = y + 1;", "a.b(c)", "[0-9]", "1234", "3.14", "0xFF",
                  "http://example.org/a?b=c", "naïve", "Straße", "İstanbul",
                  "日本語", "привет", "\t", "  ", "(((", "$HOME", "C++", "\\d", "a-b", "don't", "ÀÉ", "ſ", "K", "ﬁn",
                  "e\u0301"]

# Syntax that ripgrep's default engine does not support; with it, ripgrep uses PCRE2.
PCRE2_ATOMS = ["(?=[a-z])", "(?!x)", "(?<=a)", "(?<!b)", "(\\w)\\1", "a++", "(?>al|alpha)", "\\K", "(?|a(b)|c(d))", "\\R",
               "\\h", "\\X", "(?i)", "\\Qa.b(c)\\E"]
ATOMS = [".", "[a-z]", "[^a-z ]", "[A-Fa-f0-9]", "\\.", "\\(", "\\x61", "a", "e", "o", " ", "_", "é", "ß",
         "[àé]", "(?:al|br|ch)", "(foo|bar|golf)"]
# Classes with different members in PCRE2 and in ripgrep's default engine.
CLASSES = ["[[:alpha:]]", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "\\b", "\\B", "\\p{L}", "\\p{Lu}", "\\pN", "\\P{L}"]
QUANTIFIERS = ["", "", "", "", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "??", "*?", "+?"]
PIECES = ["(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "\\", "(?", "(?<", "(?P<n>", "\\1", "\\g{-1}", "(*",
          "(*NO_JIT)", "(*UTF)", "(*LIMIT_MATCH=1)",
          "(?R)", "(?C)", "(?1)", "\\E", "\\Q", "\\c", "\\o{", "\\x{110000}", "\\N{U+41}", "{65536}", "{99999,1}",
          "(a+)+$", "(.*)*", "[[:foo:]]", "\\p{Xx}",
          "(?#", "(?x)", "(?s)", "\\n", "\\C", "((((((((((", "[^\\x00-\\xff]", "(?<=a*)", "\\G", "\\A", "\\z"]


def lines(random):
    """Returns the text of a file."""
    made = []
    for _ in range(random.randrange(25)):
        made.append(random.choice([" ", " ", "", "\t"]).join(random.choice(TOKENS) for _ in range(random.randrange(9))))
    end = random.choice(["\n", "\n", "\n", "\r\n"])
    return end.join(made) + random.choice(["", end])


def pattern(random):
    """Returns a valid pattern, and whether ripgrep needs PCRE2 for it."""
    needs = random.random() < 0.5
    pool = ATOMS * 2 + (CLASSES + PCRE2_ATOMS if needs else [])

    def sequence(depth):
        return "".join(part(depth) for _ in range(random.randint(1, 4)))

    def part(depth):
        kind = random.randrange(10)
        if kind < 4:
            word = random.choice(WORDS)
            return word[:random.randint(1, len(word))]
        if kind < 8 or not depth:
            atom = random.choice(pool)
            repeats = not atom.startswith(("(?=", "(?!", "(?<", "\\b", "\\B", "\\K", "(?i)", "a++", "\\Q"))
            return atom + (random.choice(QUANTIFIERS) if repeats else "")
        branches = "|".join(sequence(depth - 1) for _ in range(random.randint(1, 3)))
        return random.choice(["(", "(?:"]) + branches + ")" + random.choice(QUANTIFIERS[:6])

    text = sequence(2)
    return random.choice(["", "", "", "^"]) + text + random.choice(["", "", "", "$"]), needs


def garbage(random):
    """Returns text similar to a pattern."""
    return mutate_text(random, pattern(random)[0], PIECES)

"""Random SQL++ expressions as trees: lists whose first element is the name of the node.

The trees contain only operations that stock SQLite can also evaluate; see oracles/stock_sqlite.py. `sqlpp` writes them
as SQL++.
"""
import json

from grammars.documents import WORDS, scalar

PATHS = ["a", "b", "c", "s", "o.x"]
COMPARISONS = ["=", "!=", "<", "<=", ">", ">="]
TESTS = ["NULL", "NOT NULL", "MISSING", "NOT MISSING", "VALUED", "NOT VALUED"]
PATTERNS = ["%a%", "_lpha%", "%", "", "a_b", "%o", "e%o", "\\%", "%\\_%", "É%", "__", "%e% %"]


def value(random, depth=2):
    """Returns a random tree of a value."""
    kind = random.randrange(10)
    if depth <= 0 or kind < 5:
        return ["path", random.choice(PATHS)]
    if kind < 7:
        return ["literal", scalar(random)]
    if kind == 7:
        return function(random, depth)
    if kind == 8:
        return ["arithmetic", random.choice("+-*/"), operand(random, depth - 1), operand(random, depth - 1)]
    return ["case", condition(random, depth - 1), value(random, depth - 1), value(random, depth - 1)]


def function(random, depth):
    """Returns a call to a function that has an equivalent in stock SQLite."""
    name = random.choice(["LENGTH", "ABS", "CONTAINS", "IFMISSINGORNULL"])
    if name in ("LENGTH", "ABS"):
        return ["function", name, ["path", random.choice(PATHS)]]
    if name == "CONTAINS":
        return ["function", name, ["path", "s"], ["literal", random.choice(["a", "e", "lim", "", " ", "É", "zulu"])]]
    return ["function", name, value(random, depth - 1), ["literal", scalar(random)]]


def operand(random, depth):
    """Returns a value without CASE and functions: stock SQLite cannot distinguish their Boolean results from numbers."""
    made = value(random, depth)
    return ["path", random.choice(PATHS)] if made[0] in ("case", "function") else made


def condition(random, depth=3):
    """Returns a random tree of a condition."""
    kind = random.randrange(12)
    if depth > 0 and kind < 3:
        return [random.choice(["and", "or"]), condition(random, depth - 1), condition(random, depth - 1)]
    if depth > 0 and kind < 5:
        return ["not", condition(random, depth - 1)]
    if kind < 8:
        return ["compare", random.choice(COMPARISONS), value(random, depth - 1), value(random, depth - 1)]
    if kind == 8:
        return ["between", value(random, 0), ["literal", scalar(random)], ["literal", scalar(random)]]
    if kind == 9:
        return ["in", value(random, 0), *(["literal", scalar(random)] for _ in range(random.randint(1, 4)))]
    if kind == 10:
        pattern = random.choice(PATTERNS) if random.random() < 0.7 else random.choice(WORDS)[:3] + "%"
        return ["like", ["path", "s"], pattern]
    return ["is", random.choice(TESTS), value(random, 0)]


def sqlpp(tree):
    """Returns the tree as SQL++ with parentheses around every node."""
    name, *parts = tree
    if name == "literal":
        return literal(parts[0])
    if name == "path":
        return parts[0]
    if name == "arithmetic" or name == "compare":
        return f"({sqlpp(parts[1])} {parts[0]} {sqlpp(parts[2])})"
    if name == "case":
        return f"(CASE WHEN {sqlpp(parts[0])} THEN {sqlpp(parts[1])} ELSE {sqlpp(parts[2])} END)"
    if name in ("and", "or"):
        return f"({sqlpp(parts[0])} {name.upper()} {sqlpp(parts[1])})"
    if name == "not":
        return f"(NOT {sqlpp(parts[0])})"
    if name == "between":
        return f"({sqlpp(parts[0])} BETWEEN {sqlpp(parts[1])} AND {sqlpp(parts[2])})"
    if name == "in":
        return f"({sqlpp(parts[0])} IN [{', '.join(map(sqlpp, parts[1:]))}])"
    if name == "function":
        return f"{parts[0]}({', '.join(map(sqlpp, parts[1:]))})"
    if name == "like":
        return f"({sqlpp(parts[0])} LIKE {literal(parts[1])})"
    if name == "is":
        return f"({sqlpp(parts[1])} IS {parts[0]})"
    if name == "text":
        return f"({parts[0]})"
    raise ValueError(f"unknown node {name}")


def literal(content):
    """Returns a scalar as an SQL++ literal."""
    if isinstance(content, str):
        return "'" + content.replace("'", "''") + "'"
    if isinstance(content, (bool, type(None))):
        return json.dumps(content).upper()
    return repr(content) if content >= 0 else f"({content!r})"

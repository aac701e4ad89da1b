"""Random SQL++ that no oracle can evaluate: queries whose results must be consistent with each other, and queries that
may be invalid."""
from grammars.conditions import COMPARISONS, PATHS, condition, literal, sqlpp, value
from grammars.documents import WORDS, scalar
from mutate import mutate_text

FUNCTIONS = ["LOWER", "UPPER", "LENGTH", "TRIM", "REVERSE", "ABS", "CEIL", "FLOOR", "ROUND", "SQRT", "TYPE", "TO_STRING",
             "TO_NUMBER", "TO_BOOLEAN", "ARRAY_LENGTH", "ARRAY_COUNT", "IS_NUMBER", "IS_STRING", "STR_TO_MILLIS"]

PIECES = ["SELECT ", " FROM _ ", " WHERE ", " AND ", " OR ", " NOT ", " IN ", " IS ", " NULL ", " MISSING ", " LIKE ",
          " BETWEEN ",
          " CASE ", " WHEN ", " THEN ", " END ", " ORDER BY ", " GROUP BY ", " HAVING ", " LIMIT ", " OFFSET ",
          " UNNEST ", " JOIN ",
          " ON ", " AS ", " DISTINCT ", " ALL ", " ANY ", " EVERY ", " SATISFIES ", " COLLATE ", " UNICODE", "META()", "META().id",
          "MATCH(",
          "RANK(", "COUNT(", "SUM(", "ARRAY_AGG(", "$p", "$1", "*", "`", "0x", "1.", ".5", "1e", "''", "[0]", "[-1]",
          "REPEAT('a', 1000)",
          "REGEXP_REPLACE(s, '(a+)+$', 'b')", "PREDICTION(", "||", "missing.", "{'a': ", "[1, 2"]

JOINS = [
    "SELECT META(d).id, t FROM _ AS d UNNEST d.tags AS t WHERE t {test}",
    "SELECT d.a, t FROM _ AS d LEFT UNNEST d.tags AS t",
    "SELECT META(x).id AS l, META(y).id AS r FROM _ AS x JOIN _ AS y ON x.a = y.b WHERE x.a {test}",
    "SELECT META(x).id AS l, META(y).id AS r FROM _ AS x LEFT JOIN _ AS y ON x.o.x = y.a WHERE y.a {test}",
    "SELECT META(x).id AS l FROM _ AS x JOIN _ AS y ON META(x).id = y.s",
]

JSON_QUERIES = [
    '{"WHAT":[["._id"],[".a"]],"FROM":[{"COLLECTION":"_"}],"WHERE":["AND",["=",[".a"],1],["LIKE",[".s"],"a%"]]}',
    '{"WHAT":[["COUNT()",["."]]],"WHERE":["ANY","t",[".tags"],[">",["?t"],0]],"GROUP_BY":[[".a"]],"ORDER_BY":[["DESC",[".a"]]]}',
    '{"WHAT":[["SUM()",[".a"]]],"WHERE":["NOT",["BETWEEN",[".b"],["$lo"],10]],"LIMIT":3,"OFFSET":1}',
]


def rich_condition(random, depth=2):
    """Returns a condition with functions, arrays, regular expressions and collations."""
    kind = random.randrange(9)
    if kind < 2:
        return condition(random, depth)
    if depth > 0 and kind < 4:
        return [random.choice(["and", "or"]), rich_condition(random, depth - 1), rich_condition(random, depth - 1)]
    if depth > 0 and kind == 4:
        return ["not", rich_condition(random, depth - 1)]
    return ["text", random.choice([array_test, function_test, pattern_test, collation_test])(random)]


def array_test(random):
    word = random.choice(["ANY", "EVERY", "ANY AND EVERY", "SOME"])
    test = f"t {random.choice(COMPARISONS)} {literal(scalar(random))}"
    return random.choice([
        f"{word} t IN tags SATISFIES {test} END", f"ARRAY_CONTAINS(tags, {literal(scalar(random))})",
        f"EXISTS tags", f"tags[{random.choice([0, 1, -1, 5])}] {random.choice(COMPARISONS)} {literal(scalar(random))}"])


def function_test(random):
    path = random.choice(PATHS + ["tags", "o"])
    return f"{random.choice(FUNCTIONS)}({path}) {random.choice(COMPARISONS)} {literal(scalar(random))}"


def pattern_test(random):
    word = random.choice(WORDS)
    pattern = random.choice([word[:3], f"^{word}", f"{word}$", f"{word[0]}.*{word[-1]}", f"({word}|zzz)", "[a-m]+",
                             "\\w+ \\w+", "^$"])
    return f"REGEXP_{random.choice(['CONTAINS', 'LIKE'])}(s, {literal(pattern)})"


def collation_test(random):
    name = random.choice(["NOCASE", "(UNICODE NOCASE)", "(UNICODE NOCASE NODIAC)", "UNICODE", "UNICODE:de"])
    return f"s COLLATE {name} {random.choice(COMPARISONS)} {literal(random.choice(WORDS).upper())}"


def statement(random):
    """Returns a complete valid query."""
    if random.random() < 0.2:
        return random.choice(JOINS).format(test=f"{random.choice(COMPARISONS)} {literal(scalar(random))}")
    columns = random.choice(["*", "META().id", "a, b", "COUNT(*)", f"{sqlpp(value(random))} AS v", "DISTINCT a",
                             "MAX(a), MIN(s)",
                             "ARRAY_AGG(a)", "o.x, tags[0]", "{'k': a, 'l': [b, c]}"])
    text = f"SELECT {columns} FROM _"
    if random.random() < 0.8:
        text += f" WHERE {sqlpp(rich_condition(random))}"
    if random.random() < 0.2:
        text += f" GROUP BY {random.choice(PATHS)} HAVING COUNT(*) > 0"
    if random.random() < 0.4:
        text += f" ORDER BY {random.choice(PATHS)} {random.choice(['', 'DESC', 'NULLS LAST'])}"
    if random.random() < 0.4:
        text += f" LIMIT {random.choice([0, 1, 5, -1, 9223372036854775807])} OFFSET {random.choice([0, 1, 100])}"
    return text


def nested(random):
    """Returns a deeply nested query or one with a long list."""
    count = random.choice([10, 30, 100, 300, 1000])
    return "SELECT META().id FROM _ WHERE " + random.choice([
        "(" * count + "a = 1" + ")" * count, "NOT " * count + "a", "-" * count + "1", " AND ".join(["a = 1"] * count),
        " OR ".join(f"b = {index}" for index in range(count)), "a" + ".b" * count + " = 1",
        "LOWER(" * count + "s" + ")" * count,
        f"a IN [{', '.join(map(str, range(count)))}]", "[" * count + "]" * count + " = a",
        "CASE WHEN a THEN " * count + "1" + " END" * count])


# Calls whose results grow with their arguments.
BUILDERS = ["REPEAT({}, {})", "ARRAY_REPEAT({}, {})", "REGEXP_REPLACE({}, '', REPEAT('x', {}))",
            "REPLACE({}, 'a', REPEAT('y', {}))", "ARRAY_RANGE(0, {1})",
            "ARRAY_CONCAT([{}], ARRAY_RANGE(0, {}))", "SPLIT(REPEAT({}, {}), 'a')", "TO_STRING(ARRAY_REPEAT({}, {}))"]


def query_with_large_values(random):
    """Returns a query whose values may be large."""
    made = "'ab'"
    for _ in range(random.randint(1, 3)):
        made = random.choice(BUILDERS).format(made, random.choice([10, 1000, 100000, 1 << 31, (1 << 63) - 1]))
    return f"SELECT LENGTH(TO_STRING({made})) AS n FROM _ LIMIT 1"


def garbage(random):
    """Returns text similar to a query."""
    kind = random.randrange(10)
    if kind == 1 and random.random() < 0.3:
        return query_with_large_values(random)
    if kind == 0:
        return nested(random)
    if kind < 3:
        return mutate_text(random, random.choice(JSON_QUERIES), ['"="', '["NOT"', "null", '"."', '[".a"]', "[]", "{}"])
    return mutate_text(random, statement(random), PIECES)

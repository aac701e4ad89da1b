"""SQL++: compares answers with stock SQLite, with and without indexes; partitions of a condition; invalid queries."""
import json

from engine import Engine, LibraryError
from faults import Fault, expect_equal
from grammars.conditions import PATHS, condition, sqlpp, value
from grammars.documents import document
from grammars.sqlpp import garbage, rich_condition, statement
from minimise import smaller_sequences, smaller_trees
from oracles.stock_sqlite import MISSING, StockReader
from process import concord
from targets.base import Target

INDEXES = [
    {"kind": "value", "expressions": ["a"]}, {"kind": "value", "expressions": ["a", "b"]},
    {"kind": "value", "expressions": ["o.x", "s"]}, {"kind": "value", "expressions": ["LOWER(s)"]},
    {"kind": "value", "expressions": ["b"], "where": "a > 1"},
    {"kind": "value", "expressions": ["c"], "where": "s IS NOT MISSING"},
    {"kind": "array", "path": "tags", "expressions": []}, {"kind": "pattern", "expressions": ["s"]},
    {"kind": "fullText", "expressions": ["s"]},
]


class SQLTarget(Target):
    name = "sql"
    sample = 500

    def __init__(self, environment):
        super().__init__(environment)
        self.plain = Engine(environment.fuzz_program)
        self.reader = None

    def begin_round(self, random):
        documents = [document(random) for _ in range(random.choice([5, 30, 60]))]
        for engine, name in ((self.engine, "indexed"), (self.plain, "plain")):
            if self.reader:
                engine.close()
            engine.open(self.new_database(f"{name}.concord"))
            for index, content in enumerate(documents):
                engine.ask("put", id=f"d{index:02}", json=json.dumps(content))
        for index, definition in enumerate(random.sample(INDEXES, 4)):
            self.engine.ask("index", name=f"i{index}", **definition)
        if self.reader:
            self.reader.close()
        self.reader = StockReader(self.path("plain.concord"))

    def close(self):
        super().close()
        self.plain.stop()
        if self.reader:
            self.reader.close()

    def generate(self, random):
        kind = random.randrange(20)
        if kind < 8:
            order = ["path", random.choice(PATHS)] if random.random() < 0.3 else None
            return {"stock": condition(random), "value": value(random), "order": order,
                    "limit": random.choice([None, 0, 1, 5])}
        if kind < 10:
            return {"group": condition(random), "key": ["path", random.choice(PATHS)],
                    "value": ["path", random.choice(PATHS)]}
        if kind < 12:
            return {"partition": rich_condition(random)}
        if kind < 15:
            return {"same": statement(random)}
        return {"garbage": garbage(random), "command": random.random() < 0.05}

    def check(self, given):
        if "stock" in given:
            self.check_stock(given)
        elif "group" in given:
            self.check_groups(given)
        elif "partition" in given:
            self.check_partition(given["partition"])
        elif "same" in given:
            self.answers(given["same"])
        else:
            self.check_garbage(given)

    def check_stock(self, given):
        order, limit = given["order"], given["limit"] if given["order"] else None
        text = f"SELECT META().id AS id, {sqlpp(given['value'])} AS v FROM _ WHERE {sqlpp(given['stock'])}"
        text += f" ORDER BY {sqlpp(order)}, META().id" if order else " ORDER BY META().id"
        text += f" LIMIT {limit} OFFSET 1" if limit is not None else ""
        rows = [(row["id"], number(row.get("v", MISSING))) for row in self.answers(text)]
        expected = self.reader.rows(given["stock"], given["value"], order, limit, 1 if limit is not None else 0)
        expect_equal(rows, expected, f"{text}\n  differs from stock SQLite")

    def check_groups(self, given):
        key, value = sqlpp(given["key"]), sqlpp(given["value"])
        text = (f"SELECT {key} AS k, COUNT(*) AS n, COUNT({value}) AS m, MIN({value}) AS low, MAX({value}) AS high, SUM(o.y) AS total"
                f" FROM _ WHERE {sqlpp(given['group'])} GROUP BY {key}")
        found = [tuple(number(row.get(name, MISSING)) for name in ("k", "n", "m", "low", "high",
                                                                   "total")) for row in self.answers(text)]
        # Without values, aggregates are NULL.
        expected = [(row[0], *(None if part == MISSING else part for part in row[1:]))
                    for row in self.reader.groups(given["group"], given["key"], given["value"])]
        expect_equal(sorted(found, key=repr), sorted(expected, key=repr), f"{text}\n  differs from stock SQLite")

    def check_partition(self, tree):
        test = sqlpp(tree)
        found = []
        for part in (test, f"NOT {test}", f"{test} IS NULL", f"{test} IS MISSING"):
            found += [row["id"] for row in self.answers(f"SELECT META().id AS id FROM _ WHERE {part}")]
        expected = [row["id"] for row in self.answers("SELECT META().id AS id FROM _")]
        expect_equal(sorted(found), sorted(expected), f"documents for which {test} is true, false, NULL or MISSING")

    def check_garbage(self, given):
        text = given["garbage"]
        answer = self.answers(text, may_fail=True)
        if given["command"] and "\0" not in text and self.engine.opening:
            arguments = ["-d", self.path("plain.concord"), "query", "--json", "--", text]
            outcome = concord(self.environment, arguments, self.folder, echoed=text)
            expect_equal(outcome.status == 2, answer is None, f"query {text!r} fails in the command and in the library")

    def answers(self, text, may_fail=False):
        """Returns the rows of a query after checking that indexes do not change them; None for an error."""
        found = []
        for engine in (self.engine, self.plain):
            try:
                rows = engine.ask("query", echoed=text, text=text, parameters={"p": 1},
                                  explains=engine is self.engine)["rows"]
                found.append([json.loads(row) for row in rows])
            except LibraryError as error:
                found.append(str(error))
            except ValueError as error:
                raise Fault("invalid JSON", f"{text}: {error}") from None
        indexed, plain = found
        if isinstance(indexed, str) and isinstance(plain, str):
            if may_fail or "SELECT" not in text:
                return None
            raise Fault("rejected query", f"{text}\n  {plain}")
        if not is_ordered(text):
            indexed, plain = (sorted(rows, key=repr) if isinstance(rows, list) else rows for rows in (indexed, plain))
        if is_determined(text) or isinstance(indexed, str) or isinstance(plain, str):
            expect_equal(indexed, plain, f"{text}\n  differs with an index (actual) and without (expected)")
        return plain

    def shrink(self, given):
        for key in ("stock", "group", "partition"):
            if key in given:
                yield from ({**given, key: tree} for tree in smaller_trees(given[key]))
        if "stock" in given:
            yield from ({**given, "value": tree} for tree in [["literal", 1],
                                                              *smaller_trees(given["value"])] if tree != given["value"])
        if "garbage" in given:
            yield from ({**given, "garbage": text} for text in smaller_sequences(given["garbage"]))

    def files(self, given):
        return {"documents.json": json.dumps(self.reader.documents(), indent=1)} if self.reader else {}


def number(found):
    """Returns Booleans as numbers, as in SQLite."""
    return int(found) if isinstance(found, bool) else found


def is_ordered(text):
    return "ORDER BY META().id" in text or ", META().id" in text


def is_determined(text):
    """Returns whether the rows are independent of the order in which documents are read."""
    upper = text.upper()
    return is_ordered(text) or not any(word in upper for word in ("LIMIT", "OFFSET", "ARRAY_AGG", "GROUP", "DISTINCT",
                                                                  "SUM(", "AVG("))

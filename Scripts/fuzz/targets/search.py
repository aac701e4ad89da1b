"""Search: compares the search box with an evaluator, and FTS5 query syntax with stock FTS5; also tries any text."""
import json

from engine import LibraryError
from faults import Fault, expect_equal
from grammars.searches import box_query, document, foreign_text, fts5_query, garbage, written
from minimise import smaller_sequences, smaller_trees
from oracles.words import StockFTS5, matches
from process import concord
from targets.base import Target

LIMIT = 1000


class SearchTarget(Target):
    name = "search"
    sample = 400

    def __init__(self, environment):
        super().__init__(environment)
        self.documents = {}
        self.stock = None

    def begin_round(self, random):
        self.documents = {f"d{index:02}": document(random) for index in range(random.choice([5, 20, 50]))}
        if self.stock:
            self.stock.close()
            self.engine.close()
        self.engine.open(self.new_database())
        for name, content in self.documents.items():
            self.engine.ask("put", id=name, json=json.dumps(content))
        self.engine.ask("index", kind="fullText", name="search", expressions=["title", "text"])
        self.stock = StockFTS5(self.documents)

    def generate(self, random):
        kind = random.randrange(10)
        if kind < 3:
            return {"box": box_query(random), "where": random.choice([None, None, random.randrange(10)])}
        if kind == 6:
            return {"text": foreign_text(random), "start": random.randrange(20), "count": random.randint(1, 3)}
        if kind < 6:
            return {"fts5": fts5_query(random)}
        return {"garbage": garbage(random), "command": random.random() < 0.05,
                "syntax": random.choice(["box", "box", "fts5"])}

    def check(self, given):
        if "box" in given:
            self.check_box(given["box"], given["where"])
        elif "fts5" in given:
            text = written(given["fts5"])
            expect_equal(self.ids(text, syntax="fts5"), self.stock.ids(text),
                         f"fts5 query {text!r} differs from stock FTS5")
        elif "text" in given:
            self.check_own_words(given)
        else:
            self.check_garbage(given)

    def check_box(self, tree, least):
        text = written(tree)
        expected = sorted(
            name for name, content in self.documents.items()
            if matches(tree, {field: content[field] for field in ("title", "text")}) and (least is None or content["n"] >= least))
        condition = {} if least is None else {"where": f"n >= {least}"}
        expect_equal(self.ids(text, **condition), expected, f"search {text!r} {condition}")

    def check_own_words(self, given):
        """Checks that a document in any script is found by its words, and by a phrase of them."""
        text = given["text"]
        self.engine.ask("put", id="own", json=json.dumps({"title": "", "text": text}))
        words = text.split()
        start = given["start"] % len(words)
        part = " ".join(words[start:start + given["count"]])
        for query in (part, f'"{part}"'):
            if "own" not in self.ids(query):
                raise Fault("wrong answer", f"{query!r} does not find the document {text!r}")
        self.engine.ask("put", id="own", json="{}")

    def ids(self, text, **options):
        try:
            answer = self.engine.ask("search", echoed=text, text=text, limit=LIMIT, exact=True, **options)
        except LibraryError as error:
            raise Fault("rejected query", f"{text!r}: {error}") from None
        expect_equal(answer["count"], len(answer["ids"]), f"number of hits of {text!r}")
        return sorted(answer["ids"])

    def check_garbage(self, given):
        text, syntax = given["garbage"], given["syntax"]
        try:
            answer = self.engine.ask("search", echoed=text, text=text, limit=LIMIT, syntax=syntax)
        except LibraryError as error:
            if syntax == "box":
                raise Fault("rejected query", f"the search box accepts any text, but {text!r}: {error}") from None
            answer = None
        if answer:
            ids = answer["ids"]
            if len(set(ids)) != len(ids) or not set(ids) <= {*self.documents, "own"}:
                raise Fault("wrong answer", f"{text!r} finds {ids}")
            first = self.engine.ask("search", text=text, limit=3, syntax=syntax)["ids"]
            expect_equal(first, ids[:3], f"the best three hits of {text!r}")
        self.engine.ask("suggest", echoed=text, text=text)
        # The command rejects an empty query.
        if given["command"] and "\0" not in text and text.strip():
            arguments = ["-d", self.path("fuzz.concord"), "search", "--json", "--syntax", syntax, "-n", str(LIMIT), "--",
                         text]
            outcome = concord(self.environment, arguments, self.folder, echoed=text)
            found = [json.loads(line)["id"] for line in outcome.output.splitlines()] if outcome.status < 2 else None
            expect_equal(found, answer and answer["ids"], f"hits of {text!r} by the command")

    def shrink(self, given):
        if "text" in given:
            yield from ({**given, "text": text} for text in smaller_sequences(given["text"]) if text.strip())
        if "fts5" in given:
            yield from ({**given, "fts5": tree} for tree in smaller_trees(given["fts5"]))
        if "box" in given:
            trees = [tree for tree in smaller_trees(given["box"]) if tree[0] == "box"]
            trees += [["box", *parts] for parts in smaller_sequences(given["box"][1:])]
            # A query without a required word is a different case: it lists documents, or is empty.
            yield from ({**given, "box": tree} for tree in trees if any(part[0] not in ("minus", "not") for part in tree[1:]))
        if "garbage" in given:
            yield from ({**given, "garbage": text} for text in smaller_sequences(given["garbage"]))

    def files(self, given):
        return {"documents.json": json.dumps(self.documents, indent=1)}

    def close(self):
        super().close()
        if self.stock:
            self.stock.close()

"""Damaged database files: every answer equals that of the undamaged file, or a command reports the damage."""
import json
import shutil
import sqlite3

from engine import LibraryError
from faults import Fault, shorten
from grammars.damage import apply, damage
from grammars.documents import text
from process import concord
from targets.base import Target

# One of these runs on each damaged file to check its exit status and messages.
COMMANDS = [["stats"], ["indexes"], ["export"], ["terms"], ["suggest", "al"], ["search", "--facet", "n", "alpha"],
            ["grep", "alpha"], ["grep", "--no-index", "b.*o"],
            ["query", "SELECT n, COUNT(*) FROM _ GROUP BY n"], ["optimize"], ["optimize", "--rebuild"],
            ["optimize", "--compact"], ["delete", "r1"],
            ["put", "new", '{"text":"alpha"}'], ["create-index", "by_text", "text"], ["drop-index", "by_n"], ["index"],
            ["explain", "SELECT n FROM _ WHERE n = 3"]]

ANSWERS = [
    {"operation": "query", "text": "SELECT META().id AS id, d AS d FROM _ AS d ORDER BY META().id"},
    {"operation": "query", "text": "SELECT META().id AS id FROM _ WHERE n >= 3 ORDER BY META().id"},
    {"operation": "query", "text": "SELECT META().id AS id FROM _ WHERE REGEXP_CONTAINS(text, 'lpha') ORDER BY META().id"},
    *({"operation": "search", "text": query, "limit": 1000, "exact": True} for query in ["alpha", "b*", '"alpha bravo"',
                                                                                         "golf -hotel",
                                                                                         "text:kilo OR lima", "7"]),
]


class FileTarget(Target):
    name = "files"
    sample = 90
    round_size = 200

    def begin_round(self, random):
        self.engine.close()
        base = self.new_database("base.concord")
        records = [{"_id": f"r{index}", "n": random.randrange(10),
                    "text": text(random, random.choice([5, 50, 400]))} for index in range(40)]
        path = self.write("records.jsonl", "\n".join(map(json.dumps, records)))
        for arguments in (["index", "--quiet", "--fields", "text,n,*", path], ["create-index", "by_n", "n"],
                          ["optimize"]):
            concord(self.environment, ["-d", base, *arguments], self.folder, statuses=(0,))
        with sqlite3.connect(base) as connection:
            self.page_size = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute("PRAGMA journal_mode = DELETE")
            names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name")
            self.tables = [row[0] for row in names]
        connection.close()
        with open(base, "rb") as file:
            self.size = len(file.read())
        self.expected = self.answers(base)

    def generate(self, random):
        return {"damage": damage(random, self.size, self.page_size, self.tables), "command": random.choice(COMMANDS),
                "writes": random.random() < 0.3}

    def check(self, given):
        path = self.new_database("damaged.concord")
        shutil.copyfile(self.path("base.concord"), path)
        if not apply(given["damage"], path, self.page_size):
            return
        found = self.answers(path)
        wrong = [f"{question['text']}\n    expected {shorten(expected, 300)}\n    actual   {shorten(answer, 300)}"
                 for question, expected, answer in zip(ANSWERS, self.expected, found) if answer is not None and answer != expected]
        if wrong and None not in found and self.verify(path):
            raise Fault("undetected damage",
                        f"{given['damage']}: verify reports no damage, but\n  " + "\n  ".join(wrong))
        if given["writes"]:
            self.write_into(path)
        concord(self.environment, ["-d", path, *given["command"]], self.folder)

    def answers(self, path):
        """Returns the answer to each question; None for an error."""
        try:
            self.engine.open(path, read_only=True)
        except LibraryError:
            self.engine.opening = None
            return [None for _ in ANSWERS]
        found = []
        for question in ANSWERS:
            try:
                answer = self.engine.ask(**question)
                found.append(answer["rows"] if "rows" in answer else sorted(answer["ids"]))
            except LibraryError:
                found.append(None)
        self.engine.close()
        return found

    def verify(self, path):
        """Returns whether `verify` reports no damage."""
        return concord(self.environment, ["-d", path, "verify"], self.folder).status == 0

    def write_into(self, path):
        """Saves documents, which may fail but must not crash."""
        try:
            self.engine.open(path)
            for index in range(3):
                self.engine.ask("put", id=f"r{index}", json='{"text":"alpha bravo","n":1}')
            self.engine.ask("verify")
            self.engine.close()
        except LibraryError:
            self.engine.opening = None

    def shrink(self, given):
        change = given["damage"]
        if change["kind"] == "bytes":
            for index in range(len(change["changes"])):
                if len(change["changes"]) > 1:
                    changes = change["changes"][:index] + change["changes"][index + 1:]
                    yield {**given, "damage": {"kind": "bytes", "changes": changes}}

    def files(self, given):
        with open(self.path("damaged.concord"), "rb") as file:
            return {"damaged.concord": file.read()}

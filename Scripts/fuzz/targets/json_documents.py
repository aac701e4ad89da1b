"""JSON: compares accepted and stored documents with Python's parser and stock SQLite; also checks files of records."""
import json
import sqlite3

from engine import LibraryError
from faults import Fault, expect_equal, shorten
from grammars.json_texts import document, records
from mutate import mutate_bytes
from oracles.python_json import Invalid, parse_document
from oracles.stock_sqlite import TABLE
from process import concord
from targets.base import Target


class JSONTarget(Target):
    name = "json"
    sample = 500

    def __init__(self, environment):
        super().__init__(environment)
        self.reader = None

    def begin_round(self, random):
        if self.reader:
            self.engine.close()
            self.reader.close()
        self.engine.open(self.new_database())
        self.reader = sqlite3.connect(f"file:{self.path('fuzz.concord')}?mode=ro", uri=True)

    def close(self):
        super().close()
        if self.reader:
            self.reader.close()

    def generate(self, random):
        if random.random() < 0.6:
            return {"document": document(random)}
        form, text, objects = records(random)
        if random.random() < 0.3:
            return {"damaged": mutate_bytes(random, text.encode()), "format": form, "command": random.random() < 0.15}
        return {"records": text, "format": form, "objects": objects, "command": random.random() < 0.1}

    def check(self, given):
        if "document" in given:
            self.check_document(given["document"])
        elif "records" in given:
            self.check_records(given)
        else:
            self.read(given["damaged"], given["format"], given["command"])

    def check_document(self, text):
        try:
            expected = parse_document(text)
        except Invalid as error:
            expected = error
        try:
            text.encode()
            self.engine.ask("put", echoed=text, id="x", json=text)
        except UnicodeEncodeError:
            return
        except LibraryError as error:
            if not isinstance(expected, Invalid):
                raise Fault("rejected JSON", f"{shorten(text)}: {error}") from None
            return
        if isinstance(expected, Invalid):
            raise Fault("accepted JSON", f"{shorten(text)}: Python says {expected}")
        stored = self.engine.ask("get", id="x")["json"]
        expect_equal(exact(stored), exact(text), "get returns a different document")
        valid, body = self.reader.execute(f"SELECT json_valid(body), CAST(body AS TEXT) FROM {TABLE} WHERE id = 'x'").fetchone()
        expect_equal(exact(body), exact(text), "stock SQLite reads a different document")
        if not valid:
            raise Fault("wrong answer", f"stock SQLite reports that the stored JSON is invalid: {shorten(body)}")

    def check_records(self, given):
        answer = self.read(given["records"].encode(), given["format"], given["command"])
        found = [exact(entry["json"]) for entry in answer["documents"]]
        expected = [exact(text) for text in given["objects"]]
        expect_equal(found, expected, f"records of {given['format']} {given['records']!r}")
        ids = [entry["id"] for entry in answer["documents"]]
        if len(set(ids)) != len(ids):
            raise Fault("duplicate ids", f"records with the same id replace each other: {ids} of {given['records']!r}")

    def read(self, data, form, command):
        path = self.write(f"records.{form}", data)
        answer = self.engine.ask("read", echoed=data.decode(errors="replace"), path=path, name=f"records.{form}",
                                 format=form)
        for entry in answer["documents"]:
            if not isinstance(exact(entry["json"]), dict):
                raise Fault("invalid JSON", f"a document is {entry['json']!r}")
        if command:
            self.check_command(path, form, answer, data)
        return answer

    def check_command(self, path, form, answer, data):
        """Checks that indexing the file stores as many documents as the reader returns. A file that is given as a path
        contains records.
        """
        database = self.new_database("command.concord")
        arguments = ["-d", database, "index", "--format", form, path]
        concord(self.environment, arguments, self.folder, echoed=data.decode(errors="replace"))
        outcome = concord(self.environment, ["-d", database, "query", "--json", "SELECT COUNT(*) AS n FROM _"],
                          self.folder, statuses=(0, 2))
        count = json.loads(outcome.output)["n"] if outcome.status == 0 else 0
        distinct = len({entry["id"] for entry in answer["documents"]})
        expect_equal(count, distinct, f"documents after index of {data!r}")

    def shrink(self, given):
        for key in ("document", "damaged"):
            if key in given:
                yield from ({**given, key: text} for text in super().shrink(given[key]))

    def files(self, given):
        return {f"records.{given['format']}": given.get("records", given.get("damaged"))} if "format" in given else {}


def exact(text):
    """Returns the value of a JSON text, with numbers as written; duplicate keys are kept as pairs."""
    try:
        return json.loads(text, parse_int=lambda number: ("number", number),
                          parse_float=lambda number: ("number", number),
                          object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else {"$pairs": pairs})
    except (ValueError, RecursionError):
        return text

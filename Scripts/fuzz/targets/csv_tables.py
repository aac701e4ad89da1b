"""CSV and TSV against Python's csv module."""
import csv
import io
import json

from faults import Fault, expect_equal
from grammars.csv_tables import table, written
from mutate import mutate_bytes
from process import concord
from targets.base import Target

DELIMITERS = {"csv": ",", "tsv": "\t"}


class CSVTarget(Target):
    name = "csv"
    sample = 400

    def generate(self, random):
        form = random.choice(list(DELIMITERS))
        text = written(random, *table(random), DELIMITERS[form])
        if random.random() < 0.3:
            return {"damaged": mutate_bytes(random, text.encode()), "format": form, "command": random.random() < 0.2}
        return {"table": text, "format": form}

    def check(self, given):
        if "table" in given:
            self.check_table(given["table"], given["format"])
        else:
            self.check_damaged(given)

    def check_table(self, text, form):
        answer = self.read(text.encode(), form)
        found = [cells(entry["json"]) for entry in answer["documents"]]
        expected = rows(text, DELIMITERS[form])
        expect_equal(found, expected, f"rows of {text!r}; problems: {answer['problems']}")
        ids = [entry["id"] for entry in answer["documents"]]
        expect_equal(len(set(ids)), len(ids), f"distinct ids of the rows of {text!r}")

    def check_damaged(self, given):
        data, form = given["damaged"], given["format"]
        answer = self.read(data, form)
        for entry in answer["documents"]:
            if not isinstance(json.loads(entry["json"]), dict):
                raise Fault("invalid JSON", f"a row is {entry['json']!r}")
        if given["command"]:
            arguments = ["-d", self.new_database(), "index", "--format", form, self.path(f"table.{form}")]
            concord(self.environment, arguments, self.folder, echoed=data.decode(errors="replace"))

    def read(self, data, form):
        path = self.write(f"table.{form}", data)
        return self.engine.ask("read", echoed=data.decode(errors="replace"), path=path, name=f"table.{form}", format=form)

    def shrink(self, given):
        # A part of a table is often not a table, so tables are not shortened.
        if "damaged" in given:
            yield from ({**given, "damaged": data} for data in super().shrink(given["damaged"]))

    def files(self, given):
        return {f"table.{given['format']}": given.get("table", given.get("damaged"))}


def rows(text, delimiter):
    """Returns the rows that Python's parser reads: non-empty cells by the names of the header, without blank lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    header, *rest = [row for row in reader if row] or [[]]
    return [{name: cell for name, cell in zip(header, row) if cell} for row in rest]


def cells(text):
    """Returns the members of a document, with numbers as written."""
    return json.loads(text, parse_int=str, parse_float=str)

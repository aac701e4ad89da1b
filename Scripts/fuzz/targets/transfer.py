"""Import and export: an export survives a round trip, and `verify` finds no damage after an import."""
import json

from faults import Fault, expect_equal
from grammars.exports import garbage, lines
from minimise import smaller_sequences
from process import concord
from targets.base import Target


class TransferTarget(Target):
    name = "transfer"
    sample = 25

    def generate(self, random):
        if random.random() < 0.5:
            return {"lines": lines(random)}
        return {"garbage": garbage(random)}

    def check(self, given):
        text = "\n".join(given["lines"]) + "\n" if "lines" in given else given["garbage"]
        path = self.write("given.jsonl", text)
        database = self.new_database("first.concord")
        outcome = self.concord(database, ["import", path], (0, 2), text)
        if "lines" in given and outcome.status != 0:
            raise Fault("rejected import", outcome.messages.decode())
        checked = self.concord(database, ["verify"], (0, 1, 2), text)
        if checked.status == 1:
            raise Fault("damaged by import", f"verify after the import of {text!r}: {checked.output.decode()}")
        if checked.status == 2:
            return
        first = self.concord(database, ["export"], (0,), text).output
        second = self.new_database("second.concord")
        self.concord(second, ["import", self.write("first.jsonl", first)], (0,), text)
        expect_equal(self.concord(second, ["export"], (0,), text).output, first, "export, import and export again")
        if "lines" in given:
            expect_equal(documents(first.decode().splitlines()), documents(given["lines"]),
                         "documents that were imported and exported")

    def concord(self, database, arguments, statuses, text):
        return concord(self.environment, ["-d", database, *arguments], self.folder, statuses=statuses, echoed=text)

    def shrink(self, given):
        for key in given:
            yield from ({key: smaller} for smaller in smaller_sequences(given[key]))

    def files(self, given):
        return {"given.jsonl": "\n".join(given["lines"]) if "lines" in given else given["garbage"]}


def documents(found):
    """Returns the documents of an export by collection and id."""
    made = {}
    for line in map(json.loads, found):
        if "_id" in line:
            name = (line.pop("_collection", "_default._default"), line.pop("_id"))
            made[name] = (line.pop("_expiration", None), line.pop("_body", line))
    return made

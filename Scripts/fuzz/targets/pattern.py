"""Regular expressions: compares `concord grep`, with and without the index, with ripgrep."""
import os
import shutil

from faults import Fault, expect_equal
from grammars.patterns import garbage, lines, pattern
from oracles import ripgrep
from process import command_line, concord
from targets.base import Target

FLAGS = [[], [], ["-i"], ["-x"], ["-v"], ["-c"], ["-l"], ["-m", "2"], ["-i", "-c"], ["-n"], ["-o"], ["-n", "-b"]]


class PatternTarget(Target):
    name = "pattern"
    sample = 50

    def __init__(self, environment):
        super().__init__(environment)
        self.ripgrep = ripgrep.find()
        if not self.ripgrep:
            print("pattern: rg is not installed, so matches are only compared between grep with and without its index",
                  flush=True)

    def begin_round(self, random):
        shutil.rmtree(self.path("tree"), ignore_errors=True)
        for index in range(12):
            self.write(f"tree/f{index:02}.txt", lines(random))
        arguments = ["-d", self.new_database(), "index", "--quiet", "--format", "text", "tree"]
        concord(self.environment, arguments, self.folder, statuses=(0,))

    def generate(self, random):
        if random.random() < 0.25:
            return {"garbage": garbage(random), "flags": random.choice(FLAGS)}
        text, needs = pattern(random)
        return {"pattern": text, "pcre2": needs, "flags": random.choice(FLAGS)}

    def check(self, given):
        text = given.get("pattern", given.get("garbage"))
        if "\0" in text:
            return
        # A time limit that even a slow machine does not reach.
        arguments = [*given["flags"], "--time-limit", "10"]
        indexed = self.grep([*arguments, "-e", text], text)
        scanned = self.grep([*arguments, "--no-index", "-e", text], text)
        what = command_line(["grep", *given["flags"], "-e", text])
        # A scan may exceed the match limit in a document that the index excludes.
        if scanned[0] != 2 or indexed[0] == 2:
            expect_equal(indexed, scanned, f"{what} with an index (actual) and without (expected)")
        if "pattern" in given and self.ripgrep:
            expected = ripgrep.search(self.ripgrep, [*given["flags"], "-e", text, "tree"], self.folder, given["pcre2"])
            if indexed[0] == 2 and expected[0] != 2:
                raise Fault("rejected pattern", what)
            if expected[0] != 2:
                # Empty matches have different positions, as the handbook describes.
                empty = "-o" in given["flags"]
                expect_equal(without_empty(indexed) if empty else indexed, without_empty(expected) if empty else expected,
                             f"{what} differs from rg")

    def grep(self, arguments, text):
        """Returns the exit status and the lines."""
        outcome = concord(self.environment, ["-d", "fuzz.concord", "grep", *ripgrep.FIXED, *arguments, "tree"],
                          self.folder, echoed=text)
        return outcome.status, ripgrep.sorted_lines(outcome.output)

    def shrink(self, given):
        # A part of a pattern may have another meaning in ripgrep's default engine.
        for key in ("pattern", "garbage"):
            if key in given:
                yield from ({**given, key: text, "pcre2": True} for text in super().shrink(given[key]) if text)

    def files(self, given):
        folder = self.path("tree")
        contents = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                contents[name] = file.read()
        return contents


def without_empty(answer):
    """Returns the answer without the empty matches that -o prints."""
    status, found = answer
    kept = [(name, [row for row in rows if row]) for name, rows in found]
    return status, [(name, rows) for name, rows in kept if rows]

"""Runs `concord eval` for defaults.py and stores the results, so that an interrupted measurement continues.

All values are average precisions. A known item is the only relevant document of its query, so that its average precision is the
reciprocal rank.
"""
import hashlib
import json
import os
import subprocess
import sys

# The folds of the cross-validation within a collection.
FOLDS = 5


class Measurements:
    """Values by collection and setting, stored in a file after each measurement. Each build of the program has its own file."""

    def __init__(self, program, folder):
        self.program = program
        with open(program, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.path = os.path.join(folder, f"measurements-{digest[:12]}.json")
        self.stored = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                self.stored = json.load(file)

    def _measured(self, key, measure):
        if key not in self.stored:
            print(key, file=sys.stderr, flush=True)
            self.stored[key] = measure()
            with open(self.path + ".part", "w", encoding="utf-8") as file:
                json.dump(self.stored, file)
            os.rename(self.path + ".part", self.path)
        return self.stored[key]

    def _eval(self, collection, database, queries, *options):
        process = subprocess.run(
            [self.program, "eval", "-q", "-d", database, "--queries", queries or collection.queries, "--qrels", collection.qrels,
             "--measures", "AP", "--json", *options], stdout=subprocess.PIPE, text=True, check=True)
        return [json.loads(line) for line in process.stdout.splitlines()]

    def sweep(self, title, collection, parameters, options=(), plots=None):
        """Returns the mean of each combination of values, and the mean of the cross-validation over the queries.

        - parameters: lists of values by name.
        - plots: a folder for the heat maps.
        """
        def measure():
            argument = ",".join(f"{name}={':'.join(map(str, values))}" for name, values in parameters.items())
            drawing = ["--plots", plots] if plots else []
            lines = self._eval(collection, collection.database(self.program), None, "--depth", str(collection.depth),
                               "--sweep", argument, "--folds", str(FOLDS), *options, *drawing)
            means = [[[line[name] for name in parameters], line["AP"]] for line in lines[:-1]]
            return {"means": means, "validation": lines[-1]["crossValidation"]}
        found = self._measured(f"{title}: {collection.name}", measure)
        return {tuple(map(float, values)): mean for values, mean in found["means"]}, found["validation"]

    def per_query(self, title, collection, database, queries=None, options=()):
        """Returns the average precision and the number of hits of each query.

        - database, queries: functions that return the paths of the index and of other queries, called only if they are needed.
        """
        def measure():
            lines = self._eval(collection, database(), queries and queries(), "--per-query", *options)
            # Sorted, because queries that are missing from a file come last.
            return {line["query"]: [line["AP"], line["hits"]] for line in sorted(lines[:-1], key=lambda line: line["query"])}
        return self._measured(f"{title}: {collection.name}", measure)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def validated(settings):
    """Returns the mean of a k-fold cross-validation over queries, as `concord eval --sweep` computes it.

    - settings: lists of the values of all queries, in the same order.
    """
    count = len(settings[0])
    total = 0
    for fold in range(min(FOLDS, count)):
        best = max(settings, key=lambda values: sum(value for index, value in enumerate(values) if index % FOLDS != fold))
        total += sum(best[fold::FOLDS])
    return total / count

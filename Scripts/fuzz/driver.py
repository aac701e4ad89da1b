"""Runs cases for a time or up to a number of cases, and replays single cases."""
import os
import random
import shutil
import tempfile
import time

from faults import Fault, decoded, shorten, store
from minimise import fault_of, minimise
from targets import TARGETS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The folder of the programs; `make fuzz` and `make test` use different build folders.
BUILD = os.environ.get("CONCORD_BUILD", os.path.join(ROOT, "Command", ".build", "debug"))

# The number of faults after which a target stops.
MAXIMUM_FAULTS = 10


class Environment:
    """The programs under test and a temporary folder."""

    def __init__(self, build, faults_folder):
        self.concord = os.path.abspath(os.path.join(build, "concord"))
        self.fuzz_program = os.path.abspath(os.path.join(build, "concord-fuzz"))
        self.faults_folder = faults_folder
        self.root = tempfile.mkdtemp(prefix="concord-fuzz-")

    def folder(self, name):
        path = tempfile.mkdtemp(prefix=name + "-", dir=self.root)
        return path

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)


class Run:
    """The cases of one target and one seed. Inputs of faults are minimised for `shortening` seconds each."""

    def __init__(self, name, environment, seed, report=print, shortening=20):
        self.shortening = shortening
        self.target = TARGETS[name](environment)
        self.environment = environment
        self.seed = seed
        self.round = None
        self.report = report
        self.passed = 0
        self.failed = 0
        self.seen = set()

    def case_name(self, number):
        return f"{self.target.name}:{self.seed}:{number}"

    def prepare(self, number):
        """Begins the round of the case unless it has already begun, and returns the input of the case."""
        current = number // self.target.round_size
        if current != self.round:
            self.target.begin_round(random.Random(f"{self.seed}/{self.target.name}/round/{current}"))
            self.round = current
        return self.target.generate(random.Random(f"{self.seed}/{self.target.name}/{number}"))

    def case(self, number, given=None, shortens=True):
        """Runs one case; stores, reports and returns its fault."""
        made = self.prepare(number)
        given = made if given is None else given
        try:
            self.target.check(given)
            self.passed += 1
            return None
        except Fault as fault:
            self.failed += 1
            self.record(number, given, fault, shortens)
            return fault

    def record(self, number, given, fault, shortens):
        name = self.case_name(number)
        key = (fault.kind, fault.detail[:60])
        is_new = key not in self.seen
        if shortens and is_new:
            given = minimise(self.target, given, fault.kind, self.shortening)
            fault = fault_of(self.target, given, fault.kind) or fault
        self.seen.add(key)
        folder = store(self.environment.faults_folder, name.replace(":", "-"), name, fault, given,
                       self.target.files(given))
        detail = shorten(fault.detail, 3000 if is_new else 200)
        self.report(f"FAULT {name}: {fault.kind}: {detail}\n"
                    f"  replay: python3 Scripts/fuzz --replay {name} --input {folder}/input.json")

    def run(self, count=None, seconds=None):
        """Runs cases in order until the number of cases, the time or the maximum number of faults is reached."""
        end = time.monotonic() + seconds if seconds else None
        number = 0
        try:
            while (count is None or number < count) and (end is None or time.monotonic() < end):
                if self.failed >= MAXIMUM_FAULTS:
                    self.report(f"{self.target.name}: stopped after {self.failed} faults")
                    break
                self.case(number)
                number += 1
        finally:
            self.target.close()
        return self


def replay(case, environment, path=None):
    """Replays one case, with the input in a file or the input generated from its seed."""
    name, seed, number = case.split(":")
    run = Run(name, environment, seed)
    given = None
    if path:
        with open(path, encoding="utf-8") as file:
            given = decoded(file.read())
    try:
        return run.case(int(number), given, shortens=path is None)
    finally:
        run.target.close()

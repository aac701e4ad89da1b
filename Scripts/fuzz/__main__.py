#!/usr/bin/env python3
"""Feeds random input to Concordance and compares its answers with independent implementations.

    python3 Scripts/fuzz --time 60                     all targets for a minute
    python3 Scripts/fuzz --target sql --seed 7         one target
    python3 Scripts/fuzz --replay sql:7:42             replay one case
    python3 Scripts/fuzz --sample                      the fixed sample of `make test`

Uses the programs of a debug build, `swift build --package-path Command --build-tests`, or those in the folder
CONCORD_BUILD. Exit status: 0 no fault, 1 faults, 2 error.
"""
import argparse
import concurrent.futures
import os
import sys
import time
import unittest

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, FOLDER)

from driver import BUILD, ROOT, Environment, Run, replay  # noqa: E402
from targets import TARGETS  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=60, help="seconds for all targets together (default: 60)")
    parser.add_argument("--seed", help="a number or word that determines the inputs (default: the time)")
    parser.add_argument("--target", default="all", help=f"all, or some of {', '.join(TARGETS)}, separated by commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="the number of targets that run concurrently")
    parser.add_argument("--sample", action="store_true", help="the fixed sample: the same inputs in every run")
    parser.add_argument("--replay", metavar="TARGET:SEED:NUMBER", help="replay one case")
    parser.add_argument("--input", metavar="FILE", help="with --replay: the input.json of a stored fault")
    parser.add_argument("--faults", default=os.path.join(ROOT, ".build", "fuzz"), help="the folder for faults")
    options = parser.parse_args()
    options.names = list(TARGETS) if options.target == "all" else options.target.split(",")
    for name in options.names:
        if name not in TARGETS:
            parser.error(f"there is no target {name!r}; the targets are {', '.join(TARGETS)}")
    return options


def run_targets(options, environment):
    """Runs the targets, several concurrently, and returns their runs."""
    seed = "sample" if options.sample else options.seed or str(int(time.time()))
    jobs = max(1, min(options.jobs, len(options.names)))
    seconds = None if options.sample else options.time * jobs / len(options.names)
    print(f"seed {seed}, {jobs} jobs: {', '.join(options.names)}", flush=True)

    def work(name):
        start = time.monotonic()
        run = Run(name, environment, seed, lambda text: print(text, flush=True), shortening=3 if options.sample else 20)
        run.run(run.target.sample if options.sample else None, seconds)
        print(f"{name}: {run.passed} passed, {run.failed} failed, {time.monotonic() - start:.1f} s", flush=True)
        return run

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(work, options.names))


def run_unit_tests():
    """Runs the tests of the fuzzer itself; returns the numbers of passed and failed tests."""
    tests = unittest.defaultTestLoader.discover(
        os.path.join(FOLDER, "tests"), top_level_dir=FOLDER)
    result = unittest.TextTestRunner(verbosity=0).run(tests)
    failed = len(result.failures) + len(result.errors)
    return result.testsRun - failed, failed


def main():
    options = arguments()
    environment = Environment(BUILD, options.faults)
    for program in (environment.concord, environment.fuzz_program):
        if not os.access(program, os.X_OK):
            sys.exit(f"fuzz: {program} is missing; build it with `swift build --package-path Command --build-tests`")
    try:
        if options.replay:
            fault = replay(options.replay, environment, options.input)
            print(f"{options.replay}: {'the fault persists' if fault else 'no fault'}")
            return 1 if fault else 0
        passed, failed = run_unit_tests() if options.sample else (0, 0)
        for run in run_targets(options, environment):
            passed += run.passed
            failed += run.failed
    finally:
        environment.remove()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

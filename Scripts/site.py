#!/usr/bin/env python3
"""Builds the library's reference, a web site in .build/site, from the doc comments and Concordance.docc.

It reads the modules of the debug build, so build first: `swift build --target Concordance`, or the tests. It fails if a
link to a symbol does not resolve, if a parameter is not documented, if a public type is in no list of topics, or if an
example in an article is not in the handbook, whose examples the tests compile.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "Sources/Concordance/Concordance.docc"
SCRATCH = ROOT / (sys.argv[1] if len(sys.argv) > 1 else ".build")
BUILD = SCRATCH / "debug"
SITE = ROOT / ".build/site"
GRAPHS = ROOT / ".build/symbol-graphs"
# `import Concordance` makes their public types available, so they have pages like the types of Concordance itself.
REEXPORTED = ["TextAnalysis", "LineSearch", "Relevance", "TextIndex"]


def extract_symbols():
    shutil.rmtree(GRAPHS, ignore_errors=True)
    GRAPHS.mkdir(parents=True)
    command = ["swift", "symbolgraph-extract", "-module-name", "Concordance", "-minimum-access-level", "public",
               "-skip-synthesized-members", "-experimental-allowed-reexported-modules=" + ",".join(REEXPORTED),
               "-I", BUILD / "Modules", "-output-dir", GRAPHS]
    for path in sorted(BUILD.glob("C*.build/module.modulemap")):
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    checkouts = SCRATCH / "checkouts/GRDB.swift/Sources/GRDBSQLite"
    for folder in [*(path.parent for path in ROOT.glob("Sources/C*/module.modulemap")), checkouts]:
        command += ["-I", folder]
    subprocess.run(command, check=True)


def uncurated_types():
    """Returns a message for each public type that is in no list of topics. DocC would list it by kind at the end of the
    first page.
    """
    symbols = json.loads((GRAPHS / "Concordance.symbols.json").read_text())["symbols"]
    types = {symbol["pathComponents"][0] for symbol in symbols if len(symbol["pathComponents"]) == 1}
    listed = set()
    for page in CATALOGUE.glob("*.md"):
        listed.update(re.findall(r"^- ``([^`/]+)``$", page.read_text().partition("## Topics")[2], re.MULTILINE))
    return [f"{name}: add it to the topics of an article in {CATALOGUE.relative_to(ROOT)}" for name in sorted(types - listed)]


def untested_examples():
    def examples(path):
        return [[line.strip() for line in block.splitlines() if line.strip()]
                for block in re.findall(r"```swift\n(.*?)```", path.read_text(), re.DOTALL)]

    tested = [block for page in sorted((ROOT / "Corpora/handbook").glob("*.md")) for block in examples(page)]
    return [f"{page.relative_to(ROOT)}: an example is not in the handbook: {block[0]} …"
            for page in sorted(CATALOGUE.glob("*.md")) for block in examples(page) if block not in tested]


def convert():
    # The toolchain installs docc next to the compiler.
    docc = shutil.which("docc") or Path(os.path.realpath(shutil.which("swift"))).parent / "docc"
    command = [docc, "convert", CATALOGUE, "--additional-symbol-graph-dir", GRAPHS, "--output-dir", SITE,
               "--fallback-display-name", "Concordance", "--fallback-bundle-identifier", "Concordance",
               "--fallback-default-module-kind", "Library", "--warnings-as-errors", "--ide-console-output"]
    if os.environ.get("BASE"):
        command += ["--hosting-base-path", os.environ["BASE"]]
    return subprocess.run(command).returncode


def main():
    if not (BUILD / "Modules/Concordance.swiftmodule").exists():
        sys.exit(f"site.py: no module in {BUILD}; run `swift build --target Concordance` first")
    extract_symbols()
    faults = uncurated_types() + untested_examples()
    for fault in faults:
        print(fault, file=sys.stderr)
    if convert() != 0 or faults:
        sys.exit("site.py: the documentation has errors")
    print(f"{SITE.relative_to(ROOT)}: serve it with `python3 -m http.server -d {SITE.relative_to(ROOT)}` "
          "and open /documentation/concordance")


main()

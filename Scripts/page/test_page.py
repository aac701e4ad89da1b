#!/usr/bin/env python3
"""Scripts/page/test_page.py CONCORD [-k NAME]: tests the page of `concord serve` in Chromium.

Indexes Corpora/ into a temporary database, adds hostile documents, and starts the server. Screenshots are written to
.build/screenshots. `make test-page` installs selenium and runs it.
"""
import os
import sys
import unittest

from browser import ROOT, PageTestCase, Server, open_browser
from test_text import EXACT, HOSTILE, INVISIBLE

MODULES = ["test_views", "test_states", "test_text", "test_access", "test_waiting", "test_rows", "test_history"]


def demo(server):
    """Indexes Corpora/ and adds documents that are difficult to show."""
    server.run("index", "-q", "Corpora")
    server.put("hostile", HOSTILE)
    server.put("invisible", INVISIBLE)
    server.put("exact", EXACT)
    server.put("cafe_1", {"name": "Kafija", "text": "Coffee by the harbour"},
               "--blob", f"license={os.path.join(ROOT, 'LICENSE')}:text/plain")
    for id, text in [("one", "the harbour of the island"), ("two", "an island without a harbour"), ("three", "a hill")]:
        server.put(id, {"name": id, "text": text}, "-c", "several")
    for name in ["name", "text"]:
        server.run("create-index", "-q", f"by_{name}", name, "--full-text", "-c", "several")
    server.run("create-index", "-q", "reversed\u202e", "name", "--where", "name = 'one'", "-c", "several")


if __name__ == "__main__":
    PageTestCase.concord = sys.argv.pop(1)
    PageTestCase.server = Server(PageTestCase.concord, demo)
    try:
        PageTestCase.browser = open_browser()
        try:
            program = unittest.main(module=None, argv=[sys.argv[0], *MODULES, *sys.argv[1:]], exit=False, verbosity=1)
        finally:
            PageTestCase.browser.quit()
    finally:
        PageTestCase.server.close()
    sys.exit(not program.result.wasSuccessful())

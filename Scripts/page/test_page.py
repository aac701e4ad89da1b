#!/usr/bin/env python3
"""Scripts/page/test_page.py CONCORD [-k NAME]: tests the page of `concord serve` in Chromium.

Indexes Corpora/ into a temporary database, adds hostile documents, and starts the server. Screenshots are written to
.build/screenshots. `make test-page` installs selenium and runs it.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SCREENSHOTS = os.path.join(ROOT, ".build", "screenshots")
HOSTILE = {
    "title": "<img src=x onerror=window.attacked=1>",
    "text": "lighthouse <script>window.attacked=1</script> \u202egnp.exe\u202c \u001b[31mred\u0007",
    "kind": "\"><svg onload=window.attacked=1>",
}


class Server:
    """`concord serve` with a database of Corpora/."""

    def __init__(self, concord):
        self.folder = tempfile.TemporaryDirectory()
        self.database = os.path.join(self.folder.name, "demo.concord")
        self.concord = os.path.abspath(concord)
        self.run("index", "-q", "Corpora")
        self.put("hostile", HOSTILE)
        license = os.path.join(ROOT, "LICENSE")
        self.run("put", "-q", "cafe_1", '{"name":"Kafija","text":"Coffee by the harbour"}', "--blob", f"license={license}:text/plain")
        self.process = subprocess.Popen(
            [self.concord, "serve", self.database, "--port", "0"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def run(self, *arguments):
        subprocess.run([self.concord, "-d", self.database, *arguments], check=True, cwd=ROOT)

    def put(self, id, document):
        self.run("put", "-q", id, json.dumps(document))

    def save(self, id, document):
        """Saves a document over HTTP."""
        request = urllib.request.Request(
            f"{self.url}databases/demo/collections/_default/documents/{id}", json.dumps(document).encode(), method="PUT")
        urllib.request.urlopen(request).close()

    def close(self):
        self.process.terminate()
        assert self.process.wait(20) == 0, "the server did not end cleanly"
        self.folder.cleanup()


def open_browser():
    options = Options()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class PageTests(unittest.TestCase):
    server: Server
    browser: webdriver.Chrome

    def setUp(self):
        self.size(1280, 900)
        self.scheme("light")
        self.browser.get("about:blank")
        self.browser.get_log("browser")

    def tearDown(self):
        # The browser logs scripts that the content security policy blocks, and errors in our scripts. It also logs HTTP
        # error responses, which are ignored.
        errors = [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]
        self.assertEqual(errors, [])

    def size(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def scheme(self, name):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def open(self, view, **state):
        state = {"db": "demo", "c": "_default._default", **state}
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.url}#/{view}?{urllib.parse.urlencode(state)}")

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, message=""):
        """Waits until the condition, a function without arguments, is true, and returns its value."""
        return WebDriverWait(self.browser, 15, 0.05, ignored_exceptions=[Exception]).until(lambda _: condition(), message)

    def one(self, selector):
        return self.wait(lambda: self.all(selector)[0], f"{selector} is missing")

    def text(self, selector):
        return self.one(selector).text

    def shot(self, name):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.browser.save_screenshot(os.path.join(SCREENSHOTS, f"{name}.png"))

    def state(self):
        return dict(urllib.parse.parse_qsl(self.browser.current_url.partition("?")[2]))

    def test_search_as_you_type_highlights_matches(self):
        self.open("search")
        self.one(".searchbox input").send_keys("harbo")
        self.wait(lambda: self.all(".hit mark"))
        self.wait(lambda: any("harbour" in one.text for one in self.all(".suggestions button")))
        self.one(".searchbox input").send_keys("ur")
        self.wait(lambda: self.state().get("q") == "harbour")
        self.wait(lambda: "harbour" in self.text(".hit mark").lower())
        self.wait(lambda: re.search(r"\d+ documents in [\d.]+ ms", self.text(".summary")))
        self.shot("search")

    def test_a_misspelt_word_is_corrected(self):
        self.open("search", q="harbuor lighthose")
        self.wait(lambda: "lighthouse" in self.text(".correction"))
        self.shot("correction")

    def test_facets_filter_and_filters_are_removed(self):
        self.open("search", q="harbour")
        box = self.one(".facets fieldset input")
        count = int(self.text(".facets .count"))
        box.click()
        self.wait(lambda: self.all(".chip"))
        self.wait(lambda: self.text(".summary").startswith(f"{count} document"))
        self.assertIn("f", self.state())
        self.shot("facets")
        self.one(".chip").click()
        self.wait(lambda: not self.all(".chip"))
        self.assertNotIn("f", self.state())

    def test_sorting_and_pages_are_in_the_url(self):
        self.open("search", q="the", sort="`name`")
        self.wait(lambda: self.all(".hit"))
        self.assertEqual(self.one("select[aria-label='Sort by']").get_attribute("value"), "`name`")
        first = self.text(".hit a")
        self.one(".pages button:last-child").click()
        self.wait(lambda: self.state().get("page") == "2" and self.text(".hit a") != first)

    def test_keyboard(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.browser.execute_script("document.activeElement.blur()")
        self.browser.switch_to.active_element.send_keys("/")
        self.wait(lambda: self.browser.switch_to.active_element.get_attribute("type") == "search")
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.browser.switch_to.active_element.get_attribute("id") == "hit-0")
        self.browser.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.browser.switch_to.active_element.get_attribute("id") == "hit-1")
        self.shot("keyboard")
        title = self.browser.switch_to.active_element.text
        self.browser.switch_to.active_element.send_keys(Keys.ENTER)
        self.wait(lambda: self.text("h1") == title)

    def test_document_steps_through_all_matches(self):
        self.open("document", id="Corpora/polyglot/en.md", q="harbour")
        self.wait(lambda: len(self.all("article mark")) > 3)
        total = len(self.all("article mark"))
        self.assertEqual(self.text(".position"), f"{total} matches")
        self.browser.switch_to.active_element.send_keys("n")
        self.wait(lambda: self.text(".position") == f"1 of {total} matches" and self.all("mark.current"))
        self.browser.switch_to.active_element.send_keys("p")
        self.wait(lambda: self.text(".position") == f"{total} of {total} matches")
        self.wait(lambda: self.all(".similar li"))
        self.shot("document")
        self.one(".document-bar button[aria-pressed]").click()
        self.wait(lambda: self.text(".raw").startswith("{"))
        self.shot("document-json")

    def test_document_lists_attachments(self):
        self.open("document", id="cafe_1")
        self.wait(lambda: "text/plain" in self.text(".attachment"))
        self.shot("attachment")

    def test_grep_groups_lines_by_file(self):
        self.open("grep")
        self.one(".searchbox input").send_keys(r"REGEXP_(LIKE|COUNT)\(")
        self.wait(lambda: self.all(".file .match mark"))
        self.wait(lambda: re.search(r"\d+ lines? in \d+ files?", self.text(".summary")))
        self.assertTrue(self.one(".match .number").text.isdigit())
        self.shot("grep")
        self.one(".searchbox input").send_keys("(")
        self.wait(lambda: "malformed" in self.text(".notice.error"))

    def test_grep_is_restricted_to_files(self):
        self.open("grep", pattern="the", files="Corpora/handbook/grep.md")
        self.wait(lambda: [one.text for one in self.all(".file h2 a")] == ["Corpora/handbook/grep.md"])

    def test_console_shows_rows_and_history(self):
        query = "SELECT a.city AS origin, b.city AS destination, r.distance AS km FROM _ AS r JOIN _ AS a ON a.faa = r.sourceairport JOIN _ AS b ON b.faa = r.destinationairport WHERE r.type = 'route' ORDER BY km DESC LIMIT 12"
        self.open("query")
        editor = self.one("textarea")
        editor.clear()
        editor.send_keys(query)
        editor.send_keys(Keys.CONTROL, Keys.ENTER)
        self.wait(lambda: len(self.all("tbody tr")) == 12)
        self.assertEqual([one.text for one in self.all("th")], ["origin", "destination", "km"])
        self.wait(lambda: len(self.all("select[aria-label=History] option")) > 1)
        self.shot("query")
        [one for one in self.all(".options button") if one.text == "Explain"][0].click()
        self.wait(lambda: self.all(".plan .step"))
        self.shot("explain")

    def test_console_shows_properties_of_documents_as_columns(self):
        self.open("query", q="SELECT META().id, * FROM _ WHERE type = 'hotel' LIMIT 3")
        self.wait(lambda: len(self.all("tbody tr")) == 3)
        self.assertIn("country", [one.text for one in self.all("th")])

    def test_console_underlines_a_mistake(self):
        self.open("query", q="SELECT é, FROM _")
        self.wait(lambda: self.all(".mistake"))
        self.assertEqual(self.one(".mistake").get_attribute("textContent"), "FROM")
        self.assertIn("invalid", self.text(".notice.error"))
        self.shot("mistake")

    def test_overview_has_live_counters(self):
        self.open("overview")
        self.wait(lambda: "search" in self.text(".badge b") or len(self.all(".badge")) > 1)
        count = lambda: int(self.all(".counters b")[0].text.replace(",", ""))
        before = self.wait(count)
        self.shot("overview")
        self.server.save("overview_new", {"text": "new"})
        self.wait(lambda: count() > before)

    def test_hostile_documents_are_text(self):
        self.open("search", q="lighthouse onerror")
        self.open("search", q="gnp.exe")
        self.wait(lambda: any("<img" in one.text for one in self.all(".hit a")))
        self.assertTrue(self.all(".control"))
        self.open("document", id="hostile", q="lighthouse")
        self.wait(lambda: "<script>" in self.text("article"))
        self.assertEqual(self.text("h1"), HOSTILE["title"])
        self.assertIn("U+202E", self.text("article"))
        self.assertIn("U+001B", self.text("article"))
        self.shot("hostile")
        self.open("grep", pattern="gnp")
        self.wait(lambda: self.all(".grep .control"))
        self.open("query", q="SELECT * FROM _ WHERE META().id = 'hostile'")
        self.wait(lambda: self.all("tbody tr"))
        self.assertIsNone(self.browser.execute_script("return window.attacked ?? null"))

    def test_results_follow_changes(self):
        self.open("search", q="zanzibarian")
        self.wait(lambda: self.text(".notice strong") == "Nothing found")
        self.wait(lambda: self.all(".live.on"))
        self.server.save("live_1", {"name": "Live", "text": "a zanzibarian teapot"})
        self.wait(lambda: self.text(".hit a") == "Live")

    def test_phone_width(self):
        self.size(390, 844)
        for view, state in [("search", {"q": "harbour"}), ("document", {"id": "Corpora/polyglot/en.md", "q": "harbour"}),
                            ("grep", {"pattern": "harbour"}), ("query", {"q": "SELECT * FROM _ LIMIT 5"}), ("overview", {})]:
            with self.subTest(view):
                self.open(view, **state)
                self.wait(lambda: self.all(".hit, article mark, .match, tbody tr, .card"))
                width = self.browser.execute_script("return document.documentElement.scrollWidth")
                self.shot(f"phone-{view}")
                self.assertLessEqual(width, 390, "the page is wider than the screen")

    def test_dark_mode(self):
        self.scheme("dark")
        for view, state in [("search", {"q": "harbour"}), ("query", {"q": "SELECT name, type FROM _ WHERE type = 'hotel' LIMIT 8"}),
                            ("document", {"id": "Corpora/polyglot/en.md", "q": "harbour"})]:
            self.open(view, **state)
            self.wait(lambda: self.all(".hit, tbody tr, article mark"))
            self.shot(f"dark-{view}")
        color = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        self.assertLess(sum(int(part) for part in re.findall(r"\d+", color)[:3]), 200)

    def test_text_has_contrast(self):
        script = """
          const luminance = (text) => { const c = text.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
            return .2126 * c[0] + .7152 * c[1] + .0722 * c[2]; };
          const ground = (node) => { for (; node; node = node.parentElement) { const c = getComputedStyle(node).backgroundColor; if (/^rgb\\(/.test(c)) return c; } return 'rgb(255,255,255)'; };
          return [...document.querySelectorAll('main *, nav a')].filter((one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && one.offsetParent).map((one) => {
            const style = getComputedStyle(one); const [a, b] = [luminance(style.color), luminance(ground(one))].sort((x, y) => y - x);
            return [(a + .05) / (b + .05), one.className, one.textContent.slice(0, 30)]; }).filter(([ratio]) => ratio < 4.5);"""
        for scheme in ["light", "dark"]:
            self.scheme(scheme)
            for view, state in [("search", {"q": "harbour"}), ("document", {"id": "Corpora/polyglot/en.md", "q": "harbour"}), ("query", {"q": "SELECT * FROM _ LIMIT 3"})]:
                self.open(view, **state)
                self.wait(lambda: self.all(".hit, tbody tr, article mark"))
                self.assertEqual(self.browser.execute_script(script), [], f"{view}, {scheme}")

    def test_controls_have_names(self):
        script = """
          return [...document.querySelectorAll('button, input, select, textarea, a')].filter((one) => one.offsetParent &&
            !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML);"""
        for view, state in [("search", {"q": "harbour"}), ("document", {"id": "Corpora/polyglot/en.md", "q": "harbour"}),
                            ("grep", {"pattern": "harbour"}), ("query", {"q": "SELECT * FROM _ LIMIT 3"}), ("overview", {})]:
            self.open(view, **state)
            self.wait(lambda: self.all(".hit, article mark, .match, tbody tr, .card"))
            self.assertEqual(self.browser.execute_script(script), [], view)
            self.assertEqual(len(self.all("main")), 1)
        self.open("search", q="harbour")
        self.wait(lambda: "found" in self.one("#status").get_attribute("textContent"))

    def test_the_page_is_small(self):
        total = 0
        for path in ["", "page/style.css", "page/icon.svg"] + [f"page/{name}.js" for name in "app api dom search document grep query overview".split()]:
            total += len(urllib.request.urlopen(self.server.url + path).read())
        self.assertLess(total, 100_000)


if __name__ == "__main__":
    PageTests.server = Server(sys.argv.pop(1))
    try:
        PageTests.browser = open_browser()
        program = unittest.main(exit=False, verbosity=1)
        PageTests.browser.quit()
    finally:
        PageTests.server.close()
    sys.exit(not program.result.wasSuccessful())

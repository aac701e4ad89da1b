"""The servers and the browser of the tests."""
import json
import os
import subprocess
import tempfile
import unittest
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
SCREENSHOTS = os.path.join(ROOT, ".build", "screenshots")


class Server:
    """`concord serve` with a database. `prepare` fills the database and may return options of the server."""

    def __init__(self, concord, prepare):
        self.folder = tempfile.TemporaryDirectory()
        self.database = os.path.join(self.folder.name, "demo.concord")
        self.concord = os.path.abspath(concord)
        options = prepare(self) or []
        self.process = subprocess.Popen(
            [self.concord, "serve", self.database, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def run(self, *arguments):
        subprocess.run(
            [self.concord, "-d", self.database, *arguments], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)

    def put(self, id, document, *options):
        self.run("put", "-q", id, document if isinstance(document, str) else json.dumps(document), *options)

    def save(self, id, document):
        """Saves a document over HTTP."""
        request = urllib.request.Request(
            f"{self.url}databases/demo/collections/_default/documents/{id}", json.dumps(document).encode(), method="PUT")
        urllib.request.urlopen(request).close()

    def close(self):
        self.process.terminate()
        assert self.process.wait(20) == 0, "the server did not end cleanly"
        self.process.stdout.close()
        self.folder.cleanup()


def open_browser():
    options = Options()
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


class PageTestCase(unittest.TestCase):
    concord: str
    server: Server
    browser: webdriver.Chrome

    # Each view with a state that shows content, and the selector of the content.
    VIEWS = [
        ("search", {"q": "harbour"}, ".hit"), ("document", {"id": "Corpora/polyglot/en.md", "q": "harbour"}, "article mark"),
        ("grep", {"pattern": "harbour"}, ".match"), ("query", {"q": "SELECT * FROM _ LIMIT 5"}, "tbody tr"),
        ("overview", {}, ".card"),
    ]

    def setUp(self):
        self.size(1280, 900)
        self.scheme("light")
        self.browser.get("about:blank")
        self.browser.get_log("browser")

    def tearDown(self):
        self.check_scripts()
        # The browser logs scripts that the content security policy blocks, and errors in our scripts. It also logs HTTP
        # error responses, which are ignored.
        errors = [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]]
        self.assertEqual(errors, [])

    def check_scripts(self):
        """Checks that the page contains no elements from documents, and that no script in a document ran."""
        self.assertIsNone(self.browser.execute_script("return window.attacked ?? null"))
        foreign = "main :is(img, script, svg, iframe, style, link, [onload], [onerror], [style])"
        self.assertEqual([one.get_attribute("outerHTML") for one in self.all(foreign)], [])

    def size(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})

    def scheme(self, name):
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def before_scripts(self, script):
        """Runs a script before those of the page, in each page until the test ends."""
        identifier = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        self.addCleanup(self.browser.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", identifier)

    def open(self, view, **state):
        self.check_scripts()
        self.open_hash(f"#/{view}?{urllib.parse.urlencode({'db': 'demo', 'c': '_default._default', **state})}")

    def open_hash(self, hash):
        self.browser.get("about:blank")
        self.browser.get(self.server.url + hash)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition, message=""):
        """Waits until the condition, a function without arguments, is true, and returns its value."""
        return WebDriverWait(self.browser, 15, 0.05, ignored_exceptions=[Exception]).until(lambda _: condition(), message)

    def one(self, selector):
        return self.wait(lambda: self.all(selector)[0], f"{selector} is missing")

    def text(self, selector):
        return self.one(selector).text

    def active(self):
        return self.browser.switch_to.active_element

    def shot(self, name):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.browser.save_screenshot(os.path.join(SCREENSHOTS, f"{name}.png"))

    def state(self):
        return dict(urllib.parse.parse_qsl(self.browser.current_url.partition("?")[2]))

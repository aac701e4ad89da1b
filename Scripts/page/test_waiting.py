"""Tests of what the page shows while it waits for the server, after lost connections, and while documents change."""
import json

from selenium.webdriver.common.keys import Keys

from browser import PageTestCase

# Holds the requests whose path contains `window.held` until `release()` is called, as a server that does not respond does.
HOLD = """
  (() => {
    const send = window.fetch, waiting = [];
    window.release = () => { window.held = null; waiting.splice(0).forEach((go) => go()); };
    window.fetch = async (path, options) => {
      if (window.held && path.includes(window.held)) {
        await new Promise((resolve, reject) => {
          waiting.push(resolve);
          options.signal?.addEventListener("abort", () => reject(options.signal.reason));
        });
      }
      return send(path, options);
    };
  })();
"""
# Requests may take half a second instead of 60 seconds.
IMPATIENT_REQUESTS = """
  (() => {
    const timeout = AbortSignal.timeout;
    AbortSignal.timeout = (time) => timeout.call(AbortSignal, time === 60000 ? 500 : time);
  })();
"""
# The feed of changes may be silent for half a second instead of 40 seconds.
IMPATIENT_FEED = """
  (() => {
    const timer = window.setTimeout;
    window.setTimeout = (body, time, ...rest) => timer(body, time === 40000 ? 500 : time, ...rest);
  })();
"""


class WaitingTests(PageTestCase):
    def hold(self, path):
        self.browser.execute_script("window.held = arguments[0]", path)

    def release(self):
        self.browser.execute_script("window.release()")

    def check_busy(self, results, text):
        self.wait(lambda: self.one(results).get_attribute("aria-busy") == "true" and "stale" in self.one(results).get_attribute("class"))
        self.assertEqual(self.text(".summary"), text)
        self.assertEqual(self.one("#status").get_attribute("textContent"), text)
        self.release()
        self.wait(lambda: self.one(results).get_attribute("aria-busy") is None and self.text(".summary") != text)
        self.assertNotIn("stale", self.one(results).get_attribute("class"))

    def test_results_of_an_earlier_search_are_marked(self):
        self.before_scripts(HOLD)
        self.open("search", q="harbo")
        self.wait(lambda: self.all(".hit"))
        self.hold("/search")
        self.one(".searchbox input").send_keys("ur")
        self.check_busy("#hits", "Searching …")
        self.open("grep", pattern="harbo")
        self.wait(lambda: self.all(".match"))
        self.hold("/grep")
        self.one(".searchbox input").send_keys("ur")
        self.check_busy(".grep", "Searching …")
        self.open("query", q="SELECT 1 AS n")
        self.wait(lambda: self.all("tbody td"))
        self.hold("/query")
        self.one(".console .primary").click()
        self.check_busy(".output", "Running …")

    def test_an_empty_query_ends_the_wait(self):
        self.before_scripts(HOLD)
        self.open("query", q="SELECT 1 AS n")
        self.wait(lambda: self.all("tbody td"))
        self.hold("/query")
        self.one(".console .primary").click()
        self.wait(lambda: "stale" in self.one(".output").get_attribute("class"))
        self.one(".editor textarea").clear()
        self.one(".console .primary").click()
        self.wait(lambda: self.one(".output").get_attribute("aria-busy") is None)
        self.assertNotIn("stale", self.one(".output").get_attribute("class"))

    def test_a_server_that_does_not_respond_is_asked_again(self):
        # The feed keeps its limit: each reopened feed repeats the search, which would replace the button before it is clicked.
        self.before_scripts(HOLD + IMPATIENT_REQUESTS)
        self.open("search", q="harbo")
        self.wait(lambda: self.all(".hit"))
        self.hold("/search")
        self.one(".searchbox input").send_keys("ur")
        self.wait(lambda: self.text(".notice strong") == "The server does not respond")
        self.release()
        self.one(".notice button").click()
        self.wait(lambda: self.all(".hit"))

    def test_a_silent_connection_is_opened_again(self):
        self.before_scripts(IMPATIENT_FEED + """
          const send = window.fetch;
          window.opened = 0;
          window.fetch = async (path, options) => {
            if (!path.includes("/changes")) return send(path, options);
            window.opened += 1;
            return new Response(new ReadableStream({ start(controller) {
              const write = () => controller.enqueue(new TextEncoder().encode(":\\n\\n"));
              if (window.beats) { const timer = setInterval(write, 100); options.signal.addEventListener("abort", () => clearInterval(timer)); }
              options.signal.addEventListener("abort", () => controller.error(options.signal.reason));
            } }));
          };
        """)
        opened = lambda: self.browser.execute_script("return window.opened")
        self.open("search", q="harbour")
        self.wait(lambda: opened() >= 3)
        self.browser.execute_script("window.beats = true")
        before = opened()
        self.wait(lambda: opened() > before and self.all(".live.on"))
        # With heartbeats, the connection is kept.
        after = opened()
        self.browser.execute_async_script("setTimeout(arguments[0], 1200)")
        self.assertEqual(opened(), after)
        self.browser.execute_script("dispatchEvent(new Event('offline'))")
        self.wait(lambda: opened() == after + 1)

    def test_results_are_updated_while_documents_keep_changing(self):
        # Changes arrive faster than a search takes, and without a pause.
        self.before_scripts("""
          const send = window.fetch;
          window.fetch = async (path, options) => {
            if (path.includes("/changes")) {
              const text = new TextEncoder().encode('event: change\\ndata: {}\\n\\n');
              return new Response(new ReadableStream({ start(controller) {
                const timer = setInterval(() => controller.enqueue(text), 50);
                options.signal.addEventListener("abort", () => { clearInterval(timer); controller.error(options.signal.reason); });
              } }));
            }
            if (path.endsWith("/search")) await new Promise((resolve) => setTimeout(resolve, 400));
            if (options.signal?.aborted) { window.aborted = true; throw options.signal.reason; }
            return send(path, options);
          };
        """)
        self.open("search", q="kaleidoscopic")
        self.wait(lambda: self.text(".notice strong") == "Nothing found")
        self.server.save("always_1", {"name": "Always", "text": "a kaleidoscopic teapot"})
        self.wait(lambda: self.text(".hit a") == "Always")
        self.assertIsNone(self.browser.execute_script("return window.aborted ?? null"))
        # Only the user's input cancels a search.
        self.one(".searchbox input").send_keys(Keys.BACKSPACE, "c")
        self.wait(lambda: self.text(".hit a") == "Always")

    def test_long_lines_are_shown_in_parts(self):
        text = ("é" * 5000 + "tea") + "x;tea" * 5000
        start = 10000
        matches = [{"start": start, "end": start + 3}] + [{"start": start + 5 + i * 5, "end": start + 8 + i * 5} for i in range(5000)]
        line = {"path": {"text": "a.js"}, "lines": {"text": text + "\n"}, "line_number": 1, "submatches": matches}
        many = {"path": {"text": "a.js"}, "lines": {"text": "tea " * 200}, "line_number": 2, "submatches": [{"start": i * 4, "end": i * 4 + 3} for i in range(200)]}
        self.grep([{"type": "begin", "data": {"path": {"text": "a.js"}}}, {"type": "match", "data": line}, {"type": "match", "data": many}])
        self.wait(lambda: len(self.all(".match")) == 2)
        first = self.all(".match code")[0].get_attribute("textContent")
        self.assertTrue(first.startswith("…é") and "tea" in first and first.endswith("…"), first)
        self.assertLess(len(first), 320)
        self.assertLess(len(self.all(".match:first-child mark")), 100)
        self.assertEqual(len(self.all(".match:last-child mark")), 100)
        self.shot("grep-long")

    def test_grep_stops_after_a_size(self):
        match = lambda number: {"type": "match", "data": {"path": {"text": "a"}, "lines": {"text": "tea " * 240}, "line_number": number, "submatches": []}}
        messages = []
        for file in range(40):
            messages += [{"type": "begin", "data": {"path": {"text": f"{file}.txt"}}}, *[match(number) for number in range(1, 91)]]
        self.grep(messages)
        self.wait(lambda: "are not shown" in self.text(".grep > .notice"))
        self.assertLess(len(self.all(".file")), 30)
        self.assertIn("the first", self.text(".summary"))

    def grep(self, messages):
        self.open("grep")
        self.browser.execute_script(
            """const send = window.fetch, text = arguments[0];
            window.fetch = (path, options) => path.includes("/grep?") ? Promise.resolve(new Response(text)) : send(path, options);""",
            "".join(json.dumps(one) + "\n" for one in messages))
        self.one(".searchbox input").send_keys("tea")

"""Tests of the page's state: the URL, several indexes, requests, tabs and tokens."""
import subprocess

from selenium.webdriver.common.keys import Keys

from browser import PageTestCase, Server

# Records the requests of the page. Holds those for the sample of a collection's documents until `release()` is called.
RECORD = """
  (() => {
    const send = window.fetch;
    const isSample = (options) => /"q":"\\*"/.test(options.body ?? "") && /"snippets":0/.test(options.body);
    const released = new Promise((resolve) => { window.release = () => { window.holds = false; resolve(); }; });
    window.sent = [];
    window.fetch = async (path, options) => {
      window.sent.push(path);
      if (window.isBusy && isSample(options)) return new Response('{"detail":"busy"}', { status: 503 });
      if (window.holds && isSample(options)) await released;
      return send(path, options);
    };
  })();
"""


class StateTests(PageTestCase):
    def sent(self, path):
        return len([one for one in self.browser.execute_script("return window.sent") if path in one])

    def test_an_unavailable_database_does_not_disable_the_page(self):
        self.before_scripts("""
          const send = window.fetch;
          window.fetch = async (path, options) => path === "/databases" ? new Response('{"databases":[{"name":"demo"},{"name":"gone"}]}')
            : path.startsWith("/databases/gone/") ? new Response('{"detail":"not available now"}', { status: 503 }) : send(path, options);
        """)
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.assertEqual(self.one("optgroup:disabled").get_attribute("label"), "gone: not available now")

    def test_an_index_is_chosen_if_there_are_several(self):
        self.open("search", c="_default.several", q="harbour")
        self.wait(lambda: "several full-text indexes" in self.text(".notice"))
        self.assertEqual([one.text for one in self.all(".notice button")], ["by_name", "by_text"])
        self.shot("indexes")
        self.one("[data-index=by_text]").click()
        self.wait(lambda: len(self.all(".hit mark")) == 2)
        self.assertEqual(self.state()["index"], "by_text")
        self.assertEqual(self.one("select[aria-label='Full-text index']").get_attribute("value"), "by_text")
        self.one(".searchbox input").send_keys(Keys.BACKSPACE)
        self.wait(lambda: self.text(".suggestions button").startswith("harbour"))
        self.one(".suggestions button").click()
        self.wait(lambda: self.state()["q"] == "harbour" and self.all(".hit a"))
        self.one(".hit a").click()
        self.wait(lambda: self.all("article mark") and self.all(".similar li"))
        self.assertEqual(self.state()["index"], "by_text")
        self.one(".back").click()
        self.wait(lambda: self.all(".hit") and self.state()["index"] == "by_text")

    def test_similar_documents_and_matches_need_an_index(self):
        self.open("document", c="_default.several", id="one", q="harbour")
        self.wait(lambda: "several full-text indexes" in self.text(".remark"))
        self.one(".similar [data-index=by_text]").click()
        self.wait(lambda: self.all("article mark") and self.all(".similar li"))
        self.assertFalse(self.all(".remark")[0].is_displayed())

    def test_an_unknown_index_is_an_error(self):
        self.open("search", c="_default.several", q="harbour", index="missing")
        self.wait(lambda: 'no full-text index "missing"' in self.text(".notice"))
        self.one("[data-index=by_name]").click()
        self.wait(lambda: self.text(".notice strong") == "Nothing found")

    def test_facets_appear_if_the_user_types_before_the_sample(self):
        self.before_scripts(RECORD + "window.holds = true;")
        self.open("search")
        self.one(".searchbox input").send_keys("harbo")
        self.wait(lambda: self.sent("/search") == 1)
        self.one(".searchbox input").send_keys("ur")
        self.wait(lambda: self.state().get("q") == "harbour")
        self.browser.execute_script("window.release()")
        self.wait(lambda: self.all(".facets fieldset") and len(self.all("select[aria-label='Sort by'] option")) > 1)

    def test_facets_appear_after_the_user_left_before_the_sample(self):
        self.before_scripts(RECORD + "window.holds = true;")
        self.open("search", q="harbour")
        self.wait(lambda: self.sent("/search") == 1)
        self.one("nav [data-view=overview]").click()
        self.wait(lambda: self.all(".card"))
        self.browser.execute_script("window.release()")
        self.browser.back()
        self.wait(lambda: self.all(".facets fieldset") and len(self.all("select[aria-label='Sort by'] option")) > 1)

    def test_a_failed_sample_is_taken_again(self):
        self.before_scripts(RECORD + "window.isBusy = true;")
        self.open("search", q="harbo")
        self.wait(lambda: self.all(".hit"))
        self.assertFalse(self.all(".facets fieldset"))
        self.browser.execute_script("window.isBusy = false")
        self.one(".searchbox input").send_keys("ur")
        self.wait(lambda: self.all(".facets fieldset"))

    def test_a_link_sends_its_requests_once(self):
        self.before_scripts(RECORD)
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".live.on") and self.all(".hit"))
        self.assertEqual(self.sent("/changes"), 1)
        self.one(".hit a").click()
        self.wait(lambda: self.all("article mark") and self.all(".similar li"))
        self.assertEqual(self.sent("/documents/"), 1)
        self.one(".back").click()
        searches = self.sent("/search")
        self.wait(lambda: self.all(".live.on") and self.all(".hit"))
        self.assertEqual(self.sent("/changes"), 2)
        self.browser.back()
        self.wait(lambda: self.all("article mark") and self.all(".similar li"))
        self.assertEqual(self.sent("/documents/"), 2)
        # Those of the second document are its matches and similar documents.
        self.assertLessEqual(self.sent("/search") - searches, 3)

    def test_results_are_shown_again_with_page_order_and_focus(self):
        self.open("search", q="the", sort="`name`", page="2")
        self.wait(lambda: len(self.all(".hit")) > 2)
        state, hit = self.state(), self.all(".hit a")[2]
        title = hit.text
        hit.click()
        self.wait(lambda: self.text("h1") == title)
        self.one(".back").click()
        self.wait(lambda: self.active().get_attribute("id") == "hit-2")
        self.assertEqual((self.state(), self.active().text), (state, title))

    def test_urls_that_name_no_view_show_the_search(self):
        for hash in ["#/constructor", "#/__proto__", "#/search?view=x", "#/document", "#/search?f=null", "#/search?f={\"a\":1}"]:
            with self.subTest(hash):
                self.open_hash(hash)
                self.wait(lambda: self.all(".hit"))

    def test_seven_tabs(self):
        first = self.browser.current_window_handle

        def close():
            for tab in self.browser.window_handles:
                if tab != first:
                    self.browser.switch_to.window(tab)
                    self.browser.close()
            self.browser.switch_to.window(first)
        self.addCleanup(close)
        for _ in range(7):
            self.browser.switch_to.new_window("tab")
            self.open("search", q="harbour")
            self.wait(lambda: self.all(".hit") and self.all(".live.on"))
        self.server.save("tab_1", {"name": "Tab", "text": "qwerhanzibar harbour harbour harbour"})
        self.browser.switch_to.window(self.browser.window_handles[1])
        self.wait(lambda: self.all(".live.on"))
        self.wait(lambda: "Tab" in [one.text for one in self.all(".hit a")])


class TokenTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        def prepare(server):
            server.put("one", {"name": "One", "text": "harbour"})
            server.run("create-index", "-q", "texts", "text", "--full-text")
            tokens = f"{server.folder.name}/tokens"
            cls.token = subprocess.run([server.concord, "token", "create", "read", "--file", tokens],
                                       check=True, text=True, stdout=subprocess.PIPE).stdout.split()[0]
            return ["--token-file", tokens]
        cls.server = Server(cls.concord, prepare)
        cls.addClassCleanup(cls.server.close)

    def enter(self, token):
        self.one("#token").clear()
        self.browser.execute_script("document.getElementById('token').value = arguments[0]", token)
        self.one("#login .primary").click()

    def test_a_token_is_entered(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.one("#login").is_displayed())
        self.enter("")
        self.wait(lambda: "Enter a token" in self.text("#token-error"))
        self.enter(f"{self.token}\u200b")
        self.wait(lambda: "U+200B" in self.text("#token-error"))
        self.shot("token")
        self.enter("unknown")
        self.wait(lambda: "does not accept" in self.text("#token-error"))
        self.enter(f" {self.token} ")
        self.wait(lambda: self.text(".hit a") == "One")

    def test_the_dialog_is_cancelled(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.one("#login").is_displayed())
        self.active().send_keys(Keys.ESCAPE)
        self.wait(lambda: self.text(".notice strong") == "A token is required")
        self.assertFalse(self.one("#login").is_displayed())
        self.shot("token-required")
        self.one(".notice button").click()
        self.wait(lambda: self.one("#login").is_displayed())
        self.enter(self.token)
        self.wait(lambda: self.text(".hit a") == "One")

    def test_a_stored_token_with_an_invisible_character_is_ignored(self):
        self.open("search", q="harbour")
        self.browser.execute_script("sessionStorage.setItem('concordance-token', 'a\\u200bb')")
        self.open("search", q="harbour")
        self.wait(lambda: self.one("#login").is_displayed())
        self.enter(self.token)
        self.wait(lambda: self.text(".hit a") == "One")

    def setUp(self):
        super().setUp()
        self.browser.get(self.server.url)
        self.browser.execute_script("sessionStorage.clear()")

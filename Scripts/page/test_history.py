"""Tests of the browser's history, the menu of collections and links to documents without a title."""
import json

from selenium.webdriver.common.keys import Keys

from browser import PageTestCase


class HistoryTests(PageTestCase):
    def setUp(self):
        # Each test has a new tab, because the history of a tab has at most 50 entries.
        first = self.browser.current_window_handle

        def close():
            self.browser.close()
            self.browser.switch_to.window(first)
        self.browser.switch_to.new_window("tab")
        self.addCleanup(close)
        super().setUp()

    def length(self):
        return self.browser.execute_script("return history.length")

    def test_back_shows_the_searches_that_were_typed(self):
        for view, key in [("search", "q"), ("grep", "pattern")]:
            with self.subTest(view):
                self.open(view, **{key: "harbour"})
                self.wait(lambda: self.all(".hit, .match"))
                before = self.length()
                box = self.one(".searchbox input")
                box.clear()
                box.send_keys("island")
                self.wait(lambda: self.length() == before + 1)
                box.clear()
                box.send_keys("lighthouse", Keys.TAB)
                self.wait(lambda: self.length() == before + 2 and self.state()[key] == "lighthouse")
                self.browser.back()
                self.wait(lambda: self.state()[key] == "island" and self.one(".searchbox input").get_attribute("value") == "island")
                self.browser.back()
                self.wait(lambda: self.state()[key] == "harbour")

    def test_enter_keeps_the_search_before(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        box = self.one(".searchbox input")
        box.clear()
        box.send_keys("island", Keys.ENTER)
        self.wait(lambda: self.all("article"))
        for q in ["island", "harbour"]:
            self.browser.back()
            self.wait(lambda: self.all(".hit") and self.state()["q"] == q)

    def test_back_shows_the_query_before(self):
        self.open("query", q="SELECT 1 AS n")
        self.wait(lambda: self.text("tbody td") == "1")
        before = self.length()
        editor = self.one("textarea")
        editor.send_keys(Keys.CONTROL, Keys.ENTER)
        editor.send_keys(Keys.NULL, Keys.BACKSPACE, "m")
        editor.send_keys(Keys.CONTROL, Keys.ENTER)
        self.wait(lambda: self.text("th") == "m")
        self.assertEqual(self.length(), before + 1)
        self.browser.back()
        self.wait(lambda: self.text("th") == "n")

    def test_escape_goes_back_to_the_results(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.one(".hit a").click()
        self.wait(lambda: self.all("article mark"))
        before = self.length()
        self.one(".document-bar button[aria-pressed]").click()
        self.one("body").send_keys(Keys.ESCAPE)
        self.wait(lambda: self.all(".hit"))
        self.assertEqual(self.length(), before)
        # The document is still the next entry.
        self.browser.forward()
        self.wait(lambda: self.all("article"))
        # A document that a link opened has other entries before it.
        self.open("document", id="Corpora/polyglot/en.md", q="harbour")
        self.wait(lambda: self.all("article mark"))
        self.one("body").send_keys(Keys.ESCAPE)
        self.wait(lambda: self.all(".hit") and self.state()["q"] == "harbour")

    def test_the_menu_follows_new_collections(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.server.put("late", {"text": "late harbour"}, "-c", "late")
        self.browser.execute_script("location.hash = '#/query?db=demo&c=_default.late'")
        self.wait(lambda: self.one("#source").get_attribute("value") == '["demo","_default.late"]')
        self.assertFalse(self.all("#source [data-missing]"))
        self.browser.execute_script("location.hash = '#/query?db=demo&c=_default.gone'")
        self.wait(lambda: self.one("#source option:checked").text == "demo · gone (not found)")
        self.browser.execute_script("location.hash = '#/query?db=demo'")
        self.wait(lambda: self.state().get("c") == "_default._default")
        self.assertFalse(self.all("#source [data-missing]"))

    def test_the_collection_is_of_the_database_in_the_url(self):
        self.before_scripts("""
          const send = window.fetch, other = { collections: [{ name: "_default.few", documentCount: 1 }] };
          window.fetch = async (path, options) => path === "/databases" ? new Response('{"databases":[{"name":"demo"},{"name":"small"}]}')
            : path.startsWith("/databases/small/") ? new Response(JSON.stringify(other)) : send(path, options);
        """)
        self.open_hash("#/query?db=small")
        self.wait(lambda: self.state().get("c") == "_default.few")

    def test_links_without_a_title_have_text(self):
        hits = [{"id": id, "title": title, "snippets": []} for id, title in [
            ("a/b", " "), ("folder/", None), ("x/ ", ""), ("  ", " "), ("y", "Title")]]
        self.before_scripts("""
          const send = window.fetch, answer = %s;
          window.fetch = async (path, options) => path.endsWith("/search") && !/"q":"\\\\*"/.test(options.body)
            ? new Response(JSON.stringify(answer)) : send(path, options);
        """ % json.dumps({"hits": hits, "totalHits": 5, "processingTimeMs": 1}))
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.assertEqual([one.get_attribute("textContent") for one in self.all(".hit > a")], ["b", "folder", "x/ ", '"  "', "Title"])

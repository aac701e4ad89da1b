"""Tests of the views: search, document, grep, query and overview."""
import re
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import PageTestCase


class ViewTests(PageTestCase):
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

    def test_results_follow_changes(self):
        self.open("search", q="zanzibarian")
        self.wait(lambda: self.text(".notice strong") == "Nothing found")
        self.wait(lambda: self.all(".live.on"))
        self.server.save("live_1", {"name": "Live", "text": "a zanzibarian teapot"})
        self.wait(lambda: self.text(".hit a") == "Live")

    def test_keyboard(self):
        self.open("search", q="harbour")
        self.wait(lambda: self.all(".hit"))
        self.browser.execute_script("document.activeElement.blur()")
        self.active().send_keys("/")
        self.wait(lambda: self.active().get_attribute("type") == "search")
        self.active().send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.active().get_attribute("id") == "hit-0")
        self.active().send_keys(Keys.ARROW_DOWN)
        self.wait(lambda: self.active().get_attribute("id") == "hit-1")
        self.shot("keyboard")
        title = self.active().text
        self.active().send_keys(Keys.ENTER)
        self.wait(lambda: self.text("h1") == title)

    def test_document_steps_through_all_matches(self):
        self.open("document", id="Corpora/polyglot/en.md", q="harbour")
        self.wait(lambda: len(self.all("article mark")) > 3)
        total = len(self.all("article mark"))
        self.assertEqual(self.text(".position"), f"{total} matches")
        self.active().send_keys("n")
        self.wait(lambda: self.text(".position") == f"1 of {total} matches" and self.all("mark.current"))
        self.active().send_keys("p")
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

    def test_grep_keeps_its_lines_after_errors(self):
        messages = [
            '{"type":"begin","data":{"path":{"text":"a.md"}}}',
            '{"type":"match","data":{"path":{"text":"a.md"},"lines":{"text":"tea"},"line_number":1,"submatches":[]}}',
            '{"type":"end","data":{"path":{"text":"a.md"},"stats":{"matched_lines":1}}}',
            '{"type":"error","data":{"code":"pattern_too_costly","detail":"b.md: too costly"}}',
            '{"type":"error","data":{"code":"query_time_exceeded","detail":"took too long"}}',
        ]
        self.open("grep")
        self.browser.execute_script(
            """const send = window.fetch, text = arguments[0];
            window.fetch = (path, options) => path.includes("/grep?") ? Promise.resolve(new Response(text)) : send(path, options);""",
            "\n".join(messages) + "\n")
        self.one(".searchbox input").send_keys("tea")
        self.wait(lambda: "ended early" in self.text(".summary"))
        self.assertEqual([one.text for one in self.all(".file h2 a")], ["a.md"])
        self.assertEqual(len(self.all(".notice.error")), 2)

    def test_inputs_of_patterns_are_not_spell_checked(self):
        self.open("grep")
        self.assertEqual(self.one(".searchbox input").get_attribute("spellcheck"), "false")

    def test_a_query_may_contain_question_marks(self):
        self.open_hash("#/grep?db=demo&c=_default._default&pattern=tea?s?")
        self.wait(lambda: self.all(".searchbox input") and self.one(".searchbox input").get_attribute("value") == "tea?s?")

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

    def test_the_page_is_small(self):
        total = 0
        for path in ["", "page/style.css", "page/icon.svg"] + [f"page/{name}.js" for name in "app api dom search document grep query overview".split()]:
            total += len(urllib.request.urlopen(self.server.url + path).read())
        self.assertLess(total, 100_000)

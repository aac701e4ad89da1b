"""Tests of the table of the console."""
from browser import PageTestCase


class RowTests(PageTestCase):
    @classmethod
    def setUpClass(cls):
        for id, document in [("row_1", {"kind": "row", "id": "own", "geo": {"lat": 1}, "text": 'a "quoted" \\ [{ text'}), ("row_2", {"kind": "row", "other": 2})]:
            cls.server.save(id, document)

    def rows(self, query):
        """Runs a query and returns the titles of the columns and the cells of each row."""
        self.open("query", q=query)
        self.wait(lambda: self.all("tbody tr"))
        return self.browser.execute_script("""
          const texts = (row) => [...row.cells].map((one) => one.textContent);
          const [head, ...rows] = document.querySelectorAll(".output tr");
          return [texts(head), rows.map(texts)];""")

    def test_a_property_does_not_replace_the_id(self):
        head, rows = self.rows("SELECT META().id, * FROM _ WHERE kind = 'row' ORDER BY META().id")
        self.assertEqual(sorted(head), ["_.id", "geo", "id", "kind", "other", "text"])
        found = [dict(zip(head, row)) for row in rows]
        self.assertEqual([len(row) for row in rows], [6, 6])
        self.assertEqual([(one["id"], one["_.id"], one["other"]) for one in found], [("row_1", "own", ""), ("row_2", "", "2")])
        self.assertEqual(found[0]["text"], 'a "quoted" \\ [{ text')

    def test_only_documents_are_divided_into_columns(self):
        for query, columns in [
            ("SELECT geo FROM _ WHERE META().id = 'row_1' AND 2*3 = 6", ["geo"]),
            ("SELECT COUNT(*) AS n, MAX(geo) AS g FROM _ WHERE META().id = 'row_1'", ["n", "g"]),
            ("SELECT geo -- *\nFROM _ WHERE META().id = 'row_1'", ["geo"]),
            ("SELECT DISTINCT r.*, '*' AS star FROM _ AS r WHERE META(r).id = 'row_2'", ["kind", "other", "star"]),
        ]:
            with self.subTest(query):
                self.assertEqual(self.rows(query)[0], columns)

    def test_documents_of_a_join_keep_their_names(self):
        head, rows = self.rows("SELECT * FROM _ AS a JOIN _ AS b ON META(a).id = 'row_1' AND META(b).id = 'row_2'")
        self.assertEqual(sorted(head), ["a.kind", "b.kind", "geo", "id", "other", "text"])
        self.assertEqual(len(rows), 1)

    def test_the_query_in_the_editor_may_change(self):
        self.open("query", q="SELECT geo FROM _ WHERE META().id = 'row_1'")
        self.wait(lambda: self.all("tbody tr"))
        self.one("textarea").send_keys(" -- *")
        self.assertEqual([one.text for one in self.all("th")], ["geo"])

    def test_an_endless_answer_is_cancelled(self):
        self.before_scripts("""
          const send = window.fetch;
          window.fetch = async (path, options) => {
            if (!path.endsWith("/query")) return send(path, options);
            const bytes = (text) => new TextEncoder().encode(text);
            let isFirst = true;
            // The parts end within strings, escapes and characters.
            const text = JSON.stringify({ a: 'x"\\\\[{é' });
            return new Response(new ReadableStream({
              pull(controller) {
                if (isFirst) controller.enqueue(bytes('{"columns":["a"],"rows":[')); else for (const one of bytes(text + ",")) controller.enqueue(new Uint8Array([one]));
                isFirst = false;
              },
              cancel() { window.cancelled = true; },
            }));
          };
        """)
        head, rows = self.rows("SELECT a FROM _")
        self.assertEqual((head, len(rows), rows[0]), (["a"], 1000, ['x"\\[{é']))
        self.assertIn("the first 1,000 rows", self.text(".summary"))
        self.assertTrue(self.browser.execute_script("return window.cancelled"))

    def test_an_answer_that_ends_early_is_an_error(self):
        self.before_scripts("""
          const send = window.fetch;
          window.fetch = async (path, options) => path.endsWith("/query") ? new Response('{"columns":["a"],"rows":[{"a":1}') : send(path, options);
        """)
        self.open("query", q="SELECT a FROM _")
        self.wait(lambda: "not complete" in self.text(".notice.error"))

    def test_warnings_are_shown(self):
        self.before_scripts("""
          const send = window.fetch;
          window.fetch = async (path, options) => path.endsWith("/query") ? new Response('{"columns":["a"],"rows":[{"a":1}],"warnings":["misspelt"]}') : send(path, options);
        """)
        self.rows("SELECT a FROM _")
        self.assertEqual(self.text(".correction"), "misspelt")

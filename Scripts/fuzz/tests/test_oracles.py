"""Tests the oracles against answers written by hand."""
import json
import sqlite3
import unittest

from faults import decoded, encoded
from grammars.conditions import sqlpp
from grammars.searches import written
from oracles import python_json
from oracles.html_words import VisibleText
from oracles.ripgrep import sorted_lines
from oracles.stock_sqlite import StockReader
from oracles.words import StockFTS5, matches
from targets.csv_tables import rows


class StockSQLiteTests(unittest.TestCase):
    """Tests the tables on the handbook's page about SQL++."""

    def setUp(self):
        self.reader = StockReader.__new__(StockReader)
        self.reader.connection = sqlite3.connect(":memory:")
        self.reader.connection.executescript('CREATE TABLE "_default._default" (id, body, deleted)')
        for name, body in {"n": {"a": None}, "m": {}, "1": {"a": 1}, "t": {"a": True}, "s": {"a": "x"}}.items():
            self.reader.connection.execute('INSERT INTO "_default._default" VALUES (?, ?, 0)', (name, json.dumps(body)))

    def tearDown(self):
        self.reader.close()

    def ids(self, condition):
        return [row[0] for row in self.reader.rows(condition, ["literal", 1])]

    def test_missing_and_null_are_distinguished(self):
        self.assertEqual(self.ids(["is", "MISSING", ["path", "a"]]), ["m"])
        self.assertEqual(self.ids(["is", "NULL", ["path", "a"]]), ["n"])
        self.assertEqual(self.ids(["not", ["is", "NULL", ["path", "a"]]]), ["1", "s", "t"])

    def test_negation_of_an_unknown_comparison_is_false(self):
        self.assertEqual(self.ids(["not", ["compare", "=", ["path", "a"], ["literal", 1]]]), ["s"])

    def test_true_is_one(self):
        self.assertEqual(self.ids(["compare", "=", ["path", "a"], ["literal", 1]]), ["1", "t"])

    def test_or_treats_null_as_false(self):
        test = ["or", ["compare", "=", ["path", "a"], ["literal", 2]], ["is", "NULL", ["path", "a"]]]
        self.assertEqual(self.ids(test), ["n"])

    def test_values(self):
        found = self.reader.rows(["literal", True], ["arithmetic", "+", ["path", "a"], ["literal", 1]])
        self.assertEqual(dict(found), {"n": None, "m": "MISSING", "1": 2, "t": None, "s": None})

    def test_trees_are_written_as_sqlpp(self):
        tree = ["and", ["like", ["path", "s"], "it's"], ["in", ["path", "a"], ["literal", None], ["literal", -1]]]
        self.assertEqual(sqlpp(tree), "((s LIKE 'it''s') AND (a IN [NULL, (-1)]))")


class SearchOracleTests(unittest.TestCase):
    DOCUMENT = {"title": "alpha bravo", "text": "charlie alpha delta"}

    def test_words_phrases_and_fields(self):
        for tree, expected in [
            (["box", ["word", "alpha"], ["word", "delta"]], True), (["box", ["word", "alph"]], False),
            (["box", ["prefix", "alph"]], True),
            (["box", ["phrase", "charlie", "alpha"]], True), (["box", ["phrase", "bravo", "charlie"]], False),
            (["box", ["field", "title", ["word", "delta"]]], False),
            (["box", ["or", ["word", "x"], ["word", "delta"]]], True),
            (["box", ["word", "alpha"], ["minus", ["word", "delta"]]], False),
            (["box", ["and", ["word", "alpha"], ["not", ["word", "delta"]]]], False),
            (["box", ["or", ["and", ["word", "x"], ["word", "y"]], ["brackets", ["box", ["word", "delta"]]]]], True),
        ]:
            self.assertEqual(matches(tree, self.DOCUMENT), expected, tree)

    def test_trees_are_written_with_the_precedence_of_the_search_box(self):
        tree = ["box", ["or", ["and", ["word", "a"], ["not", ["word", "b"]]], ["brackets", ["box", ["word", "c"], ["word", "d"]]]], ["prefix", "e"]]
        self.assertEqual(written(tree), "a AND NOT b OR (c d) e*")

    def test_stock_fts5_reads_its_language(self):
        stock = StockFTS5({"a": self.DOCUMENT})
        self.assertEqual(stock.ids('title:bravo AND ("charlie alpha" NOT x)'), ["a"])
        self.assertEqual(stock.ids("title:delta"), [])
        stock.close()


class FormatOracleTests(unittest.TestCase):
    def test_json_is_strict(self):
        for text in ['{"a":NaN}', '{"a":"\\ud800"}', "[1]", '{"a":1e999}', '{"a":1,}', "{'a':1}",
                     '{"a":' + "[" * 1001 + "]" * 1001 + "}"]:
            with self.assertRaises(python_json.Invalid, msg=text[:40]):
                python_json.parse_document(text)
        deepest = '{"a":' * 1000 + "1" + "}" * 1000
        self.assertEqual(python_json.depth(python_json.parse_document(deepest)), 1000)
        self.assertEqual([python_json.depth(made) for made in ({}, {"a": 1}, {"a": []}, {"a": [[{"b": 1}]]})],
                         [1, 1, 2, 4])
        self.assertEqual(python_json.parse_document('{"a":"\\ud83d\\ude00"}'), {"a": "😀"})

    def test_csv_leaves_out_empty_cells_and_blank_lines(self):
        self.assertEqual(rows('a,b\r\n\r\n1,\r\n"x\ny","q""r"\r\n', ","), [{"a": "1"}, {"a": "x\ny", "b": 'q"r'}])

    def test_hidden_words_of_a_page(self):
        page = VisibleText("<title>w1x</title><p>w2x<b>w3x</b><!-- h4x --><script>'<p>h5x'</script> w6x")
        self.assertEqual(page.words(), ["w2x", "w3x", "w6x"])
        self.assertEqual("".join(page.title), "w1x")

    def test_lines_of_grep_are_grouped_by_file(self):
        self.assertEqual(sorted_lines(b"b\0one\na\0two\nb\0three\n"),
                         [(b"", [b""]), (b"a", [b"two"]), (b"b", [b"one", b"three"])])

    def test_inputs_survive_storing(self):
        given = {"damaged": b"\xff\x00", "tree": ["not", ["path", "a"]], "n": None}
        self.assertEqual(decoded(encoded(given)), given)

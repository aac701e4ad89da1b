"""Tests of how the page shows text and numbers of documents."""
from browser import PageTestCase

HOSTILE = {
    "title": "<img src=x onerror=window.attacked=1>",
    "text": "lighthouse <script>window.attacked=1</script> \u202egnp.exe\u202c \u001b[31mred\u0007",
    "kind": "\"><svg onload=window.attacked=1>",
}
# Joiners in Persian words and in emoji are part of the text. Joiners between Latin letters hide a text.
INVISIBLE = {
    "name": "Zwerl",
    "text": "zwerl a\u200bb c\u200cd e\u200df g\u2060h i\u2064j k\U000e0041l m\ufeffn o\ufe01\ufe02p "
            "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f52c \u2764\ufe0f zwerl\ufeff",
}
# JavaScript's numbers are exact up to 2^53.
EXACT = '{"name":"exact","big":9007199254740993,"list":[9007199254740993,{"low":-9007199254740995}]}'


class TextTests(PageTestCase):
    def test_hostile_documents_are_text(self):
        self.open("search", q="lighthouse onerror")
        self.wait(lambda: any("<img" in one.text for one in self.all(".hit a")))
        self.open("search", q="gnp.exe")
        self.wait(lambda: any("<img" in one.text for one in self.all(".hit a")))
        self.assertTrue(self.all(".control"))
        self.open("document", id="hostile", q="lighthouse")
        self.wait(lambda: "<script>" in self.text("article"))
        self.assertEqual(self.text("h1"), HOSTILE["title"])
        self.assertIn("U+202E", self.text("article"))
        self.assertIn("U+001B", self.text("article"))
        self.shot("hostile")
        self.open("document", id="hostile", raw="1")
        self.wait(lambda: "<script>" in self.text(".raw"))
        self.open("grep", pattern="gnp")
        self.wait(lambda: self.all(".grep .control"))
        self.open("query", q="SELECT * FROM _ WHERE META().id = 'hostile'")
        self.wait(lambda: "<script>" in self.text("tbody tr"))

    def test_invisible_characters_are_code_points(self):
        codes = ["U+200B", "U+200C", "U+200D", "U+2060", "U+2064", "U+E0041", "U+FEFF", "U+FE02", "U+FEFF"]
        shown = lambda parent: [one.text for one in self.all(f"{parent} .control")]
        self.open("document", id="invisible")
        self.wait(lambda: shown("article") == codes)
        # With matches, the text is decoded from UTF-8 in parts.
        self.open("document", id="invisible", q="zwerl")
        self.wait(lambda: self.all(".stepper button") and shown("article") == codes)
        text = self.one("article").get_attribute("textContent")
        for word in ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f469\u200d\U0001f52c", "\u2764\ufe0f"]:
            self.assertIn(word, text)
        self.shot("invisible")
        self.open("query", q="SELECT text FROM _ WHERE META().id = 'invisible'")
        self.wait(lambda: shown("tbody") == codes)
        self.open("query", c="_default.several", q="SELECT name FROM several WHERE name = 'two'", mode="explain")
        self.wait(lambda: "U+202E" in self.text(".unused"))

    def test_integers_keep_their_digits(self):
        digits = ["9007199254740993", "-9007199254740995"]
        self.open("query", q="SELECT big, list FROM _ WHERE META().id = 'exact'")
        self.wait(lambda: self.all("tbody td"))
        big, list = [one.text for one in self.all("tbody td")]
        self.assertEqual(big, digits[0])
        self.assertEqual(list, '[9007199254740993,{"low":-9007199254740995}]')
        self.assertEqual(self.one("tbody td").get_attribute("class"), "number")
        self.open("query", q="SELECT * FROM _ WHERE META().id = 'exact'")
        self.wait(lambda: digits[0] in [one.text for one in self.all("tbody td.number")])
        self.open("document", id="exact")
        self.wait(lambda: [one.text for one in self.all("dd .number")] == [digits[0], digits[0], digits[1]])

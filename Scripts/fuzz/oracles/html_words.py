"""The visible words of a page, found by Python's HTML parser."""
import html.parser
import re

WORD = re.compile(r"[wh]\d+x")


class VisibleText(html.parser.HTMLParser):
    """Collects the text outside scripts, styles and comments, and separately the title."""

    def __init__(self, page):
        super().__init__()
        self.stack, self.text, self.title = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "title"):
            self.stack.append(tag)

    def handle_endtag(self, tag):
        if self.stack and tag == self.stack[-1]:
            self.stack.pop()

    def handle_data(self, data):
        if not self.stack:
            self.text.append(data)
        elif self.stack[-1] == "title":
            self.title.append(data)

    def words(self):
        """Returns the words of the text in order."""
        return WORD.findall(" ".join(self.text))

"""Python's HTML parser: the words that a reader of a page sees."""
import html.parser
import re

WORD = re.compile(r"[wh]\d+x")


class VisibleText(html.parser.HTMLParser):
    """Collects the text outside of scripts, styles and comments; the title apart."""

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
        """The words of the text in their order."""
        return WORD.findall(" ".join(self.text))

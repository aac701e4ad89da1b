"""Compares HTML with Python's HTML parser, and Markdown with the words that the generator used."""
import json
import os

from faults import Fault, expect_equal
from grammars.pages import HTML_PIECES, MARKDOWN_PIECES, html, markdown
from mutate import mutate_bytes, mutate_text
from oracles.html_words import WORD, VisibleText
from process import concord
from targets.base import Target


class PageTarget(Target):
    """The base class for HTML and Markdown, whose files are one document each."""

    extension = ""
    pieces = ()

    def begin_round(self, random):
        if self.engine.opening:
            self.engine.close()
        self.engine.open(self.new_database())
        self.engine.ask("index", kind="fullText", name="search", expressions=["title", "text"])

    def damaged(self, random, text):
        """Returns a damaged page as an input."""
        text = mutate_text(random, text, self.pieces)
        data = text.encode("utf-8", "surrogatepass")
        return {"damaged": mutate_bytes(random, data) if random.random() < 0.3 else data,
                "command": random.random() < 0.1}

    def check_damaged(self, given):
        data = given["damaged"]
        self.read(data)
        if given["command"]:
            database = self.new_database("command.concord")
            arguments = ["-d", database, "index", self.path(f"page.{self.extension}")]
            concord(self.environment, arguments, self.folder, echoed=data.decode(errors="replace"))
            concord(self.environment, ["-d", database, "verify"], self.folder,
                    statuses=(0,) if os.path.exists(database) else (0, 2))

    def read(self, data):
        """Returns the document of a page, or None if the page cannot be read."""
        path = self.write(f"page.{self.extension}", data)
        answer = self.engine.ask("read", echoed=data.decode(errors="replace"), path=path, name=path, format=self.name)
        if not answer["documents"]:
            return None
        if len(answer["documents"]) > 1:
            raise Fault("wrong answer", f"one page is {len(answer['documents'])} documents")
        text = answer["documents"][0]["json"]
        try:
            document = json.loads(text)
        except ValueError:
            raise Fault("invalid JSON", f"the document is {text!r}") from None
        self.engine.ask("put", echoed=text, id="page", json=text)
        return document

    def check_found(self, words):
        """Checks that a search finds every word."""
        for word in words:
            expect_equal(self.engine.ask("search", text=word, exact=True)["ids"], ["page"], f"search for {word}")

    def shrink(self, given):
        for key in ("page", "damaged"):
            if key in given:
                yield from ({**given, key: text} for text in super().shrink(given[key]))

    def files(self, given):
        return {f"page.{self.extension}": given.get("page", given.get("damaged"))}


class HTMLTarget(PageTarget):
    name = "html"
    extension = "html"
    pieces = HTML_PIECES
    sample = 300

    def generate(self, random):
        text, _ = html(random)
        return {"page": text} if random.random() < 0.5 else self.damaged(random, text)

    def check(self, given):
        if "damaged" in given:
            return self.check_damaged(given)
        text = given["page"]
        expected = VisibleText(text)
        document = self.read(text.encode())
        if document is None:
            raise Fault("rejected page", f"{text!r} yields no document")
        expect_equal(WORD.findall(document["text"]), expected.words(), f"words of the text of {text!r}")
        if expected.title:
            expect_equal(document.get("title"), "".join(expected.title), f"title of {text!r}")
        self.check_found(expected.words()[-3:])


class MarkdownTarget(PageTarget):
    name = "markdown"
    extension = "md"
    pieces = MARKDOWN_PIECES
    sample = 300

    def generate(self, random):
        text, title, words = markdown(random)
        if random.random() < 0.5:
            return {"page": text, "title": title, "words": words}
        return self.damaged(random, text)

    def check(self, given):
        if "damaged" in given:
            return self.check_damaged(given)
        text = given["page"]
        document = self.read(text.encode())
        if document is None:
            raise Fault("rejected page", f"{text!r} yields no document")
        expect_equal(WORD.findall(document["text"]), given["words"], f"words of the text of {text!r}")
        expect_equal(document.get("title"), given["title"], f"title of {text!r}")
        self.check_found(given["words"][-3:])

    def shrink(self, given):
        return super().shrink(given) if "damaged" in given else ()

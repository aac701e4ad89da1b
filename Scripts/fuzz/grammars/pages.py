"""Random pages of HTML and Markdown. Each word of the text is unique, so that its position can be checked."""

HTML_BLOCKS = ["p", "div", "ul", "table", "h1", "h2", "section", "blockquote", "pre", "article"]
HTML_INLINE = ["b", "em", "a", "span", "code", "i", "small", "q"]
HTML_HIDDEN = ["<script>var {w} = '<p>{w}</p>';</script>", "<style>.{w} {{ color: red }}</style>", "<!-- {w} -->",
               "<!-- <b>{w}</b> -- >-->"]
HTML_PIECES = ["<", ">", "</p>", "</", "<script>", "<style>", "<!--", "-->", "<![CDATA[", "]]>", "<?php ?>", "&", "&amp",
               "&#x0;", "&#xD800;", "&#9999999999;",
               "&nbsp;", "&lt;b&gt;", "<p", "<a href=\"", "='", "<title>", "<pre>", "<table><tr><td>", "<br/>",
               "<meta charset=utf-7>",
               "<meta charset=\"shift_jis\">", "<template>", "<svg>", "<math>", "<plaintext>",
               "<div " + "a=1 " * 200 + ">", "<b>" * 300]
ENTITIES = [("&amp;", "&"), ("&lt;", "<"), ("&#233;", "é"), ("&eacute;", "é"), ("&#x1F600;", "😀"), ("&quot;", '"')]

MARKDOWN_PIECES = ["---\n", "...\n", "a: &x [1]\n", "b: *x\n", "<<: *x\n", "? [a, b]\n: c\n", "key: |\n  text\n",
                   "k: >-\n", "- - - a\n", "!!binary x\n", "%YAML 1.2\n",
                   "# ", "## ", "===\n", "---", "```\n", "~~~\n", "    ", "\t", "> ", "- ", "1. ",
                   "| a | b |\n|---|---|\n", "[x](", "![", "<div>", "</div>", "\\", "*", "_",
                   "&x *x : {*x: *x}\n", "date: 2024-13-45\n", "n: 1e999\n", "x: .inf\n", "y: !!python/object a\n", "{",
                   "}", "[", "\"", "'"]


class Words:
    """Generates distinct words."""

    def __init__(self, prefix="w"):
        self.prefix = prefix
        self.count = 0

    def next(self):
        self.count += 1
        return f"{self.prefix}{self.count}x"


def html(random):
    """Returns a well-formed page and its title or None."""
    words, hidden = Words(), Words("h")

    def inline(depth):
        parts = []
        for _ in range(random.randint(1, 4)):
            if depth and random.random() < 0.3:
                tag = random.choice(HTML_INLINE)
                parts.append(f"<{tag}{attributes()}>{inline(depth - 1)}</{tag}>")
            elif random.random() < 0.1:
                parts.append(random.choice(ENTITIES)[0])
            else:
                parts.append(words.next())
        return random.choice([" ", "\n", "  "]).join(parts)

    def attributes():
        return random.choice(["", "", ' class="c"', " id=x", " data-a='<b>'", ' href="http://e.org/?a=1&amp;b=2"',
                              " hidden-x"])

    def block(depth):
        kind = random.randrange(10)
        if kind == 0:
            return random.choice(HTML_HIDDEN).format(w=hidden.next())
        tag = random.choice(HTML_BLOCKS)
        if tag == "ul":
            return "<ul>" + "".join(f"<li>{inline(1)}</li>" for _ in range(2)) + "</ul>"
        if tag == "table":
            return "<table>" + "".join(f"<tr><td>{inline(1)}</td><th>{inline(0)}</th></tr>" for _ in range(2)) + "</table>"
        if depth and tag in ("div", "section", "blockquote", "article"):
            return f"<{tag}{attributes()}>" + "\n".join(block(depth - 1) for _ in range(2)) + f"</{tag}>"
        return f"<{tag}{attributes()}>{inline(2)}</{tag}>"

    title = words.next() + " " + words.next() if random.random() < 0.7 else None
    head = (f"<title>{title}</title>" if title else "") + random.choice(["", "<meta charset=utf-8>",
                                                                         "<style>a{}</style>"])
    body = "\n".join(block(2) for _ in range(random.randint(1, 5)))
    doctype = random.choice(["<!DOCTYPE html>\n", ""])
    return f"{doctype}<html><head>{head}</head><body>{body}</body></html>", title


def markdown(random):
    """Returns a page with or without front matter, its title, and the words of its text."""
    words = Words()
    title, matter = None, ""
    if random.random() < 0.5:
        lines = []
        if random.random() < 0.7:
            title = f"{words.next()} {words.next()}"
            lines.append("title: " + random.choice([title, f'"{title}"', f"'{title}'", f">-\n  {title}"]))
        lines += random.sample(["tags: [a, b]", "draft: true", "n: 1", "date: 2024-05-01", "nested:\n  a: {b: [1, 2]}",
                                "text: |\n  # no title\n  b"], 2)
        random.shuffle(lines)
        matter = "---\n" + "\n".join(lines) + "\n---\n"
    blocks, body = [], []
    for _ in range(random.randint(1, 5)):
        sentence = [words.next() for _ in range(random.randint(1, 6))]
        body += sentence
        text = " ".join(sentence)
        kind = random.randrange(8)
        if kind < 3:
            blocks.append(random.choice([f"# {text}", f"## {text}", f"# {text} #", f"{text}\n===", f"{text}\n---"]))
            title = title or text
        elif kind == 3:
            blocks.append(f"```\n# {text}\n```")
        elif kind == 4:
            blocks.append("\n".join(f"- {word}" for word in sentence))
        elif kind == 5:
            blocks.append(f"> {text}")
        else:
            blocks.append(text)
    end = random.choice(["\n", "\n", "\r\n"])
    return (matter + "\n\n".join(blocks) + "\n").replace("\n", end), title, body

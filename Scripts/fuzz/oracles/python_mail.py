"""The messages and attachments of a mail, parsed by Python's email package."""
import email
import email.header
import email.utils
import io
import re
import zipfile

from oracles.html_words import VisibleText

WORD = re.compile(r"\w+", re.UNICODE)
TYPES = {"message/rfc822": ".eml", "text/html": ".html", "application/zip": ".zip"}


def decoded(data, charset):
    try:
        return data.decode(charset or "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def header_text(message, name):
    parts = []
    for text, charset in email.header.decode_header(message.get(name, "")):
        parts.append(decoded(text, charset) if isinstance(text, bytes) else text)
    return " ".join("".join(parts).split())


def html_text(text):
    page = VisibleText(text)
    return " ".join(page.text)


def name_of(part):
    name = part.get_filename()
    name = re.split(r"[/\\]", name)[-1].strip() if name else ""
    if name:
        return name
    kind = part.get_content_type()
    return "attachment" + TYPES.get(kind, ".txt" if kind.startswith("text/") else "")


def documents(data):
    """Returns the expected documents: (id, subject, words) of the message, its attachments and inner messages."""
    found = []
    visit(email.message_from_bytes(data), "mail.eml", found)
    return found


def visit(message, location, found):
    texts, attachments = collect(message)
    words = WORD.findall("\n".join(text for text, _ in texts))
    found.append((location, header_text(message, "subject"), words))
    used, counts = set(), {}
    for part in attachments:
        base = name = name_of(part)
        while name in used:
            counts[base] = counts.get(base, 1) + 1
            stem, dot, ending = base.rpartition(".")
            name = f"{stem}-{counts[base]}.{ending}" if dot else f"{base}-{counts[base]}"
        used.add(name)
        path = f"{location}/{name}"
        if part.get_content_type() == "message/rfc822":
            visit(part.get_payload(0), path, found)
        elif part.get_content_type() == "application/zip":
            with zipfile.ZipFile(io.BytesIO(part.get_payload(decode=True))) as box:
                for member in box.namelist():
                    found.append((f"{path}/{member}", None, WORD.findall(box.read(member).decode())))
        else:
            text = decoded(part.get_payload(decode=True), part.get_content_charset())
            text = html_text(text) if name.endswith(".html") or part.get_content_type() == "text/html" and \
                "." not in name else text
            found.append((path, None, WORD.findall(text)))


def collect(part):
    """Returns the texts, each with its type, and the attachments."""
    if part.is_multipart() and part.get_content_maintype() == "multipart":
        parts = [collect(inner) for inner in part.get_payload()]
        attachments = [item for _, items in parts for item in items]
        if part.get_content_subtype() != "alternative":
            return [text for texts, _ in parts for text in texts], attachments
        plain, html = ([texts for texts, _ in parts if any(kind == wanted and text.strip() for text, kind in texts)]
                       for wanted in ("text/plain", "text/html"))
        filled = [texts for texts, _ in parts if texts]
        return (plain[0] if plain else html[-1] if html else filled[-1] if filled else []), attachments
    if part.get_content_disposition() == "attachment" or part.get_content_maintype() not in ("text", "multipart"):
        return [], [part]
    text = decoded(part.get_payload(decode=True) or b"", part.get_content_charset())
    kind = part.get_content_type()
    return [(html_text(text) if kind == "text/html" else text, kind)], []

"""Random mail messages, written by Python's email package and as text."""
import base64
import io
import quopri
import zipfile
from email import policy
from email.header import Header
from email.message import EmailMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from urllib.parse import quote

# Character sets with a text that each can represent.
TEXTS = [("utf-8", "Žluťoučký kůň, 灯台守 und Grüße"), ("iso-8859-1", "Grüße aus Köln"), ("iso-8859-2", "Žluťoučký kůň"),
         ("koi8-r", "Смотритель маяка"), ("windows-1251", "Смотритель маяка"), ("iso-8859-7", "Ο φαροφύλακας"),
         ("iso-2022-jp", "灯台守は船を数える"), ("shift_jis", "灯台守は船を数える"), ("euc-jp", "灯台守"), ("gb2312", "灯塔看守人"),
         ("big5", "燈塔看守人"), ("euc-kr", "등대지기"), ("windows-1252", "“quoted” – €5"), ("us-ascii", "plain words"),
         ("utf-16", "wide Grüße"), ("iso-8859-15", "5 € bitte")]
NAMES = ["letter.txt", "naïve plan.txt", "灯台.txt", "a \"quoted\" name.txt", "semi;colon.txt", "100%.txt", "x.html",
         "no-extension", "a'b.txt", "very " * 12 + "long.txt"]
PIECES = [b"--", b"\n\n", b"\n", b"\r\n", b"Content-Type: ", b"multipart/mixed; boundary=", b"message/rfc822\n\n", b"=?utf-8?",
          b"?=", b"?b?", b"=", b"=\n", b"base64", b"charset=", b"\"", b";", b"filename*0*=", b"filename*=utf-8''%", b"From ",
          b">From ", b"(", b"\\", b"\x00", b"\xff", b"multipart/digest", b"utf-7", b"Content-Disposition: attachment;"]


class Words:
    def __init__(self):
        self.count = 0

    def next(self):
        self.count += 1
        return f"word{self.count}x"


def text_of(random, words):
    charset, sample = random.choice(TEXTS)
    lines = [f"{words.next()} {sample}" if random.random() < 0.8 else words.next() for _ in range(random.randint(1, 4))]
    if random.random() < 0.2:
        lines.append("long " * 40 + words.next())
    if random.random() < 0.2:
        lines.insert(0, "From the start = of a line")
    return charset, "\n".join(lines) + "\n"


def leaf(random, words):
    """Returns the header and the body of a text part, written without the email package."""
    charset, text = text_of(random, words)
    data = text.encode(charset)
    encoding = random.choice(["base64", "quoted-printable", "8bit", "BASE64"])
    if charset == "utf-16" and encoding == "8bit":
        encoding = "base64"
    if encoding.lower() == "base64":
        data = base64.encodebytes(data)
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data)
    kind = random.choice(["plain", "plain", "plain", "html", "x-note"])
    charset = random.choice([charset, f'"{charset}"', charset.upper()])
    header = f"Content-Type: text/{kind}; charset={charset}\nContent-Transfer-Encoding: {encoding}\n"
    if random.random() < 0.1:
        header = header.replace("; ", ";\n\t")
    return header.encode(), data


def attachment(random, words):
    header, data = leaf(random, words)
    name = random.choice(NAMES)
    style = random.randrange(4)
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    if style == 0 and name.isascii():
        parameter = f'filename="{quoted}"'
    elif style == 1:
        encoded = quote(name, safe="")
        parameter = f"filename*=utf-8''{encoded}"
    elif style == 2:
        encoded = quote(name, safe="")
        half = len(encoded) // 2
        # A percent sequence is not divided.
        while "%" in encoded[half - 2:half]:
            half += 1
        parameter = f"filename*0*=utf-8''{encoded[:half]};\n filename*1*={encoded[half:]}"
    else:
        parameter = "filename*=iso-8859-1'en'caf%E9.txt"
    return header + f"Content-Disposition: attachment;\n {parameter}\n".encode(), data


def archive(words):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as box:
        box.writestr("inner.txt", words.next() + "\n")
    return (b'Content-Type: application/zip\nContent-Disposition: attachment; filename="box.zip"\n'
            b"Content-Transfer-Encoding: base64\n", base64.encodebytes(file.getvalue()))


def part(random, words, depth):
    """Returns the header and the body of a part."""
    kind = random.random()
    if depth and kind < 0.35:
        boundary = random.choice(["b", "=_next", "a b c", "--x"]) + str(random.randrange(1 << 30))
        subtype = random.choice(["mixed", "alternative", "related", "mixed"])
        end = random.choice(["\n", "\r\n"]) if not depth else "\n"
        body = b"preamble\n" if random.random() < 0.3 else b""
        for _ in range(random.randint(1, 4)):
            header, data = part(random, words, depth - 1)
            body += f"--{boundary}{end}".encode() + header + b"\n" + data + b"\n"
        body += f"--{boundary}--\n".encode() if random.random() < 0.9 else b""
        return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\n'.encode(), body
    if depth and kind < 0.45:
        return b"Content-Type: message/rfc822\n", message(random, words, depth - 1)
    if kind < 0.5:
        return archive(words)
    if kind < 0.7:
        return attachment(random, words)
    return leaf(random, words)


def message(random, words, depth=3):
    """Returns a message written without the email package."""
    charset, sample = random.choice(TEXTS)
    if charset == "utf-16":
        charset, sample = TEXTS[0]
    subject = Header(f"{words.next()} {sample}", charset, maxlinelen=random.choice([40, 76])).encode()
    header, body = part(random, words, depth)
    lines = f"From: {Header('Jürgen', 'utf-8').encode()} <j@example.org>\nSubject: {subject}\n"
    return lines.encode() + b"MIME-Version: 1.0\n" + header + b"\n" + body


def packaged(random, words):
    """Returns a message that Python's email package writes."""
    if random.random() < 0.5:
        mail = EmailMessage(policy=policy.SMTP if random.random() < 0.3 else policy.default)
        charset, text = text_of(random, words)
        if charset in ("utf-16", "iso-2022-jp"):
            charset = "utf-8"
        mail["From"] = "Jürgen <j@example.org>"
        mail["Subject"] = f"{words.next()} {random.choice(TEXTS)[1]}"
        mail.set_content(text, charset=charset)
        if random.random() < 0.5:
            mail.add_alternative(f"<html><body><p>{words.next()}</body></html>", subtype="html")
        for _ in range(random.randint(0, 3)):
            mail.add_attachment(text_of(random, words)[1], filename=random.choice(NAMES))
        if random.random() < 0.2:
            inner = EmailMessage()
            inner["Subject"] = words.next()
            inner.set_content(words.next())
            mail.add_attachment(inner)
        return mail.as_bytes()
    mail = MIMEMultipart(random.choice(["mixed", "alternative", "digest"]))
    mail["From"] = "j@example.org"
    mail["Subject"] = words.next()
    for _ in range(random.randint(1, 3)):
        _, text = text_of(random, words)
        item = MIMEText(text, random.choice(["plain", "html"]), "utf-8")
        if random.random() < 0.4:
            item.add_header("Content-Disposition", "attachment", filename=("utf-8", "", random.choice(NAMES)))
        mail.attach(item)
    return mail.as_bytes()

"""Compares mail messages with Python's email package."""
import json

from faults import Fault, expect_equal
from grammars.mails import PIECES, Words, message, packaged
from mutate import mutate_bytes
from oracles.python_mail import WORD, documents
from targets.base import Target


class MailTarget(Target):
    name = "mail"
    sample = 400
    round_size = 400

    def generate(self, random):
        data = message(random, Words()) if random.random() < 0.6 else packaged(random, Words())
        if random.random() < 0.25:
            for _ in range(random.randint(1, 5)):
                position = random.randrange(len(data) + 1)
                data = data[:position] + random.choice(PIECES) + data[position:]
            return {"damaged": mutate_bytes(random, data) if random.random() < 0.5 else data}
        return {"mail": data}

    def check(self, given):
        data = given.get("mail", given.get("damaged"))
        path = self.write("mail.eml", data)
        answer = self.engine.ask("read", echoed=data.decode(errors="replace"), path=path, name="mail.eml", format="mail")
        found = []
        for entry in answer["documents"]:
            try:
                document = json.loads(entry["json"])
            except ValueError:
                raise Fault("invalid JSON", f"the document is {entry['json']!r}") from None
            found.append((entry["id"], document.get("subject"), WORD.findall(document["text"])))
        # An empty file is not a message.
        if "damaged" in given or not data.strip():
            return
        for problem in answer["problems"]:
            raise Fault("rejected mail", problem["message"])
        # Documents without text are left out.
        expected = [(name, subject, words) for name, subject, words in documents(data) if subject is not None or words]
        expect_equal([name for name, _, _ in found], [name for name, _, _ in expected], "ids")
        for (name, subject, words), (_, wanted, wanted_words) in zip(found, expected):
            if wanted is not None:
                expect_equal(subject, wanted or None, f"subject of {name}")
            expect_equal(words, wanted_words, f"words of {name}")

    def shrink(self, given):
        # A shortened message is malformed, and Python's parser repairs it in other ways.
        return ({"damaged": data} for data in super().shrink(given["damaged"])) if "damaged" in given else ()

    def files(self, given):
        return {"mail.eml": given.get("mail", given.get("damaged"))}

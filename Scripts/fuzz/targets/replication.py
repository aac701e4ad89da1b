"""Replication: a hostile peer gets nothing that it was not given, and what it sends does not damage the database."""
import json

from faults import Fault, expect_equal
from grammars.replication import session
from minimise import smaller_sequences
from process import concord
from targets.base import Target

# A text in a collection and in a blob that the peer cannot access.
SECRET = "confidential-7f3a"


class ReplicationTarget(Target):
    name = "replication"
    sample = 300

    def begin_round(self, random):
        self.engine.close()
        database = self.new_database()
        blob = self.write("secret.txt", SECRET)
        for arguments in (["put", "public", '{"n":1}'],
                          ["put", "-c", "secret", "s", json.dumps({"text": SECRET}), "--blob", f"file={blob}"]):
            concord(self.environment, ["-d", database, *arguments], self.folder, statuses=(0,))
        stored = concord(self.environment, ["-d", database, "get", "-c", "secret", "s"], self.folder, statuses=(0,)).output
        self.digest = json.loads(stored)["file"]["digest"]
        self.engine.open(database)

    def generate(self, random):
        return {"messages": session(random, self.digest), "readOnly": random.random() < 0.2,
                "answers": [random.choice([b"[]", b"[[]]", b"[[],[],[]]", b"[409]", b"hello", b"{}", b""]).hex()
                            for _ in range(random.randrange(4))]}

    def check(self, given):
        before = self.documents() if given["readOnly"] else None
        answer = self.engine.ask("peer", echoed=json.dumps(given), **given)
        if answer["hangs"]:
            raise Fault("hang", "the database did not process all messages")
        if SECRET in answer["received"]:
            raise Fault("wrong answer", "the peer has read a document or a blob that it was not given")
        if before is not None:
            expect_equal(self.documents(), before, "documents after a connection that may only read")
        problems = self.engine.ask("verify")["problems"]
        if problems:
            raise Fault("damaged by a peer", str(problems))

    def documents(self):
        return sorted(self.engine.ask("query", text="SELECT META().id, META().revisionID, * FROM _")["rows"])

    def shrink(self, given):
        yield from ({**given, "messages": smaller} for smaller in smaller_sequences(given["messages"]))

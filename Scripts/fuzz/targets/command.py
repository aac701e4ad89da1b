"""The command line: random combinations of options and arguments. Checks the exit status and the messages."""
import os
import shutil

from mutate import PIECES, mutate_text
from process import concord
from targets.base import Target

COMMANDS = ["index", "search", "grep", "query", "explain", "get", "put", "delete", "import", "export", "indexes",
            "create-index", "drop-index", "view", "stats", "verify",
            "optimize", "analyze", "suggest", "terms", "eval", "token", "sync", "cluster", "cat", "formats", "help", ""]
OPTIONS = ["--json", "-q", "-v", "-n", "--limit", "--offset", "--count", "--exact", "--fields", "--weight", "--where",
           "--param", "--sort", "--facet", "--select", "--like",
           "--feedback", "--model", "--k1", "--fuse", "--match", "--unique", "--duplicates", "--files", "--fresh", "--partial",
           "--timeout", "--index", "--explain", "--snippets", "--syntax", "--format", "--id-field", "--include", "--exclude",
           "--max-filesize", "--language", "--accents", "--code",
           "--stop-words", "--field-language", "--synonyms", "--no-patterns", "-c", "--collection", "--color", "--new",
           "--merge", "--file", "--blob", "--expires", "--if-absent",
           "--if-revision", "--replace", "--skip", "--fail", "--array", "--patterns", "--rebuild", "--compact", "-e",
           "-f", "-F", "-i", "-w", "-x", "-v", "-U", "-g", "-t", "-T",
           "-A", "-B", "-C", "-m", "-M", "-r", "-o", "-0", "-l", "--sort", "--stats", "--time-limit", "--field",
           "--prefix", "--queries", "--qrels", "--pretty", "--help", "--"]
VALUES = ["alpha", "text", "title", "a.txt", "missing.txt", "sub", ".", "./", "..", "", "-", "/dev/null", "0", "1", "-1",
          "9223372036854775807", "99999999999999999999", "0.5", "nan",
          "1e400", "en", "none", "json", "csv", "box", "fts5", "always", "never", "n > 1", "n", "text=2", "n=3", "p=1",
          "p=[1", "{}", '{"a":1}', "SELECT * FROM _", "r1", "s.c", "_x",
          "2030-01-01", "9999-99-99", "5K", "9999999999G", "*.{c,h}", "[", "**/*", "a.txt:text/plain", "(", "\\d+", "$p"]
DATABASES = ["data.concord", "data.concord", "data.concord", "data.concord", "a", ".", "./", "..", "", "/",
             "missing/x.concord", "new.concord", "a.txt", "/dev/null", "x\x1b[31m", "file:data.concord?mode=rwc",
             "data.concord/", "\x7f", "é"]


class CommandTarget(Target):
    name = "command"
    sample = 80
    round_size = 100

    def begin_round(self, random):
        shutil.rmtree(self.path("base"), ignore_errors=True)
        for name in ("a.txt", "sub/b.md", "sub/c.jsonl"):
            self.write(f"base/{name}", '{"_id":"r1","n":1,"text":"alpha"}\n' if name.endswith("l") else "# alpha\n\nbravo charlie\n")
        for arguments in (["index", "-q", "."], ["create-index", "by_n", "n"]):
            concord(self.environment, ["-d", "data.concord", *arguments], self.path("base"), statuses=(0,))

    def generate(self, random):
        made = ["-d", random.choice(DATABASES)] if random.random() < 0.9 else []
        made.append(random.choice(COMMANDS))
        for _ in range(random.randrange(5)):
            made.append(random.choice(OPTIONS) if random.random() < 0.5 else self.value(random))
        return made

    @staticmethod
    def value(random):
        kind = random.randrange(10)
        if kind == 0:
            return random.choice(PIECES)
        return mutate_text(random, random.choice(VALUES)) if kind == 1 else random.choice(VALUES)

    def check(self, given):
        arguments = [argument.replace("\0", "") for argument in given]
        # A new folder, so that a command does not change the files that the next one reads.
        folder = self.path("work")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.path("base"), folder)
        concord(self.environment, arguments, folder, given=b"alpha\n", echoed=" ".join(arguments))

    def files(self, given):
        folder = self.path("base")
        with open(os.path.join(folder, "data.concord"), "rb") as file:
            return {"data.concord": file.read()}

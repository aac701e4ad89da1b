"""Compares a database on PostgreSQL with a file, with the documents of bench.py.

    python3 postgres.py --concord concord --pieces data/pieces.jsonl [--documents N] [--rounds N] [--peer] [--write]

A PostgreSQL server is started in a temporary folder, without fsync. `concord index` imports the documents into both
databases and builds the indexes. Then searches, counts, saves and greps are sent to `concord serve` over one HTTP
connection. The answers of both databases must be equal. Patterns are also searched by pg_trgm in the same server.
"""
import argparse
import glob
import http.client
import json
import os
import pwd
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

import pages

SEARCHES = [
    ("a word in 22 % of the documents: `the`", "the"),
    ("`return`", "return"),
    ("a rare word: `spinlock`", "spinlock"),
    ("`struct AND device`", "struct AND device"),
    ("four words: `struct AND device AND return AND int`", "struct AND device AND return AND int"),
    ('a phrase: `"memory barrier"`', '"memory barrier"'),
]
PATTERNS = [
    "usb_serial_generic_write_bulk_callback",
    r"EXPORT_SYMBOL_GPL\(usb_\w+\)",
    r"spin_(lock|unlock)_irq\w+",
    r"struct\s+\w+_ops\s*=",
]


class Cluster:
    """A PostgreSQL server in a folder, which is created if it is missing and stopped at the end."""

    def __init__(self, folder, settings="-c shared_buffers=2GB -c max_wal_size=8GB"):
        self.programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = folder
        self.url = f"postgresql:///corpus?host={folder}&user=bench"
        self.user = []
        if os.getuid() == 0:
            self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        exists = os.path.exists(folder)
        if not exists:
            os.makedirs(folder)
            if os.getuid() == 0:
                owner = pwd.getpwnam("postgres")
                os.chown(folder, owner.pw_uid, owner.pw_gid)
            self.run(f"{self.programs}/initdb", "-D", f"{folder}/data", "-U", "bench", "-A", "trust", "--no-sync", "-E", "UTF8",
                     "--locale=C")
        if not os.path.exists(f"{folder}/data/postmaster.pid"):
            self.run(f"{self.programs}/pg_ctl", "-D", f"{folder}/data", "-w", "-s", "-l", f"{folder}/log", "-o",
                     f"-k {folder} -c listen_addresses='' -c fsync=off -c maintenance_work_mem=256MB {settings}", "start")
        if not exists:
            self.run(f"{self.programs}/createdb", "-h", folder, "-U", "bench", "corpus")

    def run(self, *command, input=None):
        return subprocess.run(["env", "-C", "/tmp", *self.user, *command], check=True, input=input, text=True,
                              stdout=subprocess.PIPE).stdout

    def sql(self, text):
        return self.run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", "bench", "corpus", input=text)

    def sizes(self):
        """The size of each table with its indexes and TOAST table in bytes, largest first."""
        rows = self.sql("SELECT c.relname, pg_total_relation_size(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = "
                        "c.relnamespace WHERE n.nspname = 'concordance' AND c.relkind = 'r' ORDER BY 2 DESC")
        return {name: int(size) for name, size in (line.split("|") for line in rows.splitlines())}

    def stop(self):
        self.run(f"{self.programs}/pg_ctl", "-D", f"{self.folder}/data", "-w", "-s", "-m", "fast", "stop")


class Server:
    """`concord serve` with one database, and a connection to it."""

    def __init__(self, concord, database):
        self.process = subprocess.Popen(
            [concord, "serve", database, "--port", "0", "--max-query-time", "600"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.url).netloc)
        name = self.json("GET", "/databases")["databases"][0]
        self.collection = f"/databases/{name if isinstance(name, str) else name['name']}/collections/_default"

    def request(self, method, path, body=None):
        self.connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = self.connection.getresponse()
        text = response.read()
        if response.status >= 300:
            sys.exit(f"bench: {method} {path}: {response.status} {text[:300]}")
        return text

    def json(self, method, path):
        return json.loads(self.request(method, path))

    def get(self, operation, **parameters):
        return self.request("GET", f"{self.collection}/{operation}?{urllib.parse.urlencode(parameters)}")

    def resident(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

    def close(self):
        self.process.terminate()
        self.process.wait(30)


def timed(rounds, body):
    """Returns the first, median and least milliseconds of an operation, and its first result."""
    times, first = [], None
    for number in range(rounds):
        start = time.perf_counter()
        result = body()
        times.append((time.perf_counter() - start) * 1000)
        if number == 0:
            first = result
    return times[0], statistics.median(times[1:]), min(times), first


def index(concord, pieces, database):
    """Imports and indexes the documents; returns the seconds, the processor seconds, and the peak memory."""
    start = time.perf_counter()
    process = subprocess.Popen([concord, "-d", database, "index", pieces], stderr=subprocess.PIPE, text=True)
    messages = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: concord index failed: {messages}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def escaped(pattern):
    """A pattern in a cell of a Markdown table."""
    return pattern.replace("|", "\\|")


def hits(text):
    answer = json.loads(text)
    return [(hit["id"], round(hit.get("score", 0), 6)) for hit in answer["hits"]]


def lines(text):
    found = [json.loads(line) for line in text.splitlines()]
    return sorted((item["data"]["path"]["text"], item["data"]["line_number"]) for item in found if item["type"] == "match")


def measure(servers, rounds):
    """Returns rows of a label and the times of each server."""
    rows = []

    def add(label, body, answer):
        found = [timed(rounds, lambda server=server: body(server)) for server in servers]
        answers = [answer(times[3]) for times in found]
        if any(other != answers[0] for other in answers):
            sys.exit(f"bench: the answers differ: {label}: {str(answers)[:1000]}")
        rows.append((label, [times[:3] for times in found]))
        print(rows[-1], file=sys.stderr, flush=True)

    for label, query in SEARCHES:
        add(label, lambda server, query=query: server.get("search", q=query, limit=10, document="false"), hits)
    add("counting `mutex`", lambda server: server.get("search", q="mutex", limit=0), lambda text: json.loads(text)["totalHits"])
    numbers = iter(range(1_000_000))
    add("saving a document",
        lambda server: server.request("PUT", f"{server.collection}/documents/bench{next(numbers)}",
                                      json.dumps({"title": "bench", "body": "a saved document"})), lambda _: None)
    for pattern in PATTERNS:
        add(f"grep for `{escaped(pattern)}`", lambda server, pattern=pattern: server.get("grep", pattern=pattern), lines)
    return rows


def trigram_peer(cluster, pieces, count, rounds):
    """Builds a table with pg_trgm and returns the build time, the size of the index, and the times of the patterns."""
    cluster.sql("CREATE EXTENSION pg_trgm; CREATE TABLE peer (id text, body text)")
    with open(pieces, encoding="utf-8") as file, tempfile.NamedTemporaryFile("w", encoding="utf-8", delete=False) as copy:
        for number, line in zip(range(count), file):
            body = json.loads(line)["body"].replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace(
                "\r", "\\r").replace("\0", "")
            copy.write(f"{number}\t{body}\n")
    os.chmod(copy.name, 0o644)
    cluster.sql(f"COPY peer FROM '{copy.name}'")
    os.remove(copy.name)
    start = time.perf_counter()
    cluster.sql("CREATE INDEX peer_trgm ON peer USING gin (body gin_trgm_ops); ANALYZE peer")
    seconds = time.perf_counter() - start
    times = []
    for pattern in PATTERNS:
        output = cluster.sql("\\timing on\n\\o /dev/null\n" + f"SELECT id, body FROM peer WHERE body ~ '{pattern}';\n" * rounds)
        found = [float(line.split()[1]) for line in output.splitlines() if line.startswith("Time:")]
        times.append((found[0], statistics.median(found[1:]), min(found)))
        print(pattern, times[-1], file=sys.stderr, flush=True)
    return seconds, int(cluster.sql("SELECT pg_relation_size('peer_trgm')")), times


def print_sizes(cluster, label):
    sizes = cluster.sizes()
    print(f"PostgreSQL {label}: {sum(sizes.values()) / 1e6:.0f} MB,",
          ", ".join(f"{name} {size / 1e6:.1f}" for name, size in sizes.items() if size > 1_000_000), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--concord", required=True)
    parser.add_argument("--pieces", required=True)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--folder", help="where the databases are created and kept; a temporary folder by default")
    parser.add_argument("--peer", action="store_true", help="also measure pg_trgm")
    parser.add_argument("--write", action="store_true", help="write the table into docs/benchmarks.md")
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="bench-pg-", dir="/tmp")
    os.makedirs(folder, exist_ok=True)
    os.chmod(folder, 0o755)
    pieces = os.path.join(folder, "pieces.jsonl")
    with open(options.pieces, "rb") as source, open(pieces, "wb") as target:
        for _, line in zip(range(options.documents), source):
            target.write(line)
    cluster = Cluster(os.path.join(folder, "pg"))
    try:
        subprocess.run([options.concord, "cluster", "init", cluster.url], check=True)
        file = os.path.join(folder, "file.concord")
        for name, database in [("file", file), ("PostgreSQL", cluster.url)]:
            seconds, processor, memory = index(options.concord, pieces, database)
            print(f"{name}: {options.documents / seconds:,.0f} documents/s, {seconds:.1f} s, processor {processor:.1f} s, "
                  f"memory {memory / 1e6:.0f} MB", flush=True)
        print(f"file: {os.path.getsize(file) / 1e6:.0f} MB")
        print_sizes(cluster, "after the import")
        for command in (["cluster", "merge", cluster.url], ["-d", cluster.url, "optimize", "--compact"]):
            start = time.perf_counter()
            subprocess.run([options.concord, *command], check=True)
            print_sizes(cluster, f"after {time.perf_counter() - start:.1f} s of {'optimize' if '-d' in command else 'merge'}")
        servers = [Server(options.concord, cluster.url), Server(options.concord, file)]
        rows = measure(servers, options.rounds)
        print("resident memory of concord serve:", [f"{server.resident() / 1e6:.0f} MB" for server in servers])
        for server in servers:
            server.close()
        table = "| | PostgreSQL: first | median | fastest | file: first | median | fastest |\n|---|---:|---:|---:|---:|---:|---:|\n"
        for label, times in rows:
            table += f"| {label} | " + " | ".join(f"{value:.1f} ms" for part in times for value in part) + " |\n"
        if options.peer:
            seconds, size, times = trigram_peer(cluster, pieces, options.documents, options.rounds)
            print(f"pg_trgm: index built in {seconds:.1f} s, {size / 1e6:.0f} MB")
            for pattern, found in zip(PATTERNS, times):
                table += f"| pg_trgm: `{escaped(pattern)}` | " + " | ".join(f"{value:.1f} ms" for value in found) + " | | | |\n"
        print(table)
        if options.write:
            pages.write_table(pages.BENCHMARKS, "bench postgres", table)
    finally:
        cluster.stop()


if __name__ == "__main__":
    main()

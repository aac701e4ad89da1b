"""Measures a database on several PostgreSQL servers, with the documents of growth.py.

    python3 postgres_clusters.py --concord concord --documents data/variations.jsonl --folder FOLDER
                                 [--count N] [--part N] [--servers N] [--rounds N] [PHASE...]

The servers are independent clusters in the folder, without fsync. Each phase continues where an interrupted one ended:

    import    imports the documents, in parts, and prints the time, processor time and memory of each part
    search    searches, counts, saves and greps through `concord serve`; prints its memory and the number of segments
    replace   replaces all documents, and vacuums after each part; prints sizes and dead rows after each step
    merge     merges all segments, twice, so that the rows of replaced ones are deleted
    compact   `concord optimize --compact`
    stop      stops the servers

Without phases: import, search, replace, merge, search, stop. The folder is not deleted.
"""
import argparse
import json
import os
import subprocess
import sys
import time

from postgres import Cluster, PATTERNS, SEARCHES, Server, index, measure, timed

SETTINGS = "-c shared_buffers=1GB -c max_wal_size=1GB -c max_prepared_transactions=20"
PHASES = ["import", "search", "replace", "merge", "search", "stop"]


class Bench:
    def __init__(self, options):
        self.options = options
        self.clusters = [Cluster(os.path.join(options.folder, f"server{number + 1}"), SETTINGS)
                         for number in range(options.servers)]
        self.url = self.clusters[0].url
        self.path = os.path.join(options.folder, "state.json")
        self.state = {"parts": 0, "offset": 0}
        if os.path.exists(self.path):
            with open(self.path, encoding="ascii") as file:
                self.state = json.load(file)
        else:
            subprocess.run([options.concord, "cluster", "init", *(cluster.url for cluster in self.clusters)], check=True)

    def save(self):
        with open(self.path + ".new", "w", encoding="ascii") as file:
            json.dump(self.state, file)
        os.replace(self.path + ".new", self.path)

    def log(self, *values):
        print(time.strftime("%H:%M:%S", time.gmtime()), *values, flush=True)

    def run(self, *arguments):
        start, before = time.perf_counter(), self.processor()
        process = subprocess.Popen([self.options.concord, *arguments])
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit(f"bench: concord {arguments[0]} failed")
        return (f"{time.perf_counter() - start:.0f} s, processor time of the client {usage.ru_utime + usage.ru_stime:.1f} s, of "
                f"the servers {self.processor() - before:.1f} s")

    def processor(self):
        """The processor time of all servers in seconds, without that of sessions of other programs that still run."""
        total = 0
        for cluster in self.clusters:
            with open(os.path.join(cluster.folder, "data/postmaster.pid"), encoding="utf-8") as file:
                postmaster = int(file.readline())
            with open(f"/proc/{postmaster}/task/{postmaster}/children", encoding="ascii") as file:
                processes = [postmaster, *map(int, file.read().split())]
            for process in processes:
                try:
                    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                        fields = file.read().rpartition(")")[2].split()
                except (FileNotFoundError, ProcessLookupError):
                    continue  # The session has ended; the postmaster counts it from now on.
                # User and system time, for the postmaster with that of ended sessions.
                total += sum(map(int, fields[11:15] if process == postmaster else fields[11:13]))
        return total / os.sysconf("SC_CLK_TCK")

    def print_sizes(self, label):
        tables = {}
        for cluster in self.clusters:
            for name, size in cluster.sizes().items():
                tables[name] = tables.get(name, 0) + size
        dead = sum(int(cluster.sql("SELECT coalesce(sum(n_dead_tup), 0) FROM pg_stat_user_tables")) for cluster in self.clusters)
        self.log(f"{label}: {sum(tables.values()) / 1e6:,.0f} MB, {dead:,} dead rows;",
                 ", ".join(f"{name} {size / 1e6:,.0f}" for name, size in sorted(tables.items(), key=lambda item: -item[1])
                           if size > 10_000_000))

    def segments(self):
        statement = (
            "SELECT (SELECT count(*) FROM concordance.cx_seg s WHERE NOT EXISTS (SELECT FROM concordance.cx_retired r WHERE "
            "(r.idx, r.shard, r.seg) = (s.idx, s.shard, s.seg))), (SELECT count(*) FROM concordance.cx_tri "
            # Each segment of a pattern index has one row -1.
            "WHERE idx = (SELECT min(idx) FROM concordance.cx_tri) AND tri = -1)")
        counts = [[int(count) for count in cluster.sql(statement).split("|")] for cluster in self.clusters]
        return "segments: full-text {}, pattern index {}".format(*map(sum, zip(*counts)))

    def import_parts(self):
        size = self.options.part
        while self.state["parts"] * size < self.options.count:
            number = self.state["parts"]
            path, end = self.part(number, self.state["offset"])
            self.import_part(path, f"part {number + 1}")
            self.state["offset"] = end
            self.state["parts"] += 1
            self.save()
            os.remove(path)
            self.print_sizes(f"{self.state['parts'] * size:,} documents")

    def part(self, number, offset, suffix=""):
        """Writes the documents of one part, whose first byte has an offset in the file; returns the path and the offset of the
        next part."""
        path = os.path.join(self.options.folder, f"part{number:03}.jsonl")
        with open(self.options.documents, "rb") as source, open(path, "wb") as target:
            source.seek(offset)
            for _ in range(self.options.part):
                line = source.readline()
                if not line.endswith(b"\n"):
                    sys.exit(f"bench: {self.options.documents} has too few documents")
                target.write(line.replace(b'"}\n', suffix.encode() + b'"}\n') if suffix else line)
            return path, source.tell()

    def import_part(self, path, label):
        before = self.processor()
        seconds, client, memory = index(self.options.concord, path, self.url)
        self.log(f"{label}: {seconds:.1f} s, {self.options.part / seconds:,.0f} documents/s, processor time of the client "
                 f"{client:.1f} s, of the servers {self.processor() - before:.1f} s, memory {memory / 1e6:.0f} MB")

    def search(self):
        self.log(self.segments())
        for label, query in SEARCHES:
            server = Server(self.options.concord, self.url)
            first, _, _, _ = timed(2, lambda: server.get("search", q=query, limit=10, document="false"))
            self.log(f"{label}: the first search of a process {first:.1f} ms, memory {server.resident() / 1e6:.0f} MB")
            server.close()
        server = Server(self.options.concord, self.url)
        rows = measure([server], self.options.rounds)
        self.log(f"memory of concord serve: {server.resident() / 1e6:.0f} MB")
        server.close()
        table = "| | first | median | fastest |\n|---|---:|---:|---:|\n"
        for label, (times,) in rows:
            table += f"| {label} | " + " | ".join(f"{value:.1f} ms" for value in times) + " |\n"
        print(table, flush=True)

    def replace(self):
        """Replaces the parts that were not replaced before."""
        while self.state.get("replaced", 0) < self.state["parts"]:
            number = self.state.get("replaced", 0)
            path, end = self.part(number, self.state.get("replacedOffset", 0), suffix=" replaced")
            self.import_part(path, f"replacing part {number + 1}")
            self.state.update(replaced=number + 1, replacedOffset=end)
            self.save()
            os.remove(path)
            self.print_sizes("after replacing")
            start, before = time.perf_counter(), self.processor()
            for cluster in self.clusters:
                cluster.sql("VACUUM")
            self.log(f"VACUUM: {time.perf_counter() - start:.0f} s, processor time {self.processor() - before:.1f} s")
            self.print_sizes("after VACUUM")

    def merge(self):
        self.log("merge:", self.run("cluster", "merge", "--all", self.url))
        self.log(self.segments())
        self.print_sizes("after merging")

    def compact(self):
        self.log("compact:", self.run("-d", self.url, "optimize", "--compact"))
        self.print_sizes("after compacting")

    def stop(self):
        for cluster in self.clusters:
            cluster.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--concord", required=True)
    parser.add_argument("--documents", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--count", type=int, default=10_000_000)
    parser.add_argument("--part", type=int, default=1_000_000)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("phases", nargs="*", default=PHASES, metavar="PHASE")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    os.makedirs(options.folder, exist_ok=True)
    os.chmod(options.folder, 0o755)
    bench = Bench(options)
    actions = {"import": bench.import_parts, "search": bench.search, "replace": bench.replace, "merge": bench.merge,
               "compact": bench.compact, "stop": bench.stop}
    for phase in options.phases:
        actions[phase]()


if __name__ == "__main__":
    main()

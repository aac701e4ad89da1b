"""Measures `concord serve` with wrk on the documents of bench.py, and compares it with the same search in the process.

    python3 server.py --program concord-bench --concord concord --pieces data/pieces.jsonl [--documents N]
                      [--seconds 10] [--soak SECONDS] [--write]

- Requests per second and latencies of a search and of /health, with 1 and with 4 connections.
- The time that a request adds to `Collection.search` in the process.
- The memory of 1,000 open event streams, each of which must receive the event of one change.
- A soak: searches while documents are saved and deleted. It fails if a request fails, or if the memory of the server or the
  write-ahead log grows without bound.

The response of a search must contain the same documents as the search in the process.
"""
import argparse
import http.client
import json
import os
import re
import resource
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import pages
from processes import run

COLLECTION = "collections/_default"


class Server:
    """`concord serve` with one database."""

    def __init__(self, concord, database, *options):
        self.process = subprocess.Popen(
            [concord, "serve", database, "--port", "0", *options], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        name = os.path.splitext(os.path.basename(database))[0]
        self.collection = f"{self.url}databases/{name}/{COLLECTION}"
        self.address = urllib.parse.urlsplit(self.url)

    def resident(self):
        """The resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) * 1024

    def metric(self, name):
        with urllib.request.urlopen(f"{self.url}metrics") as response:
            text = response.read().decode()
        return sum(float(value) for value in re.findall(rf"^{name}(?:\{{.*\}})? (\S+)$", text, re.MULTILINE))

    def close(self):
        self.process.terminate()
        if self.process.wait(30) != 0:
            sys.exit("bench: the server did not end cleanly")


def milliseconds(text):
    value, unit = re.fullmatch(r"([\d.]+)(us|ms|s)", text).groups()
    return float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def load(url, connections, seconds):
    """Returns the requests per second, and the median and 99th percentile of the latency in milliseconds."""
    output = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", url], check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"bench: wrk reports errors:\n{output}")
    return (float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]),
            milliseconds(re.search(r"^\s+50%\s+(\S+)", output, re.MULTILINE)[1]), milliseconds(re.search(r"^\s+99%\s+(\S+)", output, re.MULTILINE)[1]))


def open_streams(server, count):
    """Opens event streams and waits until each has received the beginning of its response."""
    streams = []
    path = urllib.parse.urlsplit(f"{server.collection}/changes?feed=events&since=now")
    request = f"GET {path.path}?{path.query} HTTP/1.1\r\nHost: {server.address.netloc}\r\n\r\n".encode()
    for number in range(count):
        stream = socket.create_connection((server.address.hostname, server.address.port))
        stream.sendall(request)
        streams.append(stream)
        # Not more at the same time than the queue of the server takes.
        if len(streams) % 100 == 0 or number == count - 1:
            for opened in streams[number // 100 * 100:]:
                start = opened.recv(4096)
                if not start.startswith(b"HTTP/1.1 200"):
                    sys.exit(f"bench: an event stream was refused: {start!r}")
    return streams


def measure_streams(server, count):
    """Returns the memory that open event streams add in bytes, and the seconds until all have received a change."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 100)), hard))
    before = server.resident()
    streams = open_streams(server, count)
    start = time.perf_counter()
    put(server, "bench_event", {"title": "event"})
    waiting = {stream.fileno(): stream for stream in streams}
    poll = select.poll()
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN)
    received = {descriptor: b"" for descriptor in waiting}
    while waiting:
        ready = poll.poll(30_000)
        if not ready:
            sys.exit(f"bench: {len(waiting)} event streams have not received the change")
        for descriptor, _ in ready:
            received[descriptor] += waiting[descriptor].recv(65536)
            if b"bench_event" in received[descriptor]:
                poll.unregister(descriptor)
                del waiting[descriptor]
    seconds = time.perf_counter() - start
    memory = server.resident() - before
    for stream in streams:
        stream.close()
    return memory, seconds


def put(server, id, document):
    request = urllib.request.Request(
        f"{server.collection}/documents/{id}", json.dumps(document).encode(), method="PUT",
        headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request).close()


class Writer(threading.Thread):
    """Saves documents and deletes them again, over one connection, until it is stopped."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.count, self.fault, self.is_stopped = server, 0, None, threading.Event()

    def run(self):
        path = urllib.parse.urlsplit(self.server.collection).path
        connection = http.client.HTTPConnection(self.server.address.netloc)
        try:
            while not self.is_stopped.is_set():
                id = f"soak_{self.count // 2 % 500}"
                method = "PUT" if self.count % 2 == 0 else "DELETE"
                body = json.dumps({"title": id, "body": f"spinlock {self.count}"}) if method == "PUT" else None
                connection.request(method, f"{path}/documents/{id}", body, {"Content-Type": "application/json"} if body else {})
                response = connection.getresponse()
                text = response.read()
                if response.status >= 300:
                    raise RuntimeError(f"{method} {id}: {response.status} {text[:300]}")
                self.count += 1
        except (OSError, RuntimeError, http.client.HTTPException) as error:
            self.fault = error


def soak(server, url, seconds):
    """Returns the searches and changes per second, the resident memory at a tenth and at the end, and the largest log."""
    writer = Writer(server)
    writer.start()
    start, memory, log, requests = time.perf_counter(), [], 0, 0
    step = max(1, seconds // 20)
    while time.perf_counter() - start < seconds:
        rate, _, _ = load(url, 4, step)
        requests += rate * step
        memory.append(server.resident())
        log = max(log, server.metric("concord_wal_bytes"))
        if writer.fault:
            sys.exit(f"bench: a change failed: {writer.fault}")
    elapsed = time.perf_counter() - start
    writer.is_stopped.set()
    writer.join()
    early, late = memory[len(memory) // 10], memory[-1]
    if late > early * 1.5 + (64 << 20):
        sys.exit(f"bench: the memory of the server grew from {early} to {late} bytes")
    if log > 256 << 20:
        sys.exit(f"bench: the write-ahead log grew to {log} bytes")
    return requests / elapsed, writer.count / elapsed, early, late, log


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--concord", required=True)
    parser.add_argument("--pieces", required=True)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--soak", type=int, default=60)
    parser.add_argument("--word", default="spinlock")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(arguments.pieces))) as folder:
        database = os.path.join(folder, "bench.concord")
        run(arguments.program, "index", arguments.pieces, arguments.documents, database)
        (inside,), _ = run(arguments.program, "box", database, arguments.word)
        server = Server(arguments.concord, database, "--max-connections", "1100")
        try:
            table = measure(server, arguments, inside)
        finally:
            server.close()
    print(table)
    if arguments.write:
        pages.write_table(pages.BENCHMARKS, "bench server", table)


def measure(server, arguments, inside):
    url = f"{server.collection}/search?{urllib.parse.urlencode({'q': arguments.word, 'limit': 10, 'document': 'false'})}"
    with urllib.request.urlopen(url) as response:
        ids = [hit["id"] for hit in json.load(response)["hits"]]
    if ids != inside["best"]:
        sys.exit(f"bench: the server found {ids}, the search in the process {inside['best']}")
    load(url, 24, 2)
    rows = [("measure", "value"), ("---", "---:")]
    for name, target in [("/health", f"{server.url}health"), (f"search for `{arguments.word}`, ten best with snippets", url)]:
        for connections in (1, 24):
            rate, median, slow = load(target, connections, arguments.seconds)
            rows.append((f"{name}, {connections} connection{'s' * (connections > 1)}",
                         f"{rate:,.0f} requests/s; median {median:.2f} ms, p99 {slow:.2f} ms"))
            if target == url and connections == 1:
                alone = 1000 / rate
    rows.append(("the same search in-process", f"{inside['milliseconds']:.2f} ms"))
    rows.append(("added by the server, 1 connection", f"{alone - inside['milliseconds']:.2f} ms per request"))
    memory, seconds = measure_streams(server, 1000)
    rows.append(("1,000 open event streams", f"{memory / 1e6:.0f} MB; all receive a change within {seconds * 1000:.0f} ms"))
    if arguments.soak:
        reads, writes, early, late, log = soak(server, url, arguments.soak)
        rows.append((f"soak of {arguments.soak} s", f"{reads:,.0f} searches/s with {writes:,.0f} concurrent changes/s, no errors"))
        rows.append(("memory of the server, after a tenth of the soak and at its end", f"{early / 1e6:.0f} MB, {late / 1e6:.0f} MB"))
        rows.append(("largest write-ahead log", f"{log / 1e6:.1f} MB"))
    return "".join(f"| {name} | {value} |\n" for name, value in rows).replace("| --- | ---: |", "|---|---:|")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Replicates databases on separate hosts while processes are killed and connections are delayed and cut.

    sudo Scripts/check_replication.py --concord .build/release/concord --rounds 50
    Scripts/check_replication.py --without-namespaces

Each host is a network namespace with its own address; --without-namespaces uses the loopback interface instead, which
needs no privileges. One host runs `concord listen`, the others `concord sync` through a proxy that delays data and cuts
connections anywhere in a frame. In each round, documents are changed, and the replications and the listener are killed
with SIGKILL at random times. If there is a C compiler, the clocks of the hosts differ by up to a minute.

Each client has documents that only it changes, so their final contents are known: no acknowledged change may be lost,
and no deleted document may return. Documents that several clients change must be equal at the end.
"""
import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

# A library that makes the clock of a process run ahead.
CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += atoi(getenv("CLOCK_LEAD"));
  return result;
}
"""


class Host:
    """A network namespace with an address, and a clock that is some seconds ahead."""

    def __init__(self, number, options, hub=None):
        self.name = f"concord{os.getpid()}-{number}" if options.namespaces else None
        self.address = f"10.213.0.{number + 1}" if options.namespaces else "127.0.0.1"
        self.prefix = ["ip", "netns", "exec", self.name] if self.name else []
        if options.clock:
            self.prefix += ["env", f"LD_PRELOAD={options.clock}", f"CLOCK_LEAD={random.choice([0, 20, 60])}"]
        if self.name:
            ip("netns", "add", self.name)
            ip("-n", self.name, "link", "set", "lo", "up")
            if hub is None:
                ip("-n", self.name, "link", "add", "bridge", "type", "bridge")
                ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "bridge")
                ip("-n", self.name, "link", "set", "bridge", "up")
            else:
                ip("-n", self.name, "link", "add", "eth", "type", "veth", "peer", "name", f"port{number}", "netns", hub.name)
                ip("-n", hub.name, "link", "set", f"port{number}", "master", "bridge", "up")
                ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth")
                ip("-n", self.name, "link", "set", "eth", "up")

    def remove(self):
        if self.name:
            subprocess.run(["ip", "netns", "del", self.name], check=False)


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Proxy(threading.Thread):
    """Forwards connections to the listener, with delays, and cuts each after a random number of bytes.

    It runs as a separate process in the network namespace of a client: `check_replication.py --proxy HOST PORT SEED`.
    """

    def __init__(self, host, port, seed):
        super().__init__(daemon=True)
        self.target = (host, port)
        self.random = random.Random(seed)
        self.server = socket.create_server(("127.0.0.1", 0))

    def run(self):
        while True:
            client, _ = self.server.accept()
            threading.Thread(target=self.forward, args=(client, self.random.choice([500, 5_000, 50_000, 1 << 40])),
                             daemon=True).start()

    def forward(self, client, limit):
        try:
            server = socket.create_connection(self.target, timeout=5)
        except OSError:
            return client.close()
        left = [limit]
        for source, target in ((client, server), (server, client)):
            threading.Thread(target=self.copy, args=(source, target, left), daemon=True).start()

    def copy(self, source, target, left):
        try:
            while data := source.recv(self.random.choice([100, 4096, 65536])):
                if limit_reached := left[0] < len(data):
                    data = data[:left[0]]
                left[0] -= len(data)
                time.sleep(self.random.choice([0, 0, 0.001, 0.02]))
                target.sendall(data)
                if limit_reached:
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.hosts, self.processes = [], []
        self.listener = None
        self.expected, self.shared = {}, {}
        self.count = 0

    def command(self, host, *arguments, **more):
        return subprocess.run([*host.prefix, self.options.concord, *arguments], cwd=self.folder, capture_output=True,
                              text=True, check=False, **more)

    def must(self, host, *arguments):
        result = self.command(host, *arguments)
        if result.returncode:
            sys.exit(f"seed {self.options.seed}: concord {' '.join(arguments)}: {result.stderr}")
        return result.stdout

    def start(self):
        self.hosts.append(Host(0, self.options))
        for number in range(1, self.options.clients + 1):
            self.hosts.append(Host(number, self.options, self.hosts[0]))
        self.must(self.hosts[0], "-d", "hub.concord", "put", "-q", "first", "{}")
        self.listen()
        for number, host in enumerate(self.hosts[1:]):
            proxy = subprocess.Popen([*host.prefix[:4 if host.name else 0], sys.executable, os.path.abspath(__file__), "--proxy",
                                      self.hosts[0].address, str(self.port), str(self.options.seed + number)],
                                     stdout=subprocess.PIPE, text=True)
            self.processes.append(proxy)
            host.proxy = int(proxy.stdout.readline())

    def listen(self, port=0):
        self.listener = subprocess.Popen(
            [*self.hosts[0].prefix, self.options.concord, "listen", "hub.concord", "--insecure", "--address", self.hosts[0].address,
             "--port", str(port)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.listener.stdout.readline()
        if not line:
            sys.exit(f"concord listen has ended: {self.listener.stderr.read()}")
        self.port = int(line.rsplit(":", 1)[1].split("/")[0])

    def change(self, number, host):
        """Changes documents in one import, which either succeeds or has no effect."""
        lines = {}
        for _ in range(random.randrange(1, 60)):
            self.count += 1
            if random.random() < 0.8:
                name = f"own-{number}-{random.randrange(300)}"
                self.expected[name] = self.count
            else:
                name = f"shared-{random.randrange(20)}"
                self.shared.setdefault(name, set()).add(self.count)
            lines[name] = {"_id": name, "n": self.count, "text": "x" * random.choice([1, 100, 5000])}
        text = "".join(json.dumps(line) + "\n" for line in lines.values())
        result = self.command(host, "-d", f"{number}.concord", "import", "-q", "-", input=text)
        if result.returncode:
            sys.exit(f"seed {self.options.seed}: import: {result.stderr}")
        for name in random.sample(sorted(self.expected), min(3, len(self.expected))):
            if name.startswith(f"own-{number}-") and self.expected[name] is not None:
                self.must(host, "-d", f"{number}.concord", "delete", "-q", name)
                self.expected[name] = None

    def sync(self, number, host, port, address="127.0.0.1", *options):
        return subprocess.Popen(
            [*host.prefix, self.options.concord, "sync", f"{number}.concord", f"ws://{address}:{port}/hub", "-q",
             *options], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def round(self):
        running = []
        for number, host in enumerate(self.hosts[1:], 1):
            self.change(number, host)
            running.append(self.sync(number, host, host.proxy, "127.0.0.1", "--max-attempts", "1"))
        for process in running:
            if random.random() < 0.5:
                time.sleep(random.random() * 0.3)
                process.kill()
        if random.random() < 0.3:
            self.kill_listener()
            self.listen(self.port)
        for process in running:
            process.communicate(timeout=120)

    def kill_listener(self):
        self.listener.kill()
        self.listener.wait()

    def check(self):
        for _ in range(2):
            for number, host in enumerate(self.hosts[1:], 1):
                process = self.sync(number, host, self.port, self.hosts[0].address)
                _, messages = process.communicate(timeout=300)
                if process.returncode:
                    sys.exit(f"seed {self.options.seed}: the last replication of {number} failed: {messages}")
        self.kill_listener()
        exports = {}
        for name in ["hub", *range(1, self.options.clients + 1)]:
            self.must(self.hosts[0], "-d", f"{name}.concord", "verify", "-q")
            lines = self.must(self.hosts[0], "-d", f"{name}.concord", "export", "-q").splitlines()
            exports[name] = {line["_id"]: line for line in map(json.loads, lines) if "_id" in line}
        for name, documents in exports.items():
            if documents != exports["hub"]:
                differing = [key for key in documents.keys() | exports["hub"].keys() if documents.get(key) != exports["hub"].get(key)]
                sys.exit(f"seed {self.options.seed}: {name} differs from the hub: {differing[:5]}")
        found = exports["hub"]
        for name, number in self.expected.items():
            if (found[name]["n"] if name in found else None) != number:
                sys.exit(f"seed {self.options.seed}: {name} should be {number}: {found.get(name)}")
        for name, numbers in self.shared.items():
            if name not in found or found[name]["n"] not in numbers:
                sys.exit(f"seed {self.options.seed}: {name} is lost or has a content that nobody wrote")
        return len(found)

    def stop(self):
        for process in [*self.processes, self.listener]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        for host in self.hosts:
            host.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--concord", default=".build/release/concord")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--clients", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-namespaces", dest="namespaces", action="store_false")
    parser.add_argument("--proxy", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.proxy:
        host, port, seed = options.proxy
        proxy = Proxy(host, int(port), int(seed))
        print(proxy.server.getsockname()[1], flush=True)
        return proxy.run()
    options.concord = os.path.abspath(options.concord)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        options.clock = None
        if shutil.which("cc"):
            options.clock = os.path.join(folder, "clock.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", options.clock], input=CLOCK, text=True, check=True)
        run = Run(options, folder)
        try:
            run.start()
            for _ in range(options.rounds):
                run.round()
            print(f"{options.rounds} rounds, {run.count} changes, {run.check()} documents in {options.clients + 1} equal databases")
        finally:
            run.stop()


if __name__ == "__main__":
    main()

"""The client of `concord-fuzz`: one long-lived process that answers requests about one open database."""
import json
import os
import select
import subprocess
import time

from faults import Fault, shorten
from messages import check_text
from process import CPU_SECONDS, ENVIRONMENT, MEMORY, WALL_SECONDS

# The maximum memory growth of one request in bytes.
GROWTH = 600 << 20


class LibraryError(Exception):
    """An error that the library reports as documented."""

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


class Engine:
    """Starts the process on demand. After a crash, restarts it and reopens the database that was open."""

    def __init__(self, program):
        self.program = program
        self.process = None
        self.opening = None
        self.buffer = b""

    def open(self, path, read_only=False):
        """Opens a database, which is reopened after restarts."""
        self.opening = {"op": "open", "path": path, "readOnly": read_only}
        return self.request(self.opening, echoed=path)

    def close(self):
        """Closes the database, so that its file is complete."""
        self.opening = None
        if self.process:
            self.request({"op": "close"})

    def ask(self, operation, echoed="", **arguments):
        """Sends a request. Raises LibraryError for an error of the library, and Fault for a defect."""
        if not self.process and self.opening:
            self.request(self.opening)
        return self.request({"op": operation, **arguments}, echoed)

    def request(self, request, echoed=""):
        if not self.process:
            self.start()
        before = self.peak_memory()
        line = self.exchange((json.dumps(request) + "\n").encode())
        try:
            answer = json.loads(line)
        except ValueError:
            self.stop()
            raise Fault("invalid JSON", f"the answer to {shorten(request)} is {shorten(line)}") from None
        if self.peak_memory() - before > GROWTH:
            self.stop()
            raise Fault("memory", f"more than {GROWTH >> 20} MiB for {shorten(request)}")
        if "error" not in answer:
            return answer
        message, kind = answer["error"], answer["kind"]
        if kind == "fuzzer":
            raise RuntimeError(f"the fuzzer sent a bad request: {message}")
        if kind != "library":
            raise Fault("internal error", f"{kind} instead of CBLError: {shorten(message)}")
        check_text(message, echoed)
        raise LibraryError(message, answer["code"])

    def start(self):
        script = f"ulimit -d {MEMORY >> 10}; ulimit -c 0; exec \"$0\""
        self.process = subprocess.Popen(["sh", "-c", script, self.program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.buffer = b""

    def stop(self):
        """Ends the process and returns its standard error and its exit status."""
        process, self.process = self.process, None
        if not process:
            return b"", 0
        process.kill() if process.poll() is None else None
        _, messages = process.communicate()
        return messages, process.returncode

    def exchange(self, line):
        """Writes a line and reads the answer. Raises a fault if the process ends or takes too long."""
        used, start = self.processor_time(), time.monotonic()
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.ended(line)
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], 1)
            if ready:
                data = os.read(self.process.stdout.fileno(), 1 << 20)
                if not data:
                    self.ended(line)
                self.buffer += data
            elif self.processor_time() - used > CPU_SECONDS or time.monotonic() - start > WALL_SECONDS:
                self.stop()
                raise Fault("hang", f"no answer after {CPU_SECONDS} s of processor time to {shorten(line)}")
        answer, _, self.buffer = self.buffer.partition(b"\n")
        return answer

    def ended(self, line):
        self.process.wait()
        messages, status = self.stop()
        raise Fault("crash", f"exit status {status} after {shorten(line)}: {shorten(messages[:1500])}")

    def processor_time(self):
        """Returns the processor time of the process in seconds."""
        try:
            with open(f"/proc/{self.process.pid}/stat", "rb") as file:
                fields = file.read().rpartition(b") ")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except OSError:
            return 0

    def peak_memory(self):
        """Returns the peak memory of the process in bytes; 0 if the system does not report it."""
        try:
            with open(f"/proc/{self.process.pid}/status", "rb") as file:
                for row in file:
                    if row.startswith(b"VmHWM:"):
                        return int(row.split()[1]) << 10
        except OSError:
            pass
        return 0

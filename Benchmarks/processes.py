"""Programs that are measured: run each in a process of its own, and read what it prints."""
import json
import os
import statistics
import subprocess
import sys
import time


def run(program, *arguments):
    """The JSON lines that a task prints, and its peak memory in bytes."""
    before = time.time()
    process = subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: {program} {arguments[0]} failed after {time.time() - before:.1f} s")
    return [json.loads(line) for line in output.splitlines()], usage.ru_maxrss * 1024


def timed(command, environment=None, statuses=(0, 1)):
    """What a command prints, and the seconds from its start to its end. Status 1 is nothing found."""
    start = time.perf_counter()
    process = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        env={**os.environ, **(environment or {})})
    seconds = time.perf_counter() - start
    if process.returncode not in statuses:
        sys.exit(f"bench: {' '.join(command)}: {process.stderr.decode(errors='replace').strip()}")
    return process.stdout, seconds


def medians(commands, rounds, environment=None):
    """The median seconds of each command, run in turn so that what else the machine does meets all alike.

    Warm: each runs twice, and the second time counts. The first brings back what the other programs have driven out of the
    processor's caches.
    """
    times = [[] for _ in commands]
    for _ in range(rounds):
        for command, found in zip(commands, times):
            timed(command, environment)
            found.append(timed(command, environment)[1])
    return [statistics.median(found) for found in times]

"""Runs the measured programs, each in a separate process, and reads their output."""
import json
import os
import statistics
import subprocess
import sys
import time


def run(program, *arguments):
    """Returns the JSON lines that a task prints, and its peak memory in bytes."""
    before = time.time()
    process = subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"bench: {program} {arguments[0]} failed after {time.time() - before:.1f} s")
    return [json.loads(line) for line in output.splitlines()], usage.ru_maxrss * 1024


def timed(command, environment=None, statuses=(0, 1)):
    """Returns the output of a command and its duration in seconds. Status 1 means that nothing was found."""
    start = time.perf_counter()
    process = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
        env={**os.environ, **(environment or {})})
    seconds = time.perf_counter() - start
    if process.returncode not in statuses:
        sys.exit(f"bench: {' '.join(command)}: {process.stderr.decode(errors='replace').strip()}")
    return process.stdout, seconds


def medians(commands, rounds, environment=None):
    """Returns the median seconds of each command. Commands run in turn, so that other load affects all of them equally.

    Times are warm: each command runs twice, and the second run is measured. The first reloads the processor's caches
    after the other programs.
    """
    times = [[] for _ in commands]
    for _ in range(rounds):
        for command, found in zip(commands, times):
            timed(command, environment)
            found.append(timed(command, environment)[1])
    return [statistics.median(found) for found in times]

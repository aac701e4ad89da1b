"""Runs the command with limits on processor time, elapsed time and memory."""
import dataclasses
import os
import subprocess

from faults import Fault, shorten
from messages import check_printed

CPU_SECONDS = 20
WALL_SECONDS = 180
MEMORY = 3 << 30

ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": "/nonexistent"}


@dataclasses.dataclass
class Outcome:
    """The result of a process."""
    status: int
    output: bytes
    messages: bytes


def run(program, arguments, folder, given=b""):
    """Runs a program under the limits and returns its outcome.

    The memory limit applies to data, not to the address space, because SQLite maps files into memory.
    """
    script = f"ulimit -S -t {CPU_SECONDS}; ulimit -d {MEMORY >> 10}; ulimit -c 0; exec \"$0\" \"$@\""
    try:
        done = subprocess.run(["sh", "-c", script, program, *arguments], input=given, capture_output=True, cwd=folder,
                              env=ENVIRONMENT, timeout=WALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Fault("hang", f"{command_line(arguments)} took more than {WALL_SECONDS} s") from None
    return Outcome(done.returncode, done.stdout, done.stderr)


def concord(environment, arguments, folder, given=b"", statuses=(0, 1, 2), echoed=""):
    """Runs `concord` and raises a fault for a signal, an unexpected exit status or an invalid message."""
    outcome = run(environment.concord, arguments, folder, given)
    what = command_line(arguments)
    if outcome.status in (-24, 128 + 24):
        raise Fault("hang", f"{what} took more than {CPU_SECONDS} s of processor time")
    if outcome.status < 0:
        raise Fault("crash", f"{what} was terminated by signal {-outcome.status}: {shorten(outcome.messages)}")
    if outcome.status not in statuses:
        raise Fault("exit status", f"{what} exits with {outcome.status}: {shorten(outcome.messages)}")
    if outcome.status == 2 and not outcome.messages.strip() and b"-q" not in [os.fsencode(a) for a in arguments]:
        raise Fault("silent error", f"{what} exits with 2 and prints no message")
    check_printed(outcome.messages, echoed)
    return outcome


def command_line(arguments):
    """Returns the command as a shell command line."""
    return " ".join(["concord", *(quoted(argument) for argument in arguments)])


def quoted(argument):
    """Returns an argument quoted for the shell; control characters need the $'…' form."""
    text = os.fsencode(argument) if isinstance(argument, str) else argument
    plain = text.decode("utf-8", "replace")
    if all(character.isalnum() or character in "-_./=:,@%+" for character in plain) and plain:
        return plain
    if plain.isprintable():
        return "'" + plain.replace("'", "'\\''") + "'"
    return "$'" + "".join(chr(byte) if 32 <= byte < 127 and byte not in b"'\\" else f"\\x{byte:02x}" for byte in text) + "'"

"""The base class of the fuzz targets."""
import os

from engine import Engine
from minimise import smaller_sequences


class Target:
    """A part of the product: generates random inputs for it and checks its behaviour.

    Inputs consist of strings, bytes, numbers, lists and dictionaries, so that they can be stored and minimised. A check
    must depend only on the input and the state of the round, so that a case can be replayed from its seed and number.
    """

    # The name on the command line.
    name = ""
    # The number of inputs in the fixed sample of `make test`.
    sample = 100
    # The number of inputs in a round, which shares one database.
    round_size = 40

    def __init__(self, environment):
        self.environment = environment
        self.folder = environment.folder(self.name)
        self.engine = Engine(environment.fuzz_program)

    def begin_round(self, random):
        """Prepares the shared state of a round."""

    def generate(self, random):
        """Returns a random input."""
        raise NotImplementedError

    def check(self, given):
        """Raises a Fault if the product handles the input incorrectly."""
        raise NotImplementedError

    def shrink(self, given):
        """Yields smaller inputs."""
        if isinstance(given, (str, bytes, list)):
            yield from smaller_sequences(given)

    def files(self, given):
        """Returns files for reproducing the fault manually: contents by name."""
        return {}

    def close(self):
        """Ends the processes of the target."""
        self.engine.stop()

    def path(self, name):
        """Returns the path of a file in the folder of this target."""
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Writes a file into the folder of this target and returns its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def new_database(self, name="fuzz.concord"):
        """Returns the path of a database that does not exist yet."""
        path = self.path(name)
        for suffix in ("", "-wal", "-shm", "-lock"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        return path

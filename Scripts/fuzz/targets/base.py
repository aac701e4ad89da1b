"""What every target of the fuzzer has."""
import os

from engine import Engine
from minimise import smaller_sequences


class Target:
    """One part of the product: makes random inputs for it and checks what it does with them.

    Inputs consist of strings, bytes, numbers, lists and dictionaries, so that they can be stored and shortened. A check
    must depend on the input and on the state of the round alone: then a case can be replayed from its seed and number.
    """

    # The name on the command line.
    name = ""
    # How many inputs of the fixed sample of `make test`.
    sample = 100
    # How many inputs share a round, which has a database of its own.
    round_size = 40

    def __init__(self, environment):
        self.environment = environment
        self.folder = environment.folder(self.name)
        self.engine = Engine(environment.fuzz_program)

    def begin_round(self, random):
        """Prepares what the inputs of a round share."""

    def generate(self, random):
        """Returns a random input."""
        raise NotImplementedError

    def check(self, given):
        """Raises a Fault if the product does something wrong with the input."""
        raise NotImplementedError

    def shrink(self, given):
        """Yields smaller inputs."""
        if isinstance(given, (str, bytes, list)):
            yield from smaller_sequences(given)

    def files(self, given):
        """Files that help to repeat the fault by hand: contents by name."""
        return {}

    def close(self):
        """Ends what the target has started."""
        self.engine.stop()

    def path(self, name):
        """The path of a file in the folder of this target."""
        return os.path.join(self.folder, name)

    def write(self, name, content):
        """Writes a file into the folder of this target and returns its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        return path

    def new_database(self, name="fuzz.concord"):
        """The path of a database that does not exist yet."""
        path = self.path(name)
        for suffix in ("", "-wal", "-shm", "-lock"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        return path

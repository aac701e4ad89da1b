"""Delta debugging: finds a small input that still causes a fault of the same kind."""
import time

from faults import Fault


def smaller_sequences(given):
    """Yields shorter versions of a string, bytes or list, the shortest first."""
    size = len(given)
    step = size
    while step >= 1:
        for start in range(0, size, step):
            if step < size or start == 0:
                yield given[:start] + given[start + step:]
        step //= 2


def smaller_trees(tree):
    """Yields trees of lists in which one node is replaced by one of its children or loses a child. The first element of
    a node is its name and is kept."""
    if not isinstance(tree, list):
        return
    for child in tree[1:]:
        if isinstance(child, list) and child and isinstance(child[0], str):
            yield child
    for index, child in enumerate(tree):
        for smaller in smaller_trees(child):
            yield tree[:index] + [smaller] + tree[index + 1:]


def minimise(target, given, kind, seconds=20):
    """Applies the target's shrink steps until none of them keeps the fault or the time limit is reached."""
    end = time.monotonic() + seconds
    progress = True
    while progress and time.monotonic() < end:
        progress = False
        for candidate in target.shrink(given):
            if time.monotonic() > end:
                break
            if fault_of(target, candidate, kind):
                given, progress = candidate, True
                break
    return given


def fault_of(target, given, kind=None):
    """Returns the fault of an input if it has this kind."""
    try:
        target.check(given)
    except Fault as fault:
        return fault if kind in (None, fault.kind) else None
    except Exception:  # The target cannot process the shortened input.
        return None
    return None

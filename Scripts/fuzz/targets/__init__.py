"""The fuzz targets by their names on the command line."""
from targets.command import CommandTarget
from targets.csv_tables import CSVTarget
from targets.files import FileTarget
from targets.json_documents import JSONTarget
from targets.pages import HTMLTarget, MarkdownTarget
from targets.pattern import PatternTarget
from targets.replication import ReplicationTarget
from targets.search import SearchTarget
from targets.sql import SQLTarget
from targets.transfer import TransferTarget

TARGETS = {target.name: target for target in (
    SQLTarget, SearchTarget, PatternTarget, JSONTarget, CSVTarget, HTMLTarget, MarkdownTarget, FileTarget, TransferTarget,
    ReplicationTarget, CommandTarget)}

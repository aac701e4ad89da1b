"""Writes docs/relevance-defaults.md and its images, for defaults.py."""
import os
import shutil

import curves
import judged
import pages
import selection

PAGE = os.path.join(pages.ROOT, "docs", "relevance-defaults.md")
IMAGES = os.path.join(pages.ROOT, "docs", "images")


def write(name, text):
    """Writes the table between the comments of this name."""
    pages.write_table(PAGE, f"bench {name}", text)


def write_collections(collections):
    text = "| collection | group | documents | queries | language |\n|---|---|---:|---:|---|\n"
    for collection in collections:
        queries = len(judged.read_queries(collection))
        text += (f"| {collection.name} | {collection.group} | {judged.document_count(collection):,} | {queries} | "
                 f"{collection.language or '-'} |\n")
    write("collections", text)


def draw_line(name, title, x_label, settings, ticks, values, default, groups):
    """Draws the change of the mean relative to the default for each group, and for all of them."""
    def changes(chosen):
        return [100 * (selection.mean_ratio(values, setting, default, chosen) - 1) for setting in settings]
    series = [(group, changes(members)) for group, members in selection.members(groups).items()]
    plot = curves.plot(title, x_label, ticks, series + [("mean of the groups", changes(groups))], settings.index(default),
                       "%, relative to default")
    with open(os.path.join(IMAGES, f"defaults-{name}.svg"), "w", encoding="utf-8") as file:
        file.write(plot)


def copy_heat_map(folder, number, name):
    path = os.path.join(folder, f"sweep-{number}.svg")
    if os.path.exists(path):
        shutil.copy(path, os.path.join(IMAGES, f"defaults-{name}.svg"))

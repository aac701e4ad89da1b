"""Cross-validates the defaults of searches over all collections; writes tables into docs/relevance-defaults.md and curves into docs/images.

    defaults.py --program concord [--linux .corpora/linux] [--keep FOLDER] [COLLECTION…]

A COLLECTION is a folder with documents.jsonl, queries.tsv and qrels.txt. The other collections are those of known_items.py, languages.py
and Corpora/code-queries. Of each parameter, the script measures all values on all collections; then, for each group of collections, it
takes the value that is best for the other groups, and measures it on the group that was left out. --keep stores indexes and
measurements, so that an interrupted run continues.
"""
import argparse
import os
import shutil
import tempfile

import defaults_page
import fallback
import judged
import selection
import sweeps
import words

BM25 = {"k1": [0.6, 0.9, 1.2, 1.5, 1.8, 2.4], "b": [0.3, 0.4, 0.5, 0.6, 0.75, 0.9]}
FEEDBACK = {"documents": [5, 10, 20], "terms": [10, 20, 30, 50], "weight": [0.3, 0.4, 0.5, 0.6, 0.7]}
BM25_DEFAULT, FEEDBACK_DEFAULT = (1.2, 0.75), (10, 30, 0.5)
# Known items are swept with their first queries, which are in random order. Feedback reads the best documents of each query, so it
# takes longer.
SWEPT_QUERIES, FEEDBACK_QUERIES = 200, 50
# Queries of up to 60 words, which would take longer than all other sweeps. The other collection of the group has the same documents.
NOT_SWEPT = {"linux-verbose"}
# The collections whose heat maps of k1 and b are in docs/images: short, medium and long documents.
DRAWN = ["npl", "cranfield", "manual", "kconfig"]


def groups_of(collections):
    return {collection.name: collection.group for collection in collections}


def bm25(measurements, collections, work):
    collections = [collection for collection in collections if collection.name not in NOT_SWEPT]
    values, validations = {}, {}
    for collection in collections:
        plots = os.path.join(work, collection.name, "bm25")
        values[collection.name], validations[collection.name] = measurements.sweep(
            "k1 and b", collection.swept(SWEPT_QUERIES), BM25, plots=plots)
        if collection.name in DRAWN:
            defaults_page.copy_heat_map(plots, 1, f"bm25-{collection.name}")
    groups, (k1, b) = groups_of(collections), BM25_DEFAULT
    for name, title, settings in (("k1", "AP by k1, b = 0.75", [(x, b) for x in BM25["k1"]]),
                                  ("b", "AP by b, k1 = 1.2", [(k1, x) for x in BM25["b"]])):
        defaults_page.draw_line(name, title, name, settings, list(map(str, BM25[name])), values, BM25_DEFAULT, groups)
    defaults_page.write("bm25", selection.table(
        values, validations, BM25_DEFAULT, groups, lambda setting: f"{setting[0]:g}, {setting[1]:g}"))


def feedback(measurements, collections, work):
    collections = [collection for collection in collections if collection.language == "en" and collection.name not in NOT_SWEPT]
    values, validations, without = {}, {}, {}
    for collection in collections:
        plots = os.path.join(work, collection.name, "feedback")
        part = collection.swept(FEEDBACK_QUERIES)
        values[collection.name], validations[collection.name] = measurements.sweep("feedback", part, FEEDBACK, ["--feedback"], plots)
        # Weight 1 gives the added words no weight.
        means, _ = measurements.sweep("without feedback", part, {"weight": [1]}, ["--feedback"])
        without[collection.name] = next(iter(means.values()))
        if collection.is_topical:
            defaults_page.copy_heat_map(plots, 1 + FEEDBACK["documents"].index(FEEDBACK_DEFAULT[0]), f"feedback-{collection.name}")
    groups, (documents, terms, weight) = groups_of(collections), FEEDBACK_DEFAULT
    for name, settings in (("documents", [(x, terms, weight) for x in FEEDBACK["documents"]]),
                           ("terms", [(documents, x, weight) for x in FEEDBACK["terms"]]),
                           ("weight", [(documents, terms, x) for x in FEEDBACK["weight"]])):
        defaults_page.draw_line(f"feedback-{name}", f"AP with feedback, by {name}", name, settings, list(map(str, FEEDBACK[name])), values,
                  FEEDBACK_DEFAULT, groups)
    text = selection.table(values, validations, FEEDBACK_DEFAULT, groups, lambda setting: ", ".join(f"{value:g}" for value in setting))
    topical = groups_of(collection for collection in collections if collection.is_topical)
    if len(topical) > 1:
        text += "\nCollections with judged topics only:\n\n" + selection.table(
            values, validations, FEEDBACK_DEFAULT, topical, lambda setting: ", ".join(f"{value:g}" for value in setting))
    text += "\n| collection | without feedback | default feedback | change |\n|---|---:|---:|---:|\n"
    for name, mean in without.items():
        found = values[name][FEEDBACK_DEFAULT]
        text += f"| {name} | {mean:.4f} | {found:.4f} | {found / mean - 1:+.1%} |\n"
    defaults_page.write("feedback", text)


def relaxation(measurements, collections):
    # In code-queries, the rule of definitions finds the names that a query consists of.
    collections = [collection for collection in collections if not collection.is_code]
    values, validations, pairs, differing, total = {}, {}, {}, 0, 0
    for collection in collections:
        measured = fallback.measure(measurements, collection)
        rules, kinds, _, _, others = measured
        values[collection.name] = {rule: sweeps.mean(found) for rule, found in rules.items()}
        validations[collection.name] = sweeps.validated(list(rules.values()))
        pairs[collection.name] = fallback.pairs(measured)
        differing, total = differing + others, total + len(kinds)
    groups = groups_of(collections)
    def number(value):
        return "never" if value == fallback.NEVER else f"{value:,}"

    def rule_text(rule):
        return f"{'none' if rule[0] == fallback.LENGTHS[-1] else rule[0]}, {number(rule[1])}, {number(rule[2])}"

    length, count, short_count = fallback.DEFAULT
    for name, title, x_label, settings, ticks in (
            ("words", "AP by the number of words of a sentence", "words", [(x, count, short_count) for x in fallback.LENGTHS],
             [str(x) for x in fallback.LENGTHS[:-1]] + ["no sentences"]),
            ("documents", "AP by the number of documents for which a sentence is strict", "documents with all words",
             [(length, x, short_count) for x in fallback.COUNTS], list(map(number, fallback.COUNTS))),
            ("short", "AP by the number of documents for which a query of two words is strict", "documents with both words",
             [(length, count, x) for x in fallback.SHORT_COUNTS], list(map(number, fallback.SHORT_COUNTS)))):
        defaults_page.draw_line(f"fallback-{name}", title, x_label, settings, ticks, values, fallback.DEFAULT, groups)
    text = selection.table(values, validations, fallback.DEFAULT, groups, rule_text)
    text += ("\nQueries of two words, by the number of documents that contain both; strict, and with any of the words:\n\n"
             "| collection | fewer than ten documents | strict | any word | better | worse "
             "| ten or more | strict | any word | better | worse |\n"
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
    pairs["all"] = [[pair for found in pairs.values() for pair in found[part]] for part in (0, 1)]
    for name, parts in pairs.items():
        if any(parts):
            text += f"| {name} | " + " | ".join(cell for part in parts for cell in fallback.pair_cells(part)) + " |\n"
    text += f"\nThe computed default differs from the default search for {differing} of {total:,} queries.\n"
    defaults_page.write("fallback", text)


def analysis(measurements, collections):
    collections = [collection for collection in collections if collection.language and collection.name not in NOT_SWEPT]
    searched, isolated = {}, {}
    for collection in collections:
        searched[collection.name] = words.as_searched(measurements, collection)
        isolated[collection.name] = words.isolated(measurements, collection)
    english = groups_of(collection for collection in collections if collection.language == "en")
    everywhere = groups_of(collections)

    def choice(found, default, groups):
        """Returns the table of the settings that all collections of the groups have."""
        common = set.intersection(*(set(found[name]) for name in groups))
        settings = [setting for setting in found[next(iter(groups))] if setting in common]
        values = {name: {setting: sweeps.mean(found[name][setting]) for setting in settings} for name in groups}
        validations = {name: sweeps.validated([found[name][setting] for setting in settings]) for name in groups}
        text = selection.table(
            values, validations, default, groups, lambda setting: f"`{setting}`" if isinstance(setting, str) else ", ".join(setting))
        return settings, values, text

    def means(values, settings, groups):
        """Returns a table of the mean ratios of the groups to the default."""
        text = "| stemmer | stop words | mean of the groups, relative to default | higher in | lower in |\n|---|---|---:|---:|---:|\n"
        for setting in settings:
            ratios = [selection.mean_ratio(values, setting, usual, members) for members in selection.members(groups).values()]
            text += (f"| {setting[0]} | {setting[1]} | {sweeps.mean(ratios) - 1:+.2%} | {sum(ratio > 1.0005 for ratio in ratios)} | "
                     f"{sum(ratio < 0.9995 for ratio in ratios)} |\n")
        return text

    usual = ("Snowball", "the list of the language")
    settings, values, text = choice(isolated, usual, english)
    lists = [setting for setting in settings if setting[0] == "Snowball"]
    defaults_page.draw_line("stop-words", "AP by stop words (Snowball's stemmer, English)", "", lists,
              [setting[1].replace("the list of the language", "our list").replace(" of the documents", "") for setting in lists], values,
              usual, english)
    text = f"English:\n\n{means(values, settings, english)}\n{text}"
    translated = {name: name for name in everywhere if name not in english}
    if translated:
        settings, values, _ = choice(isolated, usual, translated)
        text += f"\nThe other languages, each as a group:\n\n{means(values, settings, translated)}"
    defaults_page.write("words", text)
    _, values, text = choice(searched, "--language", everywhere)
    rows = "| collection | " + " | ".join(f"`{setting}`" for setting in values[next(iter(everywhere))]) + " |\n|---|" + "---:|" * len(
        values[next(iter(everywhere))]) + "\n"
    rows += "".join(f"| {name} | " + " | ".join(f"{value:.4f}" for value in values[name].values()) + " |\n" for name in everywhere)
    defaults_page.write("searched", rows + "\n" + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="concord", help="the command")
    parser.add_argument("--linux", default=".corpora/linux", help="the Linux source, which make corpus-linux unpacks")
    parser.add_argument("--keep", help="a folder in which collections, indexes and measurements are kept")
    parser.add_argument("--parts", default="bm25,words,fallback,feedback", help="the parameters to measure, separated by commas")
    parser.add_argument("collections", nargs="*", metavar="COLLECTION")
    options = parser.parse_args()
    os.makedirs(defaults_page.IMAGES, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        work = os.path.abspath(options.keep or temporary)
        os.makedirs(work, exist_ok=True)
        program = os.path.abspath(shutil.which(options.program) or options.program)
        measurements = sweeps.Measurements(program, work)
        collections = judged.make(options.collections, options.linux, work)
        parts = {"bm25": lambda: bm25(measurements, collections, work), "words": lambda: analysis(measurements, collections),
                 "fallback": lambda: relaxation(measurements, collections), "feedback": lambda: feedback(measurements, collections, work)}
        for part in options.parts.split(","):
            parts[part]()
        defaults_page.write_collections(collections)


if __name__ == "__main__":
    main()

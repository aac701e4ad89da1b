"""Chooses settings by leaving one group of collections out, for defaults.py."""
import collections

import sweeps


def members(groups):
    """Returns the part of the dictionary that belongs to each group."""
    found = collections.defaultdict(dict)
    for name, group in groups.items():
        found[group][name] = group
    return found


def mean_ratio(values, setting, default, groups):
    """Returns the mean of the ratios to the default; each group of collections counts once.

    - values: the value of each setting, by collection.
    - groups: the group of each collection.
    """
    return sweeps.mean(sweeps.mean(values[name][setting] / values[name][default] for name in found) for found in members(groups).values())


def best(values, default, groups):
    """Returns the setting with the highest mean ratio; of equally good ones, the default, else the first."""
    settings = list(values[next(iter(groups))])
    return max([default] + settings, key=lambda setting: round(mean_ratio(values, setting, default, groups), 9))


def held_out(values, default, groups):
    """Returns for each collection the setting that is best for the other groups."""
    chosen = {}
    for found in members(groups).values():
        others = {name: group for name, group in groups.items() if name not in found}
        chosen.update(dict.fromkeys(found, best(values, default, others) if others else default))
    return chosen


def held_out_ratio(values, default, groups):
    """Returns the mean ratio of the held-out collections to the default, and of how many groups the ratio is above and below 1."""
    chosen = held_out(values, default, groups)
    means = [sweeps.mean(values[name][chosen[name]] / values[name][default] for name in found) for found in members(groups).values()]
    return sweeps.mean(means), sum(mean > 1.0005 for mean in means), sum(mean < 0.9995 for mean in means)


def table(values, validations, default, groups, text):
    """Returns a table in Markdown, and a last line with the choice over all collections.

    - validations: the mean of the cross-validation over the queries of each collection.
    - text: returns a setting as text.
    """
    chosen = held_out(values, default, groups)
    lines = ["| collection | default | best | its mean | default compared with best | cross-validated over its queries | "
             "best for the other groups | held out | held out compared with default |",
             "|---|---:|---|---:|---:|---:|---|---:|---:|"]
    for name in groups:
        found = values[name]
        optimum = max([default] + list(found), key=lambda setting: found[setting])
        lines.append(
            f"| {name} | {found[default]:.4f} | {text(optimum)} | {found[optimum]:.4f} | {found[default] / found[optimum] - 1:+.1%} | "
            f"{validations[name]:.4f} | {text(chosen[name])} | {found[chosen[name]]:.4f} | "
            f"{found[chosen[name]] / found[default] - 1:+.1%} |")
    overall = best(values, default, groups)
    ratio, higher, lower = held_out_ratio(values, default, groups)
    gain = mean_ratio(values, overall, default, groups) - 1
    lines += ["", f"Best for all groups: {text(overall)}, {gain:+.2%} compared with the default ({text(default)}). "
              f"Held out: {ratio - 1:+.2%}; higher than the default in {higher} groups and lower in {lower}."]
    return "\n".join(lines) + "\n"

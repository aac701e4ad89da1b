#!/usr/bin/env python3
"""Reads the JSON of `concord --experimental-dump-help` and writes a man page (man(7)).

    concord --experimental-dump-help | Scripts/man.py VERSION > concord.1
"""

import json
import re
import sys

SECTIONS = r"""
.SH ENVIRONMENT
.TP
.B CONCORD_DATABASE
The database, unless \-\-database names one.
.TP
.B NO_COLOR
If set and not empty, \-\-color auto means never.
.SH FILES
.TP
.I corpus.concord
The default database, an SQLite file. While it is open,
.I corpus.concord\-wal
and
.I corpus.concord\-shm
belong to it.
.TP
.IR .gitignore ", " .ignore
Patterns of files that
.B concord index
skips.
.SH EXIT STATUS
.TP
.B 0
Something was found, or the command succeeded.
.TP
.B 1
Nothing was found, a named document or index does not exist, a condition of put is not satisfied, or verify found
damage.
.TP
.B 2
An error, including invalid arguments.
.TP
.B 130
Stopped by SIGINT (Ctrl\-C).
.TP
.B 143
sync was stopped by SIGTERM.
.SH SEE ALSO
.BR sqlite3 (1),
.BR jq (1),
the handbook in the folder Corpora/handbook of the source
"""


def main():
    root = json.load(sys.stdin)["command"]
    commands = [command for command in root.get("subcommands", []) if command["commandName"] != "help"]
    # The options of every command are described once.
    common = {key(argument) for argument in shown(root)}
    out = [f'.TH CONCORD 1 "" "Concordance {sys.argv[1]}" "User Commands"', ".SH NAME"]
    out.append(f"concord \\- {roff(lower_first(root['abstract'].rstrip('.')))}")
    out.append(".SH SYNOPSIS")
    out += [line for command in commands for line in synopsis(command)]
    out.append(".SH DESCRIPTION")
    out += paragraphs(without_exit_status(root.get("discussion", "")))
    out.append(".SH COMMANDS")
    for command in commands:
        out.append(f".SS concord {roff(command['commandName'])}")
        out += [roff(command["abstract"])]
        out.append(".PP")
        out += paragraphs(command.get("discussion", ""))
        for argument in joined(argument for argument in shown(command) if key(argument) not in common):
            out += entry(argument)
    out.append(".SH COMMON OPTIONS")
    for argument in shown(root):
        out += entry(argument)
    print("\n".join(out) + SECTIONS, end="")


def shown(command):
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def key(argument):
    return argument.get("preferredName", {}).get("name") or argument.get("valueName")


def joined(arguments):
    """Returns the arguments, with `--code` and `--no-code` as one."""
    kept = []
    for argument in arguments:
        if kept and argument["kind"] == "flag" and argument.get("abstract") == kept[-1].get("abstract"):
            kept[-1] = kept[-1] | {"names": kept[-1]["names"] + argument["names"]}
        else:
            kept.append(argument)
    return kept


def names(argument):
    dashes = {"long": "--", "short": "-", "longWithSingleDash": "-"}
    order = sorted(argument.get("names", []), key=lambda name: name["kind"] != "short")
    return [dashes[name["kind"]] + name["name"] for name in order]


def synopsis(command):
    words = [f".B concord {roff(command['commandName'])}"]
    line = "[\\fIoption\\fR...]"
    for argument in shown(command):
        if argument["kind"] == "positional":
            word = f"\\fI{roff(argument['valueName'])}\\fR" + ("..." if argument.get("isRepeating") else "")
            line += f" [{word}]" if argument.get("isOptional") else " " + word
    return words + [line, ".br"]


def entry(argument):
    value = roff(argument.get("valueName", ""))
    if argument["kind"] == "positional":
        head = f"\\fI{value}\\fR"
    else:
        head = ", ".join(f"\\fB{roff(name)}\\fR" for name in names(argument))
        if argument["kind"] == "option":
            head += f" \\fI{value}\\fR"
    text = argument.get("abstract", "")
    if argument.get("allValues"):
        text += " One of " + ", ".join(argument["allValues"]) + "."
    if argument.get("defaultValue") and "default" not in text:
        text += f" The default is {argument['defaultValue']}."
    lines = [".TP", head, roff(text)]
    if argument.get("discussion"):
        lines.append(roff(argument["discussion"]))
    return lines


def without_exit_status(text):
    return "\n\n".join(part for part in text.split("\n\n") if not part.startswith("Exit status:"))


def paragraphs(text):
    lines = []
    for part in re.split(r"\n\n+", text.strip("\n")):
        if not part:
            continue
        if part.startswith("  "):
            lines += [".RS", ".nf"] + [roff(line.strip()) for line in part.split("\n")] + [".fi", ".RE", ".PP"]
        else:
            lines += [roff(" ".join(part.split())), ".PP"]
    return lines


def lower_first(text):
    return text[:1].lower() + text[1:]


def roff(text):
    """Returns text as ASCII with roff commands escaped."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = "".join(letter if ord(letter) < 128 else f"\\[u{ord(letter):04X}]" for letter in text)
    return "\\&" + text if text.startswith((".", "\\(aq")) else text


if __name__ == "__main__":
    main()

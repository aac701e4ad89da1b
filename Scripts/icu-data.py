#!/usr/bin/env python3
"""Scripts/icu-data.py [--without-text] ARCHIVE OUTPUT.o: writes an object file with the data of the ICU library in ARCHIVE,
without the names of languages, regions, currencies, units and time zones, which concord never shows.

The object file contains collation, word boundaries, normalization, encodings, time zone rules, and the root locale.
With --without-text, it contains no collations of languages and no word dictionaries: concord uses those of Debian's
ICU, and Foundation needs its ICU only for dates, time zones and encodings.

The format of the data is described in ICU's source (icu4c/source/common/ucmndata.h): a header, a table of contents
whose entries are the offsets of a name and of an item, the names, and the items, each at a multiple of 16 bytes.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

EXCLUDED_FOLDERS = {"curr", "lang", "region", "unit", "zone", "rbnf"}
TEXT_FOLDERS = {"brkitr", "coll"}
LOCALE = re.compile(r"[a-z]{2,3}(_[A-Za-z0-9]+)*\.res")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def packaged_data(archive):
    """Returns the symbol of the data and its bytes."""
    listing = run("nm", "-A", "--defined-only", archive)
    members = re.findall(r":([^:\s]+):[0-9a-f]+ R (icudt\d+_dat)$", listing, re.M)
    if len(members) != 1:
        sys.exit(f"{archive} contains {len(members)} symbols of the form icudtNN_dat instead of one")
    member, symbol = members[0]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / member).write_bytes(subprocess.run(["ar", "p", archive, member], check=True, capture_output=True).stdout)
        run("objcopy", "-O", "binary", "-j", ".rodata", folder / member, folder / "data")
        return symbol, (folder / "data").read_bytes()


def is_kept(name, excluded):
    folder, _, file = name.rpartition("/")
    if folder == "translit":
        return False
    if folder:
        return folder not in excluded or file in ("root.res", "pool.res", "res_index.res", "ucadata.icu") or file.endswith(".brk")
    return file in ("en.res", "en_US.res", "en_US_POSIX.res") or not LOCALE.fullmatch(file)


def filtered(data, excluded):
    header_size, = struct.unpack_from("<H", data)
    if data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        sys.exit("the data is not in the CmnD format")
    count, = struct.unpack_from("<I", data, header_size)
    entries = [struct.unpack_from("<II", data, header_size + 4 + 8 * i) for i in range(count)]
    ends = sorted(offset for _, offset in entries)[1:] + [len(data) - header_size]
    end_of = dict(zip(sorted(offset for _, offset in entries), ends))

    def name_at(offset):
        start = header_size + offset
        return data[start:data.index(b"\0", start)]

    kept = [(name_at(name), data[header_size + item:header_size + end_of[item]]) for name, item in entries
            if is_kept(name_at(name).decode().split("/", 1)[1], excluded)]
    names, items, table = bytearray(), bytearray(), []
    names_start = 4 + 8 * len(kept)
    items_start = names_start + sum(len(name) + 1 for name, _ in kept)
    items_start += -(header_size + items_start) % 16
    for name, item in kept:
        table.append(struct.pack("<II", names_start + len(names), items_start + len(items)))
        names += name + b"\0"
        items += item + bytes(-len(item) % 16)
    body = struct.pack("<I", len(kept)) + b"".join(table) + names
    return data[:header_size] + body + bytes(items_start - len(body)) + items


def main():
    *options, archive, output = sys.argv[1:]
    symbol, data = packaged_data(archive)
    data = filtered(data, EXCLUDED_FOLDERS | TEXT_FOLDERS if options == ["--without-text"] else EXCLUDED_FOLDERS)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "data").write_bytes(data)
        (folder / "data.s").write_text(
            f'.section .rodata\n.balign 16\n.globl {symbol}\n.type {symbol}, @object\n{symbol}:\n.incbin "{folder}/data"\n'
            f".size {symbol}, . - {symbol}\n.section .note.GNU-stack\n")
        run("clang", "-c", folder / "data.s", "-o", output)


main()

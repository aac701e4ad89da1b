"""The searches that check_grep.py runs: all kinds of patterns, and the options that affect lines."""
import dataclasses
import shlex


@dataclasses.dataclass
class Case:
    """A search, with the arguments of both programs."""

    pattern: list
    arguments: list = dataclasses.field(default_factory=list)
    # Paths below the folder; the whole folder if empty.
    paths: list = dataclasses.field(default_factory=list)
    # Options only for rg: -P for syntax that its default engine does not support.
    ripgrep: list = dataclasses.field(default_factory=list)
    # Whether the case is also run without the index.
    scans: bool = False
    may_be_empty: bool = False

    @property
    def is_list(self):
        """Returns whether only the names of files are printed."""
        return any(option in self.arguments for option in ("-l", "--files-without-match"))

    def __str__(self):
        return shlex.join([*self.ripgrep, *self.arguments, *self.pattern, *self.paths])


def plain(*patterns, paths=(), scans=False):
    """Returns cases with line numbers."""
    return [Case([pattern], ["-n"], list(paths), scans=scans) for pattern in patterns]


def perl(*patterns, paths=(), arguments=()):
    """Returns cases with patterns that need PCRE2, or have another meaning in rg's default engine."""
    return [Case([pattern], ["-n", *arguments], list(paths), ["-P"]) for pattern in patterns]


def with_options(options, pattern, paths=(), **more):
    """Returns a case with a pattern and options; `-n` is not added."""
    return [Case([pattern] if pattern is not None else [], shlex.split(options), list(paths), **more)]


LITERALS = plain(
    "usb_serial_generic_write_bulk_callback", "ioctl", "Torvalds", "->next->", "a.b", "  \t", "/* XXX", "%s%s%s",
    "→", "ü", "©", "Grüße|Müller", "日本") + plain("copy_from_user", "0xdeadbeef", scans=True)

ALTERNATIONS = plain(
    "spin_(lock|unlock)_irq\\w+", "(get|put)_(device|module)\\(", "foo|bar|baz", "GPLv2|MIT|BSD-3", "(un)?likely\\(",
    "kmalloc|kzalloc|vmalloc|kvmalloc", "(^|\\s)TODO(:|$)", "err(or)?_(out|free|put)|fail_(out|free)")

CLASSES = plain(
    "EXPORT_SYMBOL_GPL\\(usb_\\w+\\)", "[0-9]{7,}", "0x[0-9a-fA-F]{16}", "[Kk]ernel [Pp]anic", "[^\\x00-\\x7F]",
    "[[:upper:]]{20,}", "v[0-9]+\\.[0-9]+\\.[0-9]+", "\\d{3}-\\d{4}", "\\S{150,}", "[^ -~\\t]+", "[a-c][x-z]{2}[0-9]",
    "[\\]\\[]{4}") + plain("\\p{Greek}", "\\p{Lu}\\p{Ll}+ß", "[à-ö]{2}", scans=True)

REPETITION = plain(
    "struct\\s+\\w+_ops\\s*=", "(ab){3,}", "a{5}", "x*y+z{2}", "\\w+_init\\b", "(\\w+)_\\w+_(lock|mutex)\\b", "!{3,}",
    "(0x\\w\\w,\\s*){16}", ".{300,}", "if \\(.*&&.*&&.*&&.*&&", "a.*?b.*?c.*?d.*?zz", "\\bv?printk?f?\\b\\(")

ANCHORS = plain(
    "^#include <linux/usb", "\\\\$", "^\\s+$", "^static.*;$", "^\\S+:$", "\\t+$", "^(?:config|menuconfig) USB_",
    "^\ufeff", "\\r$") + plain("^$", "^.{0}$", "\\*/$", "^}$", paths=["fs"]) + with_options("-c", "^$|^}$")

BOUNDARIES = plain("\\bint\\b.*\\bint\\b.*\\bint\\b.*\\bint\\b", "\\Birq\\B", "\\bmm\\b", "\\b\\d+\\b\\s*;\\s*$",
    "_\\b\\W{3}")

CASE = (
    with_options("-n -i", "kernel panic") + with_options("-n -i", "STRASSE|straße") + with_options("-n -i", "müller")
    + with_options("-n -i", "k", paths=["lib/xz", "Documentation/i2c"])
    + with_options("-n -S", "todo|fixme", paths=["drivers/net"]) + with_options("-n -S", "FIXME")
    + with_options("-n -S", "\\Wfixme\\W") + with_options("-n", "(?i)ReiserFS") + with_options("-n", "(?i:USB)_serial")
    + with_options("-n", "a(?i)b(?-i)c_", scans=True) + with_options("-n -is", "Linus")
    + with_options("-n -i", "Ω|μ|å"))

WORDS = (
    with_options("-n -w", "lock", paths=["kernel"]) + with_options("-n -w", "usb_\\w+|pci", paths=["drivers/usb"])
    + with_options("-n -w", "-1") + with_options("-n -w", "foo") + with_options("-n -x", "\\s*return 0;")
    + with_options("-n -x", "else|do", may_be_empty=True) + with_options("-n -x -F", "};")
    + with_options("-n -wi", "todo") + with_options("-n -w", "int|int main", paths=["tools"]))

INVERTED = (
    with_options("-n -v", "[a-z]", paths=["kernel", "mm"]) + with_options("-c -v", "e")
    + with_options("-n -v", "^\\s|^$", paths=["fs/ext4"]) + with_options("-c -v -w", "the")
    + with_options("--count-matches", "ab|cd") + with_options("-c", "") + with_options("-c", "x*")
    + with_options("-c", "mutex_lock", scans=True) + with_options("-c -x", "")
    + with_options("-n -v", "", may_be_empty=True)
    + with_options("-n -m 2", "return") + with_options("-c -m 3", "goto out") + with_options("-n -v -m 1", "#"))

FILES = (
    with_options("-l", "spin_(lock|unlock)_irq\\w+", scans=True) + with_options("-l", "MODULE_LICENSE")
    + with_options("--files-without-match", "e") + with_options("--files-without-match", "SPDX-License-Identifier")
    + with_options("-l -v", "^#|^$|^\\s"))

PERL = perl(
    "(?<!un)likely\\(", "lock(?!_irq|dep|ing|ed)\\w+\\(", "(?<=EXPORT_SYMBOL\\()\\w+(?=\\);)", "\\b(\\w{4,}) \\1\\b",
    "(['\"]).{1,3}\\1", "(?=.*spin)(?=.*irq)(?=.*save)", "a++b", "(?>\\w+)\\s\\*\\*\\w+;", "\\bfoo\\K_\\w+",
    "\\Q->\\Egp\\b",
    "(?<name>\\d\\d)\\k<name>\\k<name>", "\\((?:[^()]|(?R)){40,}\\)", "\\p{Han}\\p{Han}", "\\X{3}\\x{2192}",
    "^\\h+\\v*$",
    "(?x) struct \\s page \\s \\*\\* # pages", "(?(?=0x)0x[a-f]{7}|\\d{12})", "\\w(*SKIP)(*FAIL)|@@",
    "[[:^alnum:][:space:]]{9}")

UNICODE = perl(
    "\\w*é\\w*", "\\bß|ß\\b", "[^\\P{L}a-zA-Z]{3}", "\\p{Cyrillic}+", "\\p{Sc}\\d", "\\x{2013}", "[–—]\\s",
    "\\W{12}", "“.*”",
) + perl("ÅNGSTRÖM|ångström|kelvin|ſ", arguments=["-i"])

LITERAL_TEXTS = (
    with_options("-n -F", "a[i]++") + with_options("-n -F", "(*") + with_options("-n -F", "\\n")
    + with_options("-n -F", "$(")
    + with_options("-n -F", "^") + with_options("-n -F -i", "#IFDEF CONFIG_X86_64") + with_options("-n -F -w", "...")
    + with_options("-n -F", "\\E.*\\Q", may_be_empty=True) + with_options("-n -F -x", "*/", paths=["drivers/char"]))

SEVERAL = (
    with_options("-n -e kmalloc_array -e vmalloc_array -e '^$'", None, paths=["lib"])
    + with_options("-n -e a{9} -e 'b{5}'", None)
    + with_options("-n -F -e '->a.' -e '[0].'", None)
    + with_options("-n -w -e usb -e pci -e i2c", None, paths=["include"])
    + with_options("-n -e '(a)x' -e '(b)y(c)'", None) + with_options("-n -i -e sdhci_pltfm_ -e XFS_BTREE_", None)
    + with_options("-n -x -e '' -e '\\}'", None, paths=["net/ipv4"]))

MATCHES = (
    with_options("-o -n", "[a-z]+_usb_[a-z]+") + with_options("-o", "\\d{9}") + with_options("-o -b", "TODO|FIXME")
    + with_options("-o -n -w", "u(8|16|32|64)", paths=["net/core"]) + with_options("-o -n -i", "copyright \\(c\\) \\d+")
    + with_options("-n --column", "goto fail") + with_options("--vimgrep", "cpu_to_le(16|32)\\(")
    + with_options("-o -r '$2/$1'", "(\\w+)->(lock)\\b", paths=["fs"]) + with_options("-n -r '<$0>'", "usb_\\w+_init")
    + with_options("-b", "#error"))

MULTILINE = (
    with_options("-n -U", "\\{\\n\\}", paths=["drivers"])
    + with_options("-n -U", "return;\\n\\}\\n\\nstatic int \\w+\\(void\\)")
    + with_options("-n -U", "struct \\w+ \\{\\s*int")
    + with_options("-n -U --multiline-dotall", "/\\*[^*]{0,20}TODO.{0,80}?\\*/")
    + with_options("-n -U", "\\n\\n\\n\\n\\n") + with_options("-n -U", "^if\\b.*$")
    + with_options("-c -U", "else\\n\\s+return")
    + with_options("-n -U -o", "case \\w+:\\n\\s+break", paths=["kernel"]) + with_options("-l -U", "\\A#!/bin/sh\\n\\n")
    + with_options("-n -U -v", "a\\n", paths=["block"]))

CONTEXT = (
    with_options("-n -A 2", "EXPORT_SYMBOL_GPL\\(usb_\\w+\\)") + with_options("-n -B 3", "kernel BUG at")
    + with_options("-n -C 1", "spin_trylock_irqsave", scans=True) + with_options("-n -A 1 -v", "\\w", paths=["crypto"])
    + with_options("-n -B 2 -m 1", "^MODULE_AUTHOR") + with_options("--passthru", "x", paths=["virt"])
    + with_options("-n -C 2 -w -i", "deadlock", paths=["Documentation"]))

SELECTED = (
    with_options("-n -g '*.S'", "ENTRY\\(") + with_options("-n -g '!*.c' -g '!*.h'", "mutex_lock")
    + with_options("-n -tpy", "^import")
    + with_options("-n -tc -g '*.h'", "pragma") + with_options("-n -Tc", "kfree\\(")
    + with_options("-l -tmake", "obj-\\$")
    + with_options("-n -g 'Kconfig*'", "default y if") + with_options("-n -g '**/usb/**'", "urb->status")
    + with_options("-n -tsh -trust", "^fn |^function ") + with_options("-n -g '*.{yaml,dts}'", "gpio0")
    + with_options("-n", "request_irq", paths=["drivers/usb", "sound/soc"])
    + with_options("-n", "GPL", paths=["COPYING"]))

CASES = (
    LITERALS + ALTERNATIONS + CLASSES + REPETITION + ANCHORS + BOUNDARIES + CASE + WORDS + INVERTED + FILES + PERL
    + UNICODE
    + LITERAL_TEXTS + SEVERAL + MATCHES + MULTILINE + CONTEXT + SELECTED)

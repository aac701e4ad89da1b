#!/usr/bin/env bash
# Scripts/static-libraries.sh FOLDER: prints the options of `swift build` that link Debian's C libraries
# statically; prints nothing if a static library is missing. `make build` uses it.
#
# The package names its libraries (-lxml2), and the linker takes each from the first folder that contains it. So FOLDER gets
# a linker script for each name, which lists the archive and its dependencies, and pkg-config files that put FOLDER first.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# The packages and their libraries; some are only dependencies of libxml2 and libarchive.
libraries="libicu-dev icui18n
libicu-dev icuuc
libicu-dev icudata
libxml2-dev xml2
zlib1g-dev z
liblzma-dev lzma
libarchive-dev archive
libbz2-dev bz2
libzstd-dev zstd
liblz4-dev lz4
nettle-dev nettle
libacl1-dev acl
libssl-dev crypto
libpcre2-dev pcre2-8
libstemmer-dev stemmer
libsqlite3-dev sqlite3"

declare -A archive
while read -r package name; do
  archive[$name]=$(dpkg -L "$package" 2>/dev/null | grep "/lib$name\.a\$") || {
    echo "$0: $package has no lib$name.a; the C libraries are linked dynamically" >&2
    exit 0
  }
done <<< "$libraries"

group() { # NAME ARCHIVE…
  echo "GROUP ( ${*:2} )" > "$folder/lib$1.a"
}

configuration() { # NAME LIBRARY FLAGS
  printf 'Name: %s\nDescription: %s, linked into the program\nVersion: 0\nCflags: %s\nLibs: -L%s -l%s\n' \
    "$1" "$1" "$3" "$folder" "$2" > "$folder/$1.pc"
}

icu="${archive[icui18n]} ${archive[icuuc]} ${archive[icudata]}"
group icui18n "$icu"
group icuuc "$icu"
group xml2 "${archive[xml2]}" "${archive[z]}" "${archive[lzma]}" "$icu"
group archive "${archive[archive]}" "${archive[nettle]}" "${archive[acl]}" "${archive[lzma]}" "${archive[zstd]}" "${archive[lz4]}" \
  "${archive[bz2]}" "${archive[z]}" "${archive[xml2]}" "$icu"
for name in crypto pcre2-8 stemmer sqlite3 z; do group "$name" "${archive[$name]}"; done
configuration libxml-2.0 xml2 -I/usr/include/libxml2
configuration libarchive archive ""
configuration zlib z ""
configuration libcrypto crypto ""
configuration libpcre2-8 pcre2-8 ""

echo "--pkg-config-path $folder"

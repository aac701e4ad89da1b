#!/usr/bin/env bash
# Scripts/static-libraries.sh FOLDER: prints the options of `swift build` that put Debian's C libraries into the program, in place
# of looking them up whenever it starts; nothing where one of them is not there in that form. `make build` uses it.
#
# The package names its libraries (-lxml2), and the first folder that has one gives it. So FOLDER gets a file of each name, which
# leads to the archive and to what that archive needs, and the files of pkg-config that put FOLDER first.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)

# The packages and the libraries in them; those of libxml2 and libarchive are wanted by them alone.
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
    echo "$0: $package has no lib$name.a; the C libraries stay outside of the program" >&2
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

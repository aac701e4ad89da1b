#!/usr/bin/env bash
# Scripts/static-libraries.sh FOLDER: prints the options of `swift build` that link Debian's C libraries
# statically; prints nothing if a static library is missing. `make build` uses it. SWIFT is the program `swift`.
#
# The package refers to libraries by name (-lxml2), and the linker takes each from the first folder that contains it.
# This script writes to FOLDER a linker script for each name, which lists the archive and its dependencies, and
# pkg-config files that put FOLDER first.
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
libcrypt-dev crypt
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

# The program contains ICU twice, Debian's and Foundation's; each has more than 30 MB of data.
data="${archive[icudata]}"
if "$(dirname "$0")/icu-data.py" "${archive[icudata]}" "$folder/icudata.o"; then
  ar rc "$folder/icudata-concord.a" "$folder/icudata.o"
  data="$folder/icudata-concord.a"
fi
resources=$("${SWIFT:-swift}" -print-target-info -static-stdlib | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
foundation="$resources/linux/lib_FoundationICU.a"
options=""
if [ -f "$foundation" ] && "$(dirname "$0")/icu-data.py" --without-text "$foundation" "$folder/foundation-icudata.o"; then
  # The toolchain's folder precedes all others, so its archive cannot be replaced, but the linker does not take a symbol
  # from it that is already defined.
  symbol=$(nm "$foundation" 2>/dev/null | sed -n 's/.* R \(icudt[0-9]*_dat\)$/\1/p')
  objcopy --redefine-sym "$symbol=foundation_$symbol" "$folder/foundation-icudata.o"
  options="-Xlinker --defsym=$symbol=foundation_$symbol -Xlinker $folder/foundation-icudata.o"
fi

icu="${archive[icui18n]} ${archive[icuuc]} $data"
group icui18n "$icu"
group icuuc "$icu"
group xml2 "${archive[xml2]}" "${archive[z]}" "${archive[lzma]}" "$icu"
group archive "${archive[archive]}" "${archive[nettle]}" "${archive[acl]}" "${archive[lzma]}" "${archive[zstd]}" "${archive[lz4]}" \
  "${archive[bz2]}" "${archive[z]}" "${archive[xml2]}" "$icu"
for name in crypto crypt pcre2-8 stemmer sqlite3 z; do group "$name" "${archive[$name]}"; done
configuration libxml-2.0 xml2 -I/usr/include/libxml2
configuration libarchive archive ""
configuration zlib z ""
configuration libcrypto crypto ""
configuration libcrypt crypt ""
configuration libpcre2-8 pcre2-8 ""

echo "--pkg-config-path $folder $options"

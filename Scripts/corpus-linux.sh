#!/usr/bin/env bash
# Unpacks the Linux 6.1 source of linux-source-6.1, a package of Debian 12, into .corpora/linux.
set -euo pipefail
cd "$(dirname "$0")/.."
target=.corpora/linux
[ -d "$target" ] && { echo "$target already exists"; exit 0; }
archive=/usr/src/linux-source-6.1.tar.xz
if [ ! -f "$archive" ]; then
  sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq
  apt-cache show linux-source-6.1 >/dev/null 2>&1 \
    || { echo "linux-source-6.1 is only in Debian 12; unpack a Linux 6.1 source into $target" >&2; exit 1; }
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends linux-source-6.1 xz-utils
fi
mkdir -p .corpora
tar -xf "$archive" -C .corpora
mv .corpora/linux-source-6.1 "$target"
echo "$target: $(find "$target" -type f | wc -l) files"

#!/usr/bin/env bash
# Creates .build/man/concord.1 from the help of the command. `make man` calls it after the build.
#
# The manual generator of swift-argument-parser is not used: it drops all non-ASCII characters, supports only the exit
# statuses 0 and "above 0", and repeats the common options under each command.
set -euo pipefail
cd "$(dirname "$0")/.."
concord=${1:-.build/release/concord}
[ -x "$concord" ] || { echo "$concord: not found; build it with \`make build\`" >&2; exit 2; }
command -v python3 >/dev/null || { echo "python3 is required for the man page: apt-get install python3" >&2; exit 2; }
mkdir -p .build/man
"$concord" --experimental-dump-help | python3 Scripts/man.py "$("$concord" --version)" > .build/man/concord.1.new
mv .build/man/concord.1.new .build/man/concord.1
echo ".build/man/concord.1"

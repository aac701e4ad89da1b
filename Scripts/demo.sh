#!/usr/bin/env bash
# Scripts/demo.sh CONCORD: indexes Corpora/ into .build/demo.concord, searches it, and prints each command before it runs.
# `make demo` calls it after the build.
set -euo pipefail
cd "$(dirname "$0")/.."
concord=${1:-.build/release/concord}
[ -x "$concord" ] || { echo "$concord: not found; build it with \`make build\`" >&2; exit 2; }

export CONCORD_DATABASE=.build/demo.concord
mkdir -p .build
rm -f "$CONCORD_DATABASE"*

bold= plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then bold=$'\e[1m' plain=$'\e[0m'; fi

show() { # NOTE ARGUMENT…
  local shown=concord argument
  for argument in "${@:2}"; do
    case $argument in
      *[!A-Za-z0-9_./=-]*) shown+=" '$argument'" ;;
      *) shown+=" $argument" ;;
    esac
  done
  printf '\n# %s\n%s$ %s%s\n' "$1" "$bold" "$shown" "$plain"
  "$concord" "${@:2}"
}

show "Markdown files and JSON records into one database" index Corpora
show "Ranked search, with the best matching part of the text" search damaged file backup -n 2
show "Accents are ignored: Straße, Strasse" search strasse -n 3
show "JSON records; OR, and an excluded word" search -n 2 -- volcano OR glacier -lift
show "Text without spaces: part of 東京都" search 東京 -n 3
show "grep in the same database: lines that match a regular expression" grep -n 'REGEXP_(LIKE|COUNT)\(' Corpora/handbook
show "SQL++ on the same documents: the longest flights" query 'SELECT a.city AS `from`, b.city AS `to`, r.distance AS km FROM _ AS r
  JOIN _ AS a ON a.faa = r.sourceairport JOIN _ AS b ON b.faa = r.destinationairport
  WHERE r.type = "route" ORDER BY km DESC LIMIT 4'
show "The number of matches" search breakfast --count
show "Index again: only changed files are read" index Corpora
show "Save a document with an attached file; the index is updated" \
  put cafe_1 '{"name":"Kafija","text":"Coffee by the harbour, from seven in the morning"}' --blob license=LICENSE:text/plain
show "The document is found immediately" search '"seven in the morning"' -n 1
show "Print it as JSON" get cafe_1
show "The content of the database" stats
printf '\nRead on:              Corpora/handbook/README.md\nSearch it yourself:   %s -d %s search coffee\n' "$concord" "$CONCORD_DATABASE"
printf 'Or in a browser:      %s serve %s    # http://127.0.0.1:7700/\n' "$concord" "$CONCORD_DATABASE"

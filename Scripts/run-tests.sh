#!/usr/bin/env bash
# Scripts/run-tests.sh COMMAND…: runs `swift test`. If tests fail, prints the lines with failures again at the end.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
if [ "$status" != 0 ]; then
  printf '\nFailures:\n'
  grep -E '✘|error:|Fatal error|Crash' "$log" | tail -n 200
fi
exit "$status"

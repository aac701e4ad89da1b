#!/usr/bin/env bash
# Scripts/concurrently.sh COMMAND COMMAND: runs two shell commands at the same time. Prints the output of the first while it
# runs, and that of the second at the end. Fails if one of them fails.
#
# `make test` uses it because tests wait for processes and files, and builds for their linker: alone, each leaves a part of
# two processors idle.
set -uo pipefail
log=$(mktemp)
# With job control, the second command has its own process group and does not ignore interrupts, which its tests send.
set -m
bash -c "$2" >"$log" 2>&1 &
second=$!
set +m
trap 'kill -- -$second 2>/dev/null; rm -f "$log"' EXIT
trap 'exit 130' INT TERM
bash -c "$1"
status=$?
wait "$second" || status=1
cat "$log"
exit "$status"

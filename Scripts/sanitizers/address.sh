#!/usr/bin/env bash
# Scripts/sanitizers/address.sh PROGRAM SUITES: runs the tests of PROGRAM whose names match the regular expression SUITES, with
# the address sanitizer. The tests run one after the other in two processes, because those of TextIndex take half of the time.
set -uo pipefail
program=$1
suites=$2
# These compare many results, or compile large patterns, with code that other tests run as well. They take minutes.
redundant='scoresAreThoseOfTheFormula|theOrderOfDocumentsDoesNotChangeTheSegment|tenThousandPatternsAreSearchedTogether'
redundant+='|oversizedPatternThrowsShortError|collectorIsReusable|documentsOfSeveralBatchesAreImported'
# The status of swift-testing if no test matches.
no_tests=69

log=$(mktemp)
trap 'rm -f "$log"' EXIT

run() {
  # Swift does not free its caches at exit, so leaks are not reported.
  ASAN_OPTIONS=detect_leaks=0 "$program" --testing-library swift-testing --no-parallel --filter "$suites" \
    --skip "$1" --skip "$redundant"
}

run '^(?!TextIndexTests\.)' >"$log" 2>&1 &
run '^TextIndexTests\.'
others=$?
wait $!
indexes=$?
cat "$log"
if [ $others = $no_tests ] && [ $indexes = $no_tests ]; then
  echo "no test matches $suites"
  exit 1
fi
for status in $others $indexes; do
  if [ $status != 0 ] && [ $status != $no_tests ]; then exit $status; fi
done

#!/usr/bin/env bash
# Compares Concordance with SQLite FTS5, Tantivy, ripgrep and codesearch in one run. Writes the tables of
# docs/benchmarks.md and copies a selection of rows into README.md.
#
#   Benchmarks/run.sh [DOCUMENTS]     1,000,000 by default: 1 GB of text, about half an hour
#   Benchmarks/run.sh server [DOCUMENTS]   measures `concord serve`; SOAK is the duration of the soak in seconds
#   Benchmarks/run.sh postgres [DOCUMENTS]   compares a database on PostgreSQL with a file
#   Benchmarks/run.sh clusters [DOCUMENTS]   measures 10,000,000 documents on three PostgreSQL servers, in the folder data/clusters
#   Benchmarks/run.sh growth   measures 100,000, 1,000,000 and 10,000,000 documents; SOAK is the duration of the soak in seconds
#
# The documents are pieces of about 1 kB of the Linux source (`make corpus-linux`).
set -euo pipefail
cd "$(dirname "$0")"
task=all
case "${1:-}" in server | postgres | clusters | growth) task=$1; shift ;; esac
count=${1:-1000000}
[ -d ../.corpora/linux ] || make -C .. corpus-linux
mkdir -p data
[ -f data/pieces.jsonl ] || python3 pieces.py ../.corpora/linux data/pieces.jsonl 1000000
if [ "$task" = postgres ]; then
  exec python3 postgres.py --pieces data/pieces.jsonl --documents "$count" --concord ../.build/release/concord --peer --write
fi
make_variations() {
  [ -f data/variations.jsonl ] || { python3 variations.py data/pieces.jsonl data/variations.new 10000000 && mv data/variations.{new,jsonl}; }
}
if [ "$task" = clusters ]; then
  make_variations
  exec python3 postgres_clusters.py --documents data/variations.jsonl --folder data/clusters --concord ../.build/release/concord \
    ${1:+--count "$1"}
fi
swift build -c release
program=$(swift build -c release --show-bin-path)/concord-bench
if [ "$task" = growth ]; then
  make_variations
  trap 'rm -f data/growth*.concord*' EXIT
  python3 growth.py --program "$program" --documents data/variations.jsonl --folder data --soak "${SOAK:-600}" --write
  exit
fi
# `make peers` installs Tantivy there.
python=../.build/peers/bin/python
[ -x "$python" ] || python=python3
if [ "$task" = server ]; then
  exec python3 server.py --pieces data/pieces.jsonl --documents "$count" --program "$program" --write \
    --soak "${SOAK:-60}" --concord ../.build/release/concord
fi
"$python" bench.py --pieces data/pieces.jsonl --documents "$count" --program "$program" --write \
  --peers --ranking --patterns --tree ../.corpora/linux --concord ../.build/release/concord

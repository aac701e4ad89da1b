#!/usr/bin/env bash
# Measures Concordance beside SQLite's own FTS5, ripgrep and codesearch in one run and writes the tables of the README.
#
#   Benchmarks/run.sh [DOCUMENTS]     1,000,000 by default: 1 GB of text, about ten minutes
#
# Ranked searches are measured beside FTS5 and, where it is installed, Tantivy (rank.py, printed).
#
# The documents are pieces of about 1 kB of the Linux source (`make corpus-linux`).
set -euo pipefail
cd "$(dirname "$0")"
count=${1:-1000000}
[ -d ../.corpora/linux ] || make -C .. corpus-linux
mkdir -p data
[ -f data/pieces.jsonl ] || python3 pieces.py ../.corpora/linux data/pieces.jsonl 1000000
swift build -c release
program=$(swift build -c release --show-bin-path)/concord-bench
python3 bench.py --pieces data/pieces.jsonl --documents "$count" --program "$program" --readme ../README.md \
  --patterns --tree ../.corpora/linux --concord ../.build/release/concord
python3 rank.py data/pieces.jsonl "$count" "$program"

#!/usr/bin/env bash
# Scripts/test-api.sh CONCORD: sends requests that schemathesis generates from /openapi.json to a server with a small
# database.
# `make test-api` installs schemathesis.
set -euo pipefail
cd "$(dirname "$0")/.."
concord=$(realpath "${1:-.build/release/concord}")
schemathesis=${SCHEMATHESIS:-.build/python/bin/schemathesis}
folder=$(mktemp -d)
"$concord" -q -d "$folder/travel.concord" index Corpora/travel
"$concord" serve "$folder/travel.concord" --port 0 > "$folder/url" 2> "$folder/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true; rm -rf "$folder"' EXIT
until [ -s "$folder/url" ]; do kill -0 $server || { cat "$folder/log" >&2; exit 1; }; sleep 0.1; done
url=$(cat "$folder/url")
# Event streams do not end, and schemathesis cannot generate NDJSON; other tests cover these operations.
# Scripts/schemathesis.toml sets path parameters to names that exist, so that requests reach the database.
"$schemathesis" --config-file Scripts/schemathesis.toml run "${url}openapi.json" --url "${url%/}" --max-examples "${EXAMPLES:-20}" --suppress-health-check all \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
  --exclude-operation-id liveQuery --exclude-operation-id liveQueryWithBody --exclude-operation-id liveSearch --exclude-operation-id liveSearchWithBody \
  --exclude-operation-id changes --exclude-operation-id bulk --exclude-operation-id deleteCollection --phases examples,fuzzing

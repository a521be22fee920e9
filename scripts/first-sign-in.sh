#!/usr/bin/env bash
# Prints how long a newcomer takes from a clone of this repository to being signed in: three commands, 3 minutes at most.
# The packages come from the cache of npm where it has them.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'kill "${demo:-}" 2> /dev/null || true; wait; rm -rf "$work"' EXIT
export PORT=${PORT:-3999}

git clone --quiet "$root" "$work/inkstone"
cd "$work/inkstone"
begun=$SECONDS
npm ci --silent
npm run --silent demo > "$work/log" 2>&1 &
demo=$!
until link=$(grep -o 'http://[^" ]*/signin/link/[A-Za-z0-9_-]*' "$work/log" | head -n 1) && [ -n "$link" ]; do
  kill -0 "$demo" || { cat "$work/log"; exit 1; }
  sleep 0.2
done
answer=$(curl --silent --output /dev/null --write-out '%{http_code} %header{set-cookie}' --request POST \
  --header 'sec-fetch-site: same-origin' "$link")
seconds=$((SECONDS - begun))
[[ $answer == "303 session="* ]] || { echo "The link returned $answer, not a session."; exit 1; }
echo "Signed in after $seconds s."
[ "$seconds" -le 180 ] || { echo "At most 180 s are allowed."; exit 1; }

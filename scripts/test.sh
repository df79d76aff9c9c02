#!/usr/bin/env bash
# Runs all tests with a private PostgreSQL beside the default SQLite, and
# closes with one line that counts them. Arguments go to `cargo test`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Every test has a database of its own, of a thousand files. Memory takes them
# at once; some file systems take longer the more were deleted just before.
scratch() {
    local probe free
    free=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
    if [ -z "${TMPDIR:-}" ] && [ "${free:-0}" -gt 4000000 ] &&
        probe=$(mktemp /dev/shm/quipu-probe.XXXXXX 2>/dev/null); then
        printf '#!/bin/sh\n' >"$probe"
        chmod 700 "$probe"
        # A server is started from there, which not every system lets.
        if "$probe" 2>/dev/null; then
            rm -f "$probe"
            echo /dev/shm
            return
        fi
        rm -f "$probe"
    fi
    echo "${TMPDIR:-/tmp}"
}

work=$(mktemp -d "$(scratch)/quipu-test.XXXXXX")
# A second signal, which make sends on, must not cut the clean-up short.
trap 'trap "" HUP INT TERM; kill $(jobs -p) 2>/dev/null || true; scripts/postgres.sh stop "$work" || true; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

QUIPU_TEST_POSTGRES_URL=$(scripts/postgres.sh start "$work")
export QUIPU_TEST_POSTGRES_URL

# The server that is tested has its pages.
scripts/web.sh build

# The pages of the guide are followed as a reader does.
scripts/ensure.sh guide

# The client libraries that are tried against the API.
QUIPU_TEST_PYTHON=$(scripts/python.sh openai==3.49.0 mcp==2.3.0)
export QUIPU_TEST_PYTHON
QUIPU_TEST_NODE=$(scripts/node.sh ai@6.0.319 @ai-sdk/openai-compatible@2.0.87)
export QUIPU_TEST_NODE

# Many tests wait for a server, a clock or a child: two of them share a core.
cores=$(getconf _NPROCESSORS_ONLN)
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * cores))}

# Runs the tests of some targets, and keeps what they print for the count at the end.
lane() {
    local name=$1
    shift
    cargo test --workspace --locked --no-fail-fast "$@" >"$work/lane-$name.log" 2>&1
}

status=0
if [ $# -gt 0 ]; then
    lane chosen "$@" || status=$?
    cat "$work/lane-chosen.log"
else
    # Two lanes at a time: those of one wait where those of the other work. A new user's way through the
    # pages, in a real browser, begins where the shorter one ends.
    cargo test --workspace --locked --no-run 2>&1 | tee "$work/built.log"
    scripts/ensure.sh chromium
    lane whole --test it &
    whole=$!
    lane units --lib --bins --test crash || status=$?
    scripts/web.sh walk "${CARGO_TARGET_DIR:-target}/debug/quipu" || status=$?
    wait "$whole" || status=$?
    cat "$work/lane-whole.log" "$work/lane-units.log"
    # A target that neither lane names would be left out in silence.
    for program in $(sed -n 's/^ *Executable.*(\(.*\))$/\1/p' "$work/built.log"); do
        if ! grep -qF "$program" "$work"/lane-*.log; then
            echo "The tests of $program were not run." >&2
            status=1
        fi
    done
fi

if [ -z "${QUIPU_TEST_QDRANT_URL:-}" ]; then
    echo 'SKIPPED: the Qdrant engine was not tested (QUIPU_TEST_QDRANT_URL is not set).'
fi

# A run in which no test passed has tested nothing, so it fails too.
awk '
    /^test result:/ {
        for (i = 2; i <= NF; i++) {
            if ($i == "passed;") passed += $(i - 1)
            if ($i == "failed;") failed += $(i - 1)
            if ($i == "ignored;") skipped += $(i - 1)
        }
    }
    END {
        printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        exit passed == 0
    }
' "$work"/lane-*.log || status=$((status ? status : 1))
exit "$status"

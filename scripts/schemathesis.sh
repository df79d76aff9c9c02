#!/usr/bin/env bash
# Fuzzes every operation of the OpenAPI document with schemathesis: as a
# tenant's admin and as super_admin. Fails when an answer is a server error or
# is not as documented, or when too few operations were reached.
#
# Usage: schemathesis.sh [BINARY]
#
# Without a binary, a debug build is made and used. QUIPU_FUZZ_EXAMPLES sets
# the number of random examples per operation, QUIPU_FUZZ_SEED makes a run
# repeatable.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
parts=$repository/scripts/schemathesis
requirements=(schemathesis==4.32.5 openapi-spec-validator==0.9.0)
export QUIPU_FUZZ_SEED=${QUIPU_FUZZ_SEED:-$RANDOM}

if [ $# -gt 1 ]; then
    echo "usage: $0 [BINARY]" >&2
    exit 2
fi

if [ $# -eq 1 ]; then
    quipu=$(realpath "$1")
else
    export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/quipu/target}
    cargo build --locked --manifest-path "$repository/Cargo.toml" -p quipu-server --bin quipu
    quipu=$CARGO_TARGET_DIR/debug/quipu
fi

venv=$(dirname "$("$repository/scripts/python.sh" "${requirements[@]}")")

work=$(mktemp -d "${TMPDIR:-/tmp}/quipu-fuzz.XXXXXX")
pids=()
# A second signal, which make sends on, must not cut the clean-up short.
trap 'trap "" HUP INT TERM; kill "${pids[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

export QUIPU_DATA__DIR=$work/data
# Nobody is there, so that nothing is asked of a channel.
for channel in GRAPH INSTAGRAM TIKTOK VAPI; do
    export "QUIPU_CHANNELS__${channel}_URL=http://127.0.0.1:9"
done
export QUIPU_AUTH__SIGN_INS_PER_MINUTE=100000
export QUIPU_AUTH__LOCKOUT_FAILURES=1000
"$quipu" openapi >openapi.json
"$venv/openapi-spec-validator" openapi.json

# The server itself works on no jobs: one that waits is needed to cancel it.
QUIPU_JOBS__WORKERS=0 "$quipu" serve --bind 127.0.0.1:0 >server.out 2>server.log &
pids+=($!)
for _ in $(seq 300); do
    url=$(sed -n 's/^Quipu is ready at \([^ ]*\).*/\1/p' server.out)
    [ -z "$url" ] || break
    sleep 0.1
done
[ -n "$url" ] || { cat server.out server.log >&2; exit 1; }
password=$(sed -n 's/^One-time password: \([^ ]*\).*/\1/p' server.out)

export QUIPU_FUZZ_STATE=$work/state.json
export PYTHONPATH=$parts
export PYTHONDONTWRITEBYTECODE=1
"$quipu" worker >>worker.log 2>&1 &
worker=$!
pids+=("$worker")
"$venv/python" "$parts/prepare.py" "$url" "$password" "$QUIPU_FUZZ_STATE"
kill "$worker"
wait "$worker"

checks=not_a_server_error,status_code_conformance,content_type_conformance
checks+=,response_schema_conformance,unsupported_method,allow_header_conformance
status=0
for role in admin super_admin; do
    echo "As $role, with the seed $QUIPU_FUZZ_SEED:"
    export QUIPU_FUZZ_ROLE=$role
    export QUIPU_FUZZ_ANSWERS=$work/$role.json
    SCHEMATHESIS_HOOKS=hooks "$venv/schemathesis" --config-file "$parts/schemathesis.toml" \
        run openapi.json --url "$url" \
        --phases examples,coverage,fuzzing \
        --checks "$checks" \
        --max-examples "${QUIPU_FUZZ_EXAMPLES:-50}" --seed "$QUIPU_FUZZ_SEED" \
        --request-timeout 30 --continue-on-failure --no-color \
        --generation-database none --suppress-health-check all || status=1
    "$venv/python" "$parts/report.py" openapi.json "$role" "$QUIPU_FUZZ_ANSWERS" || status=1
done

# What was accepted must also be workable.
"$quipu" worker >>worker.log 2>&1 &
pids+=($!)
"$venv/python" "$parts/drain.py" || status=1

if grep -h 'panicked at\|ERROR' server.log worker.log; then
    echo 'The server or the worker logged errors.'
    status=1
fi
exit "$status"

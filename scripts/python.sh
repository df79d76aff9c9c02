#!/usr/bin/env bash
# Prints the path of a Python that has the given packages, installing them the
# first time into a place of their own.
#
# Usage: python.sh PACKAGE==VERSION...
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [ $# -eq 0 ]; then
    echo "usage: $0 PACKAGE==VERSION..." >&2
    exit 2
fi

# The name holds the versions, so that new ones get an environment of their own.
venv=${XDG_CACHE_HOME:-$HOME/.cache}/quipu/python/$(IFS=_; echo "$*")
if [ ! -e "$venv/complete" ]; then
    "$scripts/ensure.sh" python
    rm -rf "$venv"
    python3 -m venv "$venv" >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >&2
    touch "$venv/complete"
fi
echo "$venv/bin/python"

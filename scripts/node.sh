#!/usr/bin/env bash
# Prints the path of a folder in which Node finds the given packages, installing
# them the first time.
#
# Usage: node.sh PACKAGE@VERSION...
set -euo pipefail
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [ $# -eq 0 ]; then
    echo "usage: $0 PACKAGE@VERSION..." >&2
    exit 2
fi

# The name holds the versions, so that new ones get a folder of their own.
name=$(IFS=_; echo "$*")
folder=${XDG_CACHE_HOME:-$HOME/.cache}/quipu/node/${name//\//+}
if [ ! -e "$folder/complete" ]; then
    "$scripts/ensure.sh" node
    rm -rf "$folder"
    mkdir -p "$folder"
    npm install --prefix "$folder" --silent --no-audit --no-fund "$@" >&2
    touch "$folder/complete"
fi
echo "$folder"

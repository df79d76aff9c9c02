#!/usr/bin/env bash
# Makes sure that a tool is on the machine: installs it where that is possible
# without asking for a password, and otherwise says what to install.
#
# Usage: ensure.sh cc|python|node|ocr|guide|chromium
set -euo pipefail

case "${1:-}" in
cc)
    what='A C compiler with the C library headers'
    packages=(gcc libc6-dev)
    # Finding cc is not enough, since it can be installed without the headers.
    present() { echo '#include <stdio.h>' | cc -E -x c - ; }
    ;;
python)
    what='Python 3 with its venv module'
    packages=(python3 python3-venv)
    # Debian ships venv without ensurepip unless python3-venv is installed.
    present() { python3 -c 'import venv, ensurepip' ; }
    ;;
node)
    what='Node.js 18 or newer with npm'
    packages=(nodejs npm)
    present() { command -v npm && node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' ; }
    ;;
chromium)
    what='The browser that the pages are tried in (Chromium)'
    packages=(chromium)
    present() { command -v chromium ; }
    ;;
guide)
    what='What the examples of the guide are typed with (curl and jq)'
    packages=(curl jq)
    present() { command -v curl && command -v jq ; }
    ;;
ocr)
    what='Text recognition for scanned documents (poppler and tesseract)'
    packages=(poppler-utils tesseract-ocr tesseract-ocr-spa)
    present() { command -v pdftoppm && tesseract --list-langs | grep -qx spa ; }
    # Everything but scans can be read without it.
    optional=yes
    ;;
*)
    echo "usage: $0 cc|python|node|ocr|guide|chromium" >&2
    exit 2
    ;;
esac

if present >/dev/null 2>&1; then
    exit 0
fi

# Standard output belongs to the caller, who may be capturing it.
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "$what is missing; installing ${packages[*]}." >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get update >&2 || true
    apt-get install -y --no-install-recommends "${packages[@]}" >&2 || true
    if present >/dev/null 2>&1; then
        exit 0
    fi
fi

if [ "${optional:-no}" = yes ]; then
    echo "$what was not found; without ${packages[*]} scans are refused with OCR_UNAVAILABLE." >&2
    exit 0
fi

cat >&2 <<MESSAGE
$what is needed and was not found. Install it and run the command again:
  Debian, Ubuntu:  sudo apt-get install ${packages[*]}
  macOS:           xcode-select --install, or brew install for the rest
  elsewhere:       the packages of the same purpose
MESSAGE
exit 1

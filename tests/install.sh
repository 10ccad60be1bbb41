#!/bin/sh
# install.sh build|test: installs the Debian packages that are missing, to build the program, or to build
# and test it with both compilers. Does nothing where all are there.
set -eu
packages='g++ cmake ninja-build pkg-config libboost1.81-dev libboost-json1.81-dev libsqlite3-dev libre2-dev
    libspdlog-dev libfmt-dev libtomlplusplus-dev libcli11-dev doctest-dev'
case ${1:-} in
build) ;;
test) packages="$packages clang libclang-rt-14-dev llvm-14 clang-format clang-tidy ccache python3
    python3-jsonschema procps strace" ;;
*) echo "usage: install.sh build|test" >&2; exit 2 ;;
esac
# Any node from 18 on with npm will do, wherever it comes from.
if ! { node --version && npm --version; } 2>/dev/null | grep -qE '^v(1[89]|[2-9][0-9])\.'; then
    packages="$packages nodejs npm"
fi

missing=
for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || state=none
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing"
root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Not root, and no sudo: install them, then run this again." >&2; exit 1; }
    root=sudo
fi
log=$(mktemp)
# The names are words, split on purpose.
# shellcheck disable=SC2086
if ! { $root apt-get update &&
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >"$log" 2>&1 </dev/null; then
    tail -n 40 "$log" >&2
    rm -f "$log"
    exit 1
fi
rm -f "$log"

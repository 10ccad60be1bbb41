#!/bin/sh
# run.sh [quick] [GROUP...]: builds the release program and the benchmark, and prints every figure
# beside its yardstick, or those of some groups: launch calls starts memory cancel frozen capture
# tail flood. Wants an idle machine with 3 GB of free disk; takes about 5 minutes.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
sh tests/install.sh build
cmake --preset release --log-level=WARNING
cmake --build --preset release --target bgshell bench -j 2
[ -d tests/protocol/node_modules ] || npm --prefix tests/protocol ci --no-progress --loglevel=error
scratch=$(mktemp -d)
# ext4 makes no new file for seconds where many were deleted: each server's directory gets a place of its own.
chattr +T "$scratch" 2>/dev/null || true
# Whatever happens, no disk stays frozen.
clean_up() {
    fsfreeze -u "$scratch/frozen" 2>/dev/null || true
    umount -l "$scratch/frozen" 2>/dev/null || true
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
"$top/build/release/tests/bench/bench" "$top/build/release/bgshell" "$scratch" "$(command -v node)" \
    "$top/tests/protocol/sdk_server.mjs" "$@"

#!/bin/sh
# tidy.sh RUN_CLANG_TIDY SOURCE BUILD: clang-tidy over everything of server/ that the tree BUILD compiles
# (a unity build's files include the sources). Wants a tree configured for clang.
set -eu
said=$(mktemp)
trap 'rm -f "$said"' EXIT
status=0
"$1" -quiet -j 2 -p "$3" "$2/server/.*" "$3/server/.*/Unity/.*" >"$said" 2>&1 || status=$?
files=$(grep -c '^[^ ]*clang-tidy' "$said" || true)
grep -v '^[0-9]* warnings generated' "$said"
echo "files: $files"
# Every layer has at least one.
[ "$status" = 0 ] && [ "$files" -ge 9 ]

#!/bin/sh
# format.sh CLANG_FORMAT TOP: fails on a file that clang-format would change. To mend: CLANG_FORMAT -i FILE.
set -eu
formatter=$1
cd "$2"
find server tests -name build -prune -o \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
    xargs -0 -r "$formatter" --dry-run -Werror

#!/bin/sh
# run.sh [--quick]: installs what is missing, builds, and runs the tests through ctest.
#
# Four trees, about 35 minutes on 2 cores: release (units, process tests, official clients, rules of
# the tree), asan (units, process tests), asan-clang (the same, fuzz targets 60 s each, every header
# alone, clang-tidy) and tsan (units, process tests). --quick: the release build's units and process
# tests.
# Ends with "N passed, N failed" on a line of its own; exit code 0 only if some passed and none failed.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 1
case "${1:-}" in
'' | --quick) ;;
*) echo "usage: run.sh [--quick]" >&2; exit 2 ;;
esac

passed=0
failed=0
broken=  # steps that are no tests and went wrong
summaries=$(mktemp -d) || exit 1
trap 'rm -rf "$summaries"' EXIT
trap 'exit 130' INT TERM

# step NAME SECONDS COMMAND...: runs it, bounded; counts it as failed if it fails.
step() {
    name=$1
    seconds=$2
    shift 2
    printf '\n== %s\n' "$name"
    began=$(date +%s)
    if timeout -k 10 "$seconds" "$@"; then
        echo "== $name: $(($(date +%s) - began)) s"
        return 0
    fi
    echo "== $name: FAILED after $(($(date +%s) - began)) s"
    broken="$broken $name"
    failed=$((failed + 1))
    return 1
}

# tests PRESET SECONDS CTEST-ARGUMENT...: runs tests of a tree and adds up what they say.
tests() {
    preset=$1
    seconds=$2
    shift 2
    printf '\n== ctest %s %s\n' "$preset" "$*"
    report="$summaries/$preset"
    timeout -k 10 "$seconds" ctest --test-dir "build/$preset" --output-on-failure --no-tests=error \
        "$@" </dev/null 2>&1 | tee "$report"
    line=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$report" | tail -n 1)
    if [ -z "$line" ]; then  # cut off, or there was none to run
        broken="$broken ctest-$preset"
        failed=$((failed + 1))
        return
    fi
    bad=$(echo "$line" | sed 's/.*passed, \([0-9]*\) tests failed.*/\1/')
    all=$(echo "$line" | sed 's/.*out of \([0-9]*\).*/\1/')
    failed=$((failed + bad))
    passed=$((passed + all - bad))
}

# build PRESET: the tree build/PRESET.
build() {
    step "configure $1" 120 cmake --preset "$1" --log-level=WARNING &&
        step "build $1" 1500 cmake --build --preset "$1" -j 2
}

# The official clients, as the lock file names them.
clients() {
    stamp=tests/protocol/node_modules/.package-lock.json
    [ -e "$stamp" ] && [ -n "$(find "$stamp" -newer tests/protocol/package-lock.json)" ] &&
        ls tests/protocol/node_modules/node-linux-*/bin/node >/dev/null 2>&1 && return 0
    step "npm ci" 300 npm --prefix tests/protocol ci --no-progress --loglevel=error
}

step install 900 sh tests/install.sh test
if [ "${1:-}" = --quick ]; then
    build release && tests release 280 -L 'unit|process'
else
    clients
    build release && tests release 900 -L 'unit|process|protocol|lint$'
    build asan && tests asan 900 -L 'unit|process'
    build asan-clang && {
        tests asan-clang 900 -L 'unit|process'
        tests asan-clang 900 -j 2 -L fuzz
        tests asan-clang 1800 -L lint-slow
    }
    build tsan && tests tsan 900 -L 'unit|process'
fi

[ -z "$broken" ] || printf '\nwent wrong:%s\n' "$broken"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]

#!/bin/sh
# install_test.sh CMAKE BUILD: what is installed runs from where it lies and brings its papers.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$1" --install "$2" --prefix "$prefix" --component program --strip >"$prefix/log"
"$prefix/bin/bgshell" --version | grep -E '^bgshell [0-9]+\.[0-9]+\.[0-9]+$'
for file in README.md LICENSE examples/claude-code.json examples/codex.toml examples/goose.yaml; do
    [ -s "$prefix/share/doc/bgshell/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

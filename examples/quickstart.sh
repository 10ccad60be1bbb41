#!/bin/sh
# quickstart.sh: installs what is missing, builds bgshell, shows a real session, and prints the settings for
# your MCP client. On Debian 12.
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top"
program=$top/build/release/bgshell

say() { printf '\n==> %s\n' "$*"; }

[ "$(uname -s)" = Linux ] || { echo "bgshell runs on Linux only." >&2; exit 1; }
say "Installing what is missing"
sh tests/install.sh build

say "Building (a few minutes the first time)"
cmake --preset release --log-level=WARNING
cmake --build --preset release --target bgshell -j "$(nproc)"

say "A session with the official MCP client"
[ -d tests/protocol/node_modules/@modelcontextprotocol/sdk ] ||
    npm --prefix tests/protocol ci --omit=optional --no-progress --loglevel=error
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
node examples/session.mjs "$program" "$folder"

# settings CLIENT WHERE FILE: the file with the program's own path.
quoted=$(printf '%s' "$program" | sed 's/[\\&#]/\\&/g')  # for the replacement of sed
settings() {
    printf '\n--- %s: %s\n' "$1" "$2"
    sed -E "s#(command\"?[:=] ?|command = |cmd: )\"?bgshell\"?#\\1\"$quoted\"#" "examples/$3"
}
say "Settings for your client"
settings "Claude Code" ".mcp.json, or: claude mcp add --scope user bgshell -- '$program' mcp" claude-code.json
settings "Cursor" "$HOME/.cursor/mcp.json" cursor.json
settings "VS Code" ".vscode/mcp.json" vscode.json
settings "Codex" "$HOME/.codex/config.toml" codex.toml
settings "Gemini CLI" "$HOME/.gemini/settings.json" gemini-cli.json
settings "Zed" "settings.json" zed.json
settings "Goose" "$HOME/.config/goose/config.yaml" goose.yaml

#!/bin/sh
# Serves the zones of DIR/zones.list (`origin file` a line, files in DIR) on 127.0.0.1:PORT until SIGTERM.
# usage: adapter.sh DIR PORT      SAKER names the program (default: build/saker)
# `adapter.sh keys` says by its exit status that keys.list is not obeyed.
set -eu
[ "$1" != keys ] || exit 1
root=$(cd "$(dirname "$0")/../.." && pwd)
{
	echo "server: {listen: [\"127.0.0.1:$2\"]}"
	echo "zones:"
	# Quoted the way YAML wants it: a backslash of an escaped owner name is doubled.
	awk 'function quote(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }
		NF >= 2 { file = $0; sub(/^[^ ]+ /, "", file); print "  - {name: " quote($1) ", file: " quote(file) "}" }' \
		"$1/zones.list"
} > "$1/saker.yaml"
cd "$1"
exec "${SAKER:-$root/build/saker}" serve -c saker.yaml

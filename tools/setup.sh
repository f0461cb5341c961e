#!/bin/sh
# Installs what groups of tools/packages.txt are still missing, where we have the right to; else says what they are.
# usage: setup.sh GROUP...   (build, test, peers)
set -eu
here=$(dirname "$0")

wanted=$(for group in "$@"; do awk -v group="$group" '$1 == group { print $2 }' "$here/packages.txt"; done)

if ! command -v dpkg-query >/dev/null; then
	echo "setup: this is no Debian; what $* need there is called:" $wanted >&2
	exit 0 # it may all be here under other names: meson will say what is not
fi

missing=$(for package in $wanted; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=none
	[ "$state" = installed ] || echo "$package"
done)
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	root="sudo -n"
else
	echo "setup: please install:" $missing >&2
	exit 1
fi
echo "setup: installing" $missing
$root env DEBIAN_FRONTEND=noninteractive apt-get update -q
$root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing

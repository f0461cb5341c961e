#!/bin/sh
# Fails when mandoc finds a fault in a manual page.
set -eu
cd "$(dirname "$0")/.."

if ! command -v mandoc >/dev/null; then
	echo "man: mandoc is missing (make setup-test installs it)"
	exit 1
fi
# STYLE messages about dates and the order of sections are matters of taste; warnings are not.
mandoc -Tlint -Wwarning docs/man/*.[1-9]
echo "man: ok"

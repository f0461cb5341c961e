#!/bin/sh
# checker.sh - ORIGIN FILE: prints the records of a zone, or exits with 1 and says why. For the external
# kits that judge zone-file parsers. The program is $SAKER, or build/saker of this project.
exec "${SAKER:-"$(dirname "$0")/../../build/saker"}" zone print "$1" "$2"

#!/bin/sh
# Builds the fuzzers with clang and lets each run for some seconds from its corpus; what it finds stops it.
# usage: fuzz.sh SECONDS [TARGET...]
set -eu
cd "$(dirname "$0")/.."
seconds=$1
shift

[ -f build-fuzz/build.ninja ] || CC=clang meson setup build-fuzz -Dfuzz=true -Ddassert=true -Dtests=false \
	-Db_lundef=false -Db_sanitize=address,undefined
ninja -C build-fuzz
[ $# -gt 0 ] || set -- $(ls fuzz/corpus)
for target in "$@"; do
	echo "fuzz: $target for $seconds s"
	mkdir -p "build-fuzz/found/$target"
	"build-fuzz/fuzz/fuzz_$target" -max_total_time="$seconds" -print_final_stats=1 \
		-artifact_prefix="build-fuzz/found/$target-" "build-fuzz/found/$target" "fuzz/corpus/$target"
done

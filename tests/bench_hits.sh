#!/bin/sh
# Instructions (they repeat exactly) and nanoseconds (they do not) for an answer from the resolver's cache.
# usage: bench_hits.sh BENCH_HITS
set -eu
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for mode in plain "do"; do
	"$bench" "$mode"
	if command -v valgrind > /dev/null; then
		for rounds in 1 2; do
			valgrind --tool=callgrind --callgrind-out-file="out.$rounds" "$bench" "$mode" "$rounds" > /dev/null 2>&1
		done
		# The second run answers all queries once more: the difference is theirs alone.
		awk -v name="warm $mode" '/^(summary|totals):/ { n[FILENAME] = $2 } END {
			printf "%-20s %7.1f instructions an answer\n", name, (n["out.2"] - n["out.1"]) / 4096 }' out.1 out.2
	fi
done

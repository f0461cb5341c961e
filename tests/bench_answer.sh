#!/bin/sh
# Instructions an answer (they repeat exactly) and nanoseconds (they do not), on zones made here from a fixed recipe.
# usage: bench_answer.sh BENCH_ANSWER
set -eu
bench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

{
	echo '@ 300 SOA ns host 1 2 3 4 5'
	echo '@ 300 NS ns.host.example.'
	awk 'BEGIN { for (i = 0; i < 100000; i++) { d = sprintf("d%07x", i * 7919 % 268435455)
		printf "%s 300 NS ns1.%s\n%s 300 NS ns2.host%d.example.\nns1.%s 300 A 198.51.100.%d\n", d, d, d, i % 5000, d, i % 250 } }'
} > tld.zone
awk 'BEGIN { for (i = 0; i < 4096; i++) { j = i * 104729 % 100000
	if (i % 5) printf "www.d%07x.tld A\n", j * 7919 % 268435455; else printf "x%07x.tld A\n", j } }' > tld.q
{
	echo '@ 300 SOA ns host 1 2 3 4 5'
	echo '@ 300 NS ns.host.example.'
	# shellcheck disable=SC2016
	echo '$GENERATE 0-65535 $ 300 PTR ip-$.example.com.'
} > reverse.zone
awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%d.arpa PTR\n", i * 104729 % 65536 }' > reverse.q

run() {
	"$bench" "$@"
	if command -v valgrind > /dev/null; then
		for rounds in 1 2; do
			valgrind --tool=callgrind --callgrind-out-file="out.$rounds" "$bench" "$@" "$rounds" > /dev/null 2>&1
		done
		# The second run answers all queries once more: the difference is theirs alone.
		awk -v name="$1 $4" '/^(summary|totals):/ { n[FILENAME] = $2 } END {
			printf "%-20s %7.1f instructions an answer\n", name, (n["out.2"] - n["out.1"]) / 4096 }' out.1 out.2
	fi
}
run tld tld.zone tld.q plain
run tld tld.zone tld.q mixed
run arpa reverse.zone reverse.q plain

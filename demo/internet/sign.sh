#!/bin/sh
# Makes the signed zones of the demo out of the plain ones: NAME.plain -> NAME.zone, and the root's anchor.
# Signatures last until 2090, for nobody is to renew them; wants dnssec-keygen and dnssec-signzone (bind9-utils).
# usage: sign.sh
set -eu
cd "$(dirname "$0")"
here=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp ./*.plain "$work"
cd "$work"

# sign ZONE FILE PARENT-FILE
sign() {
	key=$(dnssec-keygen -q -a ECDSAP256SHA256 -f KSK "$1")
	cat "$key.key" >> "$2.plain"
	dnssec-signzone -q -P -z -s 20260101000000 -e 20900101000000 -O full -o "$1" -f "$2.signed" "$2.plain" "$key" > /dev/null
	# Full form, a record a line; comments say when and where it was signed.
	grep -v '^;' "$2.signed" > "$2.zone"
	[ -z "$3" ] || cat "dsset-$1" >> "$3.plain"
}
sign shop.example. shop.example example
sign broken.example. broken.example example
sign example. example root
sign . root ''
# Somebody has changed an address behind the signature's back.
sed -i 's/192\.0\.2\.66$/192.0.2.99/' broken.example.zone
cp ./*.zone "$here"
sed 's/^\.[[:space:]]*/. /' dsset-. > "$here/anchor"

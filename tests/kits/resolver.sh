#!/bin/sh
# What the resolver kit starts (its README): a configuration from RPL_*, then the server in the foreground.
yn() { [ "$1" = 1 ] && echo true || echo false; }
quote() { for word in "$@"; do printf '"%s", ' "$word"; done; }
{
echo "server: {listen: [\"$([ "$RPL_IP4" = 1 ] && echo "$RPL_LISTEN" || echo "[$RPL_LISTEN]"):$RPL_PORT\"], workers: ${SAKER_WORKERS:-1}}"
echo "log: {level: warning}"
echo "resolver:"
echo "  enabled: true"
echo "  allow: [\"0.0.0.0/0\", \"::/0\"]"
[ -n "$RPL_FORWARD" ] || echo "  root-hints: $RPL_HINTS"
if [ -n "$RPL_ANCHORS" ]; then echo "  trust-anchors: $RPL_ANCHORS"; else echo "  validate: false"; fi
[ -z "$RPL_INSECURE" ] || echo "  negative-trust-anchors: [$(quote $RPL_INSECURE)]"
echo "  qname-minimisation: $(yn $RPL_QMIN)"
echo "  aggressive-nsec: $(yn $RPL_AGGRESSIVE)"
echo "  query-localhost: $(yn $RPL_LOCALHOST)"
echo "  udp-payload: 4096"
echo "  minimal-any: false" # the scenarios expect all of a name's sets
echo "  resolve-special: [test, invalid]"
echo "  source: [$(quote $RPL_LISTEN4 $RPL_LISTEN6)]"
[ -z "$RPL_FORWARD" ] || echo "  forward: [{zone: ., to: [$(quote $RPL_FORWARD)]}]"
echo "  cache: {size: ${SAKER_CACHE:-$([ -n "$RPL_BENCH" ] && echo 200M || echo 8M)}}"
} > saker.yaml
exec ${SAKER:-saker} serve -c saker.yaml

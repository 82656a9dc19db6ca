#!/bin/sh
# Fails unless a released program writes a page that computes and a published folder where there is neither Go nor
# the source: released.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
alone() { env -i HOME="$work" TMPDIR="$work" PATH=/nonexistent "$program" "$@" >/dev/null; }
alone render --live -m dense --text "The cat sat." -o page.html
alone publish site --hosted
for part in page.html site/program/*/atlas.wasm.gz; do
	[ "$(wc -c <"$part")" -gt 1000000 ] || { echo "$program: $part is too small" >&2; exit 1; }
done

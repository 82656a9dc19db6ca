#!/bin/sh
# Builds the last commit in two folders of different names, the second time without anything that was
# built before, and compares the hashes: reproducible.sh [OS/ARCH …]
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- linux/amd64
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
build() { # FOLDER OS/ARCH …
	folder=$work/$1
	shift
	git clone -q --no-checkout . "$folder/src"
	git -C "$folder/src" checkout -q "$commit"
	"$folder/src/tools/release.sh" "$folder/out" "$@" >/dev/null
}
build a "$@"
GOCACHE=$work/cache build a/longer/folder "$@"
cat "$work/a/out/SHA256SUMS" "$work/a/longer/folder/out/SHA256SUMS"
cmp "$work/a/out/SHA256SUMS" "$work/a/longer/folder/out/SHA256SUMS"

#!/bin/sh
# Builds the last commit in two folders of different names, the second time without anything that was
# built before, and compares the hashes.
set -eu
cd "$(dirname "$0")/.."
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
build() { # FOLDER
	git clone -q --no-checkout . "$work/$1/src"
	git -C "$work/$1/src" checkout -q "$commit"
	"$work/$1/src/tools/release.sh" "$work/$1/out" linux/amd64 >/dev/null
}
build a
GOCACHE=$work/cache build a/longer/folder
cat "$work/a/out/SHA256SUMS" "$work/a/longer/folder/out/SHA256SUMS"
cmp "$work/a/out/SHA256SUMS" "$work/a/longer/folder/out/SHA256SUMS"

#!/bin/sh
# Builds the last commit in two folders of different names, one of them with an empty build cache, and
# compares the hashes.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
for folder in a a/longer/folder; do
	git clone -q . "$work/$folder/src"
	GOCACHE=$work/cache-$(basename "$folder") "$work/$folder/src/tools/release.sh" "$work/$folder/out" linux/amd64 >/dev/null
done
cmp "$work/a/out/SHA256SUMS" "$work/a/longer/folder/out/SHA256SUMS"
cat "$work/a/out/SHA256SUMS"

#!/bin/sh
# Builds the last commit as two builders would, in folders of different names, and compares every byte of the
# programs, the wheel and the programs for browsers: reproducible.sh [OS/ARCH …]
# The second builder has nothing that was built before, files of another year, and another home, umask, time zone,
# language, folder of Go and of modules, and flags and experiments of the compiler.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- linux/amd64
commit=$(git rev-parse HEAD)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
python=$PWD/.cache/python/bin/python3
build() { # FOLDER OS/ARCH …
	src=$work/$1/src
	shift
	git clone -q --no-checkout . "$src"
	git -C "$src" checkout -q "$commit"
	[ -z "${WHEN:-}" ] || find "$src" -exec touch -d "$WHEN" {} +
	"$src/tools/release.sh" "$src/dist" "$@" >"$src/../log" || { cat "$src/../log" >&2; return 1; }
	if [ -x "$python" ]; then
		"$src/tools/wheels.sh" "$src/dist" "$python" "$@" >>"$src/../log"
	fi
	(cd "$src" && find dist web/publish/prebuilt -type f -exec sha256sum {} + | sort -k2) >"$src/../sums"
}
build a "$@"
(
	mkdir -p "$work/home/.config/go"
	goroot=$(go env GOROOT) modules=$(go env GOMODCACHE)
	ln -s "$goroot" "$work/compiler"
	ln -s "$modules" "$work/modules"
	printf 'GOAMD64=v3\nGOEXPERIMENT=nogreenteagc\nGOFLAGS=-tags=purego\n' >"$work/home/.config/go/env"
	export HOME="$work/home" USER=somebody LOGNAME=somebody TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 WHEN=2001-02-03
	export PATH="$work/compiler/bin:$PATH" GOROOT="$work/compiler" GOMODCACHE="$work/modules" GOCACHE="$work/cache"
	export GOFLAGS='-buildvcs=false -gcflags=all=-N -ldflags=-X=main.a=b -tags=purego' GOAMD64=v2 GOEXPERIMENT=nogreenteagc
	unset XDG_CONFIG_HOME
	umask 077
	build another/longer-name "$@"
)
cat "$work/a/sums"
diff "$work/a/sums" "$work/another/longer-name/sums"

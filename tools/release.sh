#!/bin/sh
# Builds the programs of a release into a folder: release.sh DIR [OS/ARCH …]
set -eu
cd "$(dirname "$0")/.."
out=$1
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
[ $# -gt 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# Nothing of the builder enters the programs: neither flags, experiments and a workspace, nor the rights of new files.
umask 022
for name in GOPROXY GOSUMDB GOPRIVATE GONOPROXY GONOSUMDB GOCACHE GOMODCACHE; do
	value=$(GOFLAGS='' go env "$name")
	export "$name=$value"
done
unset GOOS GOARCH GOEXPERIMENT GOFIPS140 GO111MODULE
export GOENV=off GOWORK=off GOFLAGS=-mod=readonly CGO_ENABLED=0
go run ./web/publish/prebuild # the programs for browsers, which the tag release embeds
for platform; do
	os=${platform%/*} arch=${platform#*/}
	name=viz-$os-$arch
	[ "$os" = windows ] && name=$name.exe
	GOOS=$os GOARCH=$arch GOAMD64=v1 GOARM64=v8.0 \
		go build -tags release -trimpath -ldflags '-s -w -buildid=' -o "$out/$name" ./cmd/viz
	[ "$os" != linux ] || go run -C tools ./static "$out/$name"
	[ "$platform" != "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" ] || ./tools/released.sh "$out/$name"
done
go run -C tools ./bom -dir .. -out "$out"
cp LICENSE NOTICE "$out"
cd "$out"
sha256sum viz-* LICENSES.txt sbom.cdx.json >SHA256SUMS
cat SHA256SUMS

#!/bin/sh
# Makes wheels of the Python package from the programs of a release: wheels.sh DIR PYTHON
set -eu
cd "$(dirname "$0")/.."
dist=$(cd "$1" && pwd)
python=$2
wheel() { # PROGRAM TAG
	rm -rf python/build
	ATTENTION_ATLAS_PROGRAM=$1 ATTENTION_ATLAS_TAG=$2 "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps -w "$dist/wheels" ./python
}
while read -r platform tag; do
	wheel "$dist/viz-$platform" "$tag"
done <<-END
	linux-amd64 manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64
	linux-arm64 manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64
	darwin-amd64 macosx_12_0_x86_64
	darwin-arm64 macosx_12_0_arm64
	windows-amd64.exe win_amd64
	windows-arm64.exe win_arm64
END
wheel none any
rm -rf python/build
ls "$dist/wheels"

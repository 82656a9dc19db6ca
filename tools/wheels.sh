#!/bin/sh
# Makes wheels of the Python package from the programs of a release, or from those of some platforms:
# wheels.sh DIR PYTHON [OS/ARCH …]
set -eu
cd "$(dirname "$0")/.."
dist=$(cd "$1" && pwd)
python=$2
shift 2
# Neither the day, nor the rights of new files, nor the newest setuptools of that day enters the wheels.
umask 022
chmod -R go=rX python
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
wheel() { # PROGRAM TAG
	rm -rf python/build
	ATTENTION_ATLAS_PROGRAM=$1 ATTENTION_ATLAS_TAG=$2 "$python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps -w "$dist/wheels" ./python
}
while read -r program tag; do
	platform=$(echo "${program%.exe}" | tr - /)
	case " ${*:-$platform} " in *" $platform "*) wheel "$dist/viz-$program" "$tag" ;; esac
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

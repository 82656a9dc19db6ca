"""Puts viz, the program of Attention Atlas, into wheels.

ATTENTION_ATLAS_PROGRAM names a program that was built before, and ATTENTION_ATLAS_TAG the platform that it is for; "none" leaves
it out. Without it, a wheel that is made inside the source tree builds the program with Go, if Go is there.
"""

import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

TREE = Path(__file__).resolve().parents[1]
NAMED = os.environ.get("ATTENTION_ATLAS_PROGRAM")
BUILDS = NAMED is None and (TREE / "cmd" / "viz").is_dir() and shutil.which("go") is not None
HAS_PROGRAM = BUILDS or NAMED not in (None, "none")


class BuildWithProgram(build_py):
    def run(self):
        super().run()
        shutil.rmtree(Path(self.build_lib, "attention_atlas", "bin"), ignore_errors=True)  # of a wheel that was made before
        if not HAS_PROGRAM or self.editable_mode:  # the tree itself builds it when it is first asked
            return
        windows = os.name == "nt" if BUILDS else NAMED.endswith(".exe")
        program = Path(self.build_lib, "attention_atlas", "bin", "viz.exe" if windows else "viz")
        program.parent.mkdir(parents=True, exist_ok=True)
        if BUILDS:
            subprocess.run(
                ["go", "build", "-trimpath", "-ldflags=-s -w", "-o", str(program.resolve()), "./cmd/viz"],
                cwd=TREE, check=True, env={**os.environ, "CGO_ENABLED": "0"},
            )
        else:
            shutil.copy(NAMED, program)
        program.chmod(0o755)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3 of one platform; without a program, of all."""

    def get_tag(self):
        if not HAS_PROGRAM:
            return "py3", "none", "any"
        self.root_is_pure = False
        return "py3", "none", os.environ.get("ATTENTION_ATLAS_TAG") or super().get_tag()[2]


setup(cmdclass={"build_py": BuildWithProgram, "bdist_wheel": PlatformWheel})

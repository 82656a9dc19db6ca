"""Finds a server, or starts one on a free port of this machine, which ends with Python."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_TREE = Path(__file__).resolve().parents[2]
_NAME = "viz.exe" if os.name == "nt" else "viz"


class AtlasError(RuntimeError):
    """The error of a request that the Atlas refuses, or of a missing Atlas."""


def find(url: str | None = None) -> str:
    """Returns the address of a server, with a slash at the end."""
    url = url or os.environ.get("ATTENTION_ATLAS_URL") or _start(_program())
    return url.rstrip("/") + "/"


def _program() -> str:
    """Returns the path of viz: the named one, one in this package or on the PATH, or one built from the source around this package."""
    named = os.environ.get("ATTENTION_ATLAS_VIZ")
    if named:
        return named
    inside = Path(__file__).parent / "bin" / _NAME
    if inside.is_file():
        return str(inside)
    found = shutil.which("viz")
    if found:
        return found
    if (_TREE / "cmd" / "viz").is_dir() and shutil.which("go"):
        return _built()
    raise AtlasError(
        "attention_atlas needs viz, the program of Attention Atlas, and found none: this package was installed without it, and viz is "
        "not on the PATH. Install Go (https://go.dev/dl/), then run in the source tree of Attention Atlas: "
        "pip install --force-reinstall --no-deps ./python. Or set ATTENTION_ATLAS_VIZ to the path of viz, or ATTENTION_ATLAS_URL to "
        "the address of a server."
    )


def _built() -> str:
    """Builds the program from the source around this package. It is removed when Python ends."""
    folder = tempfile.mkdtemp(prefix="attention-atlas-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = str(Path(folder) / _NAME)
    print(f"attention_atlas: building viz in {_TREE} with Go, which takes a minute or two", file=sys.stderr, flush=True)
    try:
        subprocess.run(["go", "build", "-o", program, "./cmd/viz"], cwd=_TREE, check=True)
    except subprocess.CalledProcessError as error:
        raise AtlasError(f"viz could not be built: `go build ./cmd/viz` in {_TREE} ended with status {error.returncode}") from None
    return program


def _start(program: str) -> str:
    """Starts the program and waits until it prints its address."""
    said = tempfile.TemporaryFile()  # nobody has to read it while the program runs
    try:
        process = subprocess.Popen(
            [program, "serve", "--addr", "127.0.0.1:0"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, text=True, encoding="utf-8"
        )
    except OSError as error:
        said.close()
        raise AtlasError(f"{program} cannot be started: {error.strerror}") from None
    atexit.register(_stop, process)
    line = process.stdout.readline()
    address = re.search(r"http://[^ ]+", line)
    if not address:
        process.kill()
        process.wait()
        said.seek(0)
        raise AtlasError(f"{program} did not say where it is: {line or said.read().decode(errors='replace')}")
    return address.group()


def _stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
    process.stdout.close()

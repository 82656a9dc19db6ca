"""Finds a server, or starts one on a free port of this machine, which ends with Python."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

_TREE = Path(__file__).resolve().parents[2]


class AtlasError(RuntimeError):
    """What the atlas refused, or why there is none."""


def find(url=None):
    """The address of a server, with a slash at its end."""
    url = url or os.environ.get("ATTENTION_ATLAS_URL") or _start(_program())
    return url.rstrip("/") + "/"


def _program():
    """The path of viz: as it is named, on the PATH, or built from the tree around this package."""
    named = os.environ.get("ATTENTION_ATLAS_VIZ")
    if named:
        return named
    found = shutil.which("viz")
    if found:
        return found
    if (_TREE / "cmd" / "viz").is_dir() and shutil.which("go"):
        folder = tempfile.mkdtemp(prefix="attention-atlas-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        program = str(Path(folder) / ("viz.exe" if os.name == "nt" else "viz"))
        subprocess.run(["go", "build", "-o", program, "./cmd/viz"], cwd=_TREE, check=True)
        return program
    raise AtlasError(
        "viz, the program of Attention Atlas, is not on the PATH; put it there, name it in ATTENTION_ATLAS_VIZ, "
        "or name a server that runs in ATTENTION_ATLAS_URL"
    )


def _start(program):
    """Starts the program and waits until it says where it is."""
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


def _stop(process):
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
    process.stdout.close()

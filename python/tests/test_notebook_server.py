"""The package as a notebook server finds it: installed, by its entry point."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from urllib.error import URLError
from urllib.request import Request, urlopen

from test_atlas import importable

TREE = pathlib.Path(__file__).resolve().parents[1]


def get(url, **headers):
    with urlopen(Request(url, headers=headers), timeout=60) as answer:
        return answer.headers, answer.read().decode()


@unittest.skipUnless(importable("jupyter_server_proxy") and importable("setuptools"), "NOT CHECKED: jupyter-server-proxy is missing")
class NotebookServer(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        source = self.folder / "source"  # setuptools writes beside what it installs
        subprocess.run(["cp", "-r", str(TREE), str(source)], check=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(self.folder / "site"), str(source)],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def start(self):
        environment = os.environ | {
            "PYTHONPATH": str(self.folder / "site"), "JUPYTER_RUNTIME_DIR": str(self.folder / "run"), "JUPYTER_CONFIG_DIR": str(self.folder / "config"),
            "JUPYTER_DATA_DIR": str(self.folder / "data"), "HOME": str(self.folder), "JUPYTER_ALLOW_INSECURE_WRITES": "1",
        }
        command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--port=0", "--ServerApp.base_url=/user/ada/", f"--ServerApp.root_dir={self.folder}"]
        process = subprocess.Popen(command, env=environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def stop():
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        self.addCleanup(stop)
        end = time.monotonic() + 120
        while time.monotonic() < end and process.poll() is None:
            for file in (self.folder / "run").glob("jpserver-*.json"):
                try:
                    about = json.loads(file.read_text())
                    get(about["url"] + "api", Authorization="token " + about["token"])
                    return about["url"], about["token"]
                except (ValueError, URLError):
                    pass  # it is being written, or does not listen yet
            time.sleep(0.05)
        raise AssertionError("the notebook server does not start")

    def test_a_page_beside_the_notebooks(self):
        url, token = self.start()
        with urlopen(url + "attention-atlas/about", timeout=60) as answer:
            self.assertIn("/user/ada/login", answer.geturl())  # whoever may not see the notebooks may not see this
        headers, page = get(url + "attention-atlas/m/dense?text=the+old+cat", Authorization="token " + token)
        self.assertIn("frame-ancestors 'self'", headers["Content-Security-Policy"])
        self.assertIn("Dense synthesizer", page)
        _, answer = get(url + "attention-atlas/api/v1/attend?text=the+old+cat&m=dense", Authorization="token " + token)
        self.assertEqual(json.loads(answer)["mechanisms"][0]["id"], "dense")


if __name__ == "__main__":
    unittest.main()

"""The package against a server (ATTENTION_ATLAS_URL) and a program (ATTENTION_ATLAS_VIZ)."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from urllib.request import urlopen

import attention_atlas as atlas
from attention_atlas import jupyter, server

TEXT = "The old cat saw the dog."


def importable(name):
    try:
        __import__(name)
    except ImportError:
        if os.environ.get("CI"):
            raise
        return False
    return True


class Answers(unittest.TestCase):
    def test_numbers(self):
        run = atlas.attend(TEXT, "dense")
        self.assertEqual(run.words[:3], ["[CLS]", "The", "old"])
        self.assertEqual(len(run.layers), 2)
        self.assertIn("weights", run.names())

    @unittest.skipUnless(importable("numpy"), "NOT CHECKED: NumPy is missing")
    def test_arrays(self):
        run = atlas.attend(TEXT, "dense")
        n = len(run.words)
        self.assertEqual(run.weights.shape, (2, 4, n, n))
        self.assertLess(abs(run.weights.sum(axis=-1) - 1).max(), 1e-5)
        first = run.layers[0]["maps"][0]
        self.assertEqual(run.map("weights", layer=1)[1, 2, 0], __import__("numpy").float32(first["values"][n * n + 2 * n]))
        self.assertEqual(atlas.attend(TEXT, "dense", layer=2, head="mean").weights.shape[-2:], (n, n))
        self.assertEqual(atlas.attend(TEXT, "fastformer").map("alpha", layer=1).shape, (4, n))
        with self.assertRaisesRegex(KeyError, "has no map 'wieghts' there; it has weights"):
            run.map("wieghts")

    def test_without_numpy(self):
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaisesRegex(ImportError, "pip install numpy"):
            atlas.attend(TEXT, "dense").weights

    def test_refusals_are_the_servers_sentences(self):
        for parameters, says in (({"layer": 99}, "layer"), ({"mechanism": "none"}, "none"), ({"norm": "loud"}, "absolute"), ({"nothing": 1}, "there is no parameter")):
            with self.assertRaisesRegex(atlas.AtlasError, says):
                atlas.attend(TEXT, **parameters)
        with self.assertRaises(atlas.AtlasError):
            atlas.figure(TEXT, "dense", format="../about")
        with self.assertRaisesRegex(atlas.AtlasError, "does not answer"):
            atlas.Atlas("http://127.0.0.1:9").mechanisms()

    def test_mechanisms(self):
        self.assertIn("fastformer", atlas.mechanisms())


class Figures(unittest.TestCase):
    def test_formats(self):
        png, svg = atlas.figure(TEXT, "dense"), atlas.figure(TEXT, "dense", format="svg", theme="dark")
        self.assertTrue(png._repr_png_().startswith(b"\x89PNG") and png._repr_svg_() is None)
        self.assertTrue("<svg" in svg._repr_svg_() and svg._repr_png_() is None)
        self.assertEqual(atlas.figure(TEXT, "dense").data, png.data)

    def test_save(self):
        with tempfile.TemporaryDirectory() as folder:
            path = atlas.figure(TEXT, "dense", format="pdf").save(pathlib.Path(folder) / "dense.pdf")
            self.assertTrue(path.read_bytes().startswith(b"%PDF"))
            self.assertEqual([one.name for one in path.parent.iterdir()], ["dense.pdf"])


@unittest.skipUnless(importable("anywidget"), "NOT CHECKED: anywidget is missing")
class Widgets(unittest.TestCase):
    def test_widget(self):
        shown = atlas.widget(TEXT, "dense", norm="map")
        self.assertEqual((shown.norm, shown.figure["rows"][:2]), ("map", ["[CLS]", "The"]))
        self.assertIn("export default", shown.get_state()["_esm"])
        json.dumps(shown.get_state(["figure", "pin", "norm", "cmap"]))


class Programs(unittest.TestCase):
    def test_started_and_stopped(self):
        code = "import attention_atlas as a; print(a.Atlas().url, len(a.mechanisms()))"
        env = {key: value for key, value in os.environ.items() if key != "ATTENTION_ATLAS_URL"}
        said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
        self.assertEqual(said.returncode, 0, said.stderr)
        url, count = said.stdout.split()
        self.assertGreater(int(count), 20)
        with self.assertRaises(OSError):
            urlopen(url, timeout=5)

    def test_what_cannot_be_started(self):
        with mock.patch.dict(os.environ, {"ATTENTION_ATLAS_VIZ": "/nowhere/viz"}):
            os.environ.pop("ATTENTION_ATLAS_URL", None)
            with self.assertRaisesRegex(atlas.AtlasError, "/nowhere/viz cannot be started"):
                atlas.Atlas()
        with mock.patch.dict(os.environ, {"PATH": ""}), mock.patch.object(server, "_TREE", pathlib.Path("/nowhere")):
            os.environ.pop("ATTENTION_ATLAS_VIZ", None)
            with self.assertRaisesRegex(atlas.AtlasError, "ATTENTION_ATLAS_VIZ"):
                server._program()

    def test_behind_a_notebook_server(self):
        """viz, started as jupyter-server-proxy starts it, answers at its socket."""
        with tempfile.TemporaryDirectory() as folder:
            socket = str(pathlib.Path(folder) / "viz.sock")
            how = jupyter.setup()
            command = [part.format(unix_socket=socket, base_url="/user/ada/", port=0) for part in how["command"]]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
                self.assertIn(socket, process.stdout.readline())
                import http.client
                import socket as sockets

                for path in ("/about", "/user/ada/attention-atlas/about"):
                    connection = http.client.HTTPConnection("hub.example.org")
                    connection.sock = sockets.socket(sockets.AF_UNIX)
                    connection.sock.connect(socket)
                    connection.request("GET", path)
                    answer = connection.getresponse()
                    self.assertEqual(answer.status, 200)
                    self.assertIn("frame-ancestors 'self'", answer.headers["Content-Security-Policy"])
                    connection.close()
                process.terminate()
            self.assertTrue(how["unix_socket"])


if __name__ == "__main__":
    unittest.main()

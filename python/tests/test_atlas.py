"""The package against a server (ATTENTION_ATLAS_URL) and a program (ATTENTION_ATLAS_VIZ)."""

import importlib.util
import inspect
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock
from urllib.request import Request, urlopen

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

    def test_match(self):
        found = atlas.match(TEXT, ["I like bread.", TEXT], "dot-product")
        self.assertEqual((found["ranking"], found["chosen"]), ([2, 1], 2))
        self.assertAlmostEqual(sum(map(sum, found["cells"])), found["passages"][1]["score"], 6)

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

    @unittest.skipUnless(importable("numpy"), "NOT CHECKED: NumPy is missing")
    def test_attention(self):
        numpy, run = __import__("numpy"), atlas.attend(TEXT, "dense")
        streamed = atlas.attention(TEXT, "dense")
        self.assertEqual((streamed.words, streamed.heads), (run.words, [1, 2, 3, 4]))
        self.assertTrue((streamed.stack() == run.weights).all())
        (layer,) = atlas.attention(TEXT, "dense", layers=[2], heads=[3, 1], rows=[4], top=2)
        self.assertEqual((layer.layer, layer.weights.shape, layer.rest.shape), (2, (2, 1, 2), (2, 1)))
        self.assertTrue((layer.weights == numpy.take_along_axis(run.weights[1, [2, 0], 3:4], layer.keys, axis=2)).all())
        self.assertLess(abs(layer.weights.sum(axis=-1) + layer.rest - 1).max(), 1e-5)
        with self.assertRaisesRegex(atlas.AtlasError, "layers has 9"):
            atlas.attention(TEXT, "dense", layers=[9])

    @unittest.skipUnless(importable("numpy"), "NOT CHECKED: NumPy is missing")
    def test_attention_of_decoder(self):
        numpy = __import__("numpy")
        asked = dict(model="encoder-decoder", decoder_text="dog cat")
        layers = list(atlas.attention("the cat saw the dog", **asked))
        cross = atlas.attention("the cat saw the dog", **asked, attentions=["cross_attentions"])
        self.assertEqual([len(cross.decoder_tokens), cross.heads, cross.decoder_rows], [3, [], [1, 2, 3]])
        self.assertEqual(cross.stack().shape[2:], (3, len(cross.tokens)))
        both = atlas.attention("the cat saw the dog", **asked, half=True).stack("cross_attentions")
        last = [layer for layer in layers if layer.attentions == "cross_attentions"][-1]
        self.assertEqual((both.dtype, layers[0].attentions), (numpy.float16, "encoder_attentions"))
        self.assertTrue((both[-1] == last.weights.astype(numpy.float16)).all())
        with self.assertRaisesRegex(ValueError, "name one"):
            atlas.attention("the cat saw the dog", **asked).stack()
        ids = numpy.array([token for token in (2, 300, 301, 3)])
        self.assertEqual(atlas.attention(ids=ids, model="bert", token_type_ids=[0, 0, 1, 1]).stack().shape[-1], 4)
        with self.assertRaisesRegex(atlas.AtlasError, "one for each id"):
            atlas.attention(ids=[2, 3], model="bert", token_type_ids=[0])

    @unittest.skipUnless(importable("numpy"), "NOT CHECKED: NumPy is missing")
    def test_attention_files(self):
        numpy = __import__("numpy")
        want = atlas.attention(TEXT, "dense").stack()
        for half in (False, True):
            for form in ("npz", "npy"):
                body = json.dumps({"model": "dense", "text": TEXT, "format": form, "half": half, "stream": True}).encode()
                request = Request(os.environ["ATTENTION_ATLAS_URL"] + "/api/v1/attention", body, {"Content-Type": "application/json"})
                with urlopen(request) as answer:
                    file = numpy.load(io.BytesIO(answer.read()))
                got = file if form == "npy" else numpy.stack([file[f"layer{i + 1}"] for i in range(len(want))])
                self.assertEqual(got.dtype, numpy.float16 if half else numpy.float32)
                self.assertTrue((got == want.astype(got.dtype)).all())

    def test_broken_stream(self):
        broken = atlas.Attention(io.BytesIO(b'{"tokens": [], "heads": [1], "rows": []}\n{"status": 503, "detail": "The server is stopping."}\n'))
        with self.assertRaisesRegex(atlas.AtlasError, "stopping"):
            next(broken._lines)
        for part in (b"", b'{"tokens": [], "heads": [1], "rows": []}\n{"lay'):
            with self.assertRaisesRegex(atlas.AtlasError, "connection ended"):
                list(atlas.Attention(io.BytesIO(part))._lines)

    def test_several(self):
        texts = atlas.attend([TEXT, "hi there"], "dense")
        self.assertEqual([len(run.words) for run in texts], [len(atlas.attend(one, "dense").words) for one in (TEXT, "hi there")])
        self.assertEqual([run.mechanism for run in atlas.attend(TEXT, ["dense", "random"])], ["dense", "random"])
        self.assertEqual(atlas.attend(TEXT, model="bert").mechanism, "bert")
        with self.assertRaisesRegex(TypeError, "not both"):
            atlas.attend(TEXT, "dense", model="bert")
        for wrong in (([TEXT], ["dense", "random"]), (3, "dense"), ([], "dense"), (TEXT, None), (b"hi", "dense"), (["hi", 4], "dense")):
            with self.assertRaises(TypeError):
                atlas.attend(*wrong)
        for ask in (atlas.figure, atlas.widget):
            with self.assertRaisesRegex(TypeError, "make a figure for each"):
                ask([TEXT, "hi"], "dense")

    def test_named_parameters(self):
        for of in (atlas.attend, atlas.figure, atlas.widget):
            self.assertIn("head", inspect.signature(of).parameters)
            self.assertGreater(len(of.__doc__), 80)
        self.assertTrue((pathlib.Path(atlas.__file__).parent / "py.typed").is_file())

    @unittest.skipUnless(importable("pandas"), "NOT CHECKED: pandas is missing")
    def test_tables(self):
        run = atlas.attend("the cat and the dog", "dense")
        table = run.to_dataframe(layer=2, head=3)
        self.assertEqual((list(table.index), list(table.columns)), (run.words, run.words))
        self.assertEqual(table.iloc[1, 2], run.weights[1, 2, 1, 2])
        self.assertAlmostEqual(run.to_dataframe().iloc[1, 2], run.weights[0, :, 1, 2].mean(), 6)
        self.assertEqual(atlas.attend(TEXT, "fastformer").to_dataframe("alpha").shape[0], 1)
        masked = atlas.attend("the cat sat", "dense", mask="causal").to_dataframe()
        self.assertTrue(masked.isna().iloc[0, 1] and not masked.isna().iloc[1, 0])
        with self.assertRaisesRegex(ValueError, "from 1 to 4"):
            run.to_dataframe(head=9)

    def test_main_map(self):
        for id in atlas.mechanisms()[:30]:
            try:
                run = atlas.attend(TEXT, id)
            except atlas.AtlasError:
                continue
            self.assertIn(run.main, list(run))

    @unittest.skipUnless(importable("xarray"), "NOT CHECKED: xarray is missing")
    def test_labelled_arrays(self):
        run = atlas.attend(TEXT, "dense")
        labelled = run.to_xarray()
        self.assertEqual(labelled.dims[:2], ("layer", "head"))
        self.assertEqual(list(labelled.coords[labelled.dims[-1]].values), run.words)
        self.assertEqual(float(labelled.sel(layer=2)[1, 2, 3]), run.weights[1, 1, 2, 3])

    @unittest.skipUnless(importable("matplotlib"), "NOT CHECKED: matplotlib is missing")
    def test_plots(self):
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot as pyplot

        run = atlas.attend(TEXT, "dense")
        axes = pyplot.subplots()[1]
        self.assertIs(run.plot(ax=axes, head=2, cmap="Reds"), axes)
        self.assertEqual([one.get_text() for one in axes.get_xticklabels()], run.words)
        self.assertEqual(axes.get_images()[0].get_array()[3, 2], run.weights[0, 1, 3, 2])
        drawn = atlas.show_heatmaps(run.weights, "Keys", "Queries", titles=["1", "2", "3", "4"], figsize=(5, 3), cmap="Blues")
        self.assertEqual(len(drawn.axes), 2 * 4 + 1)
        self.assertEqual(drawn.axes[4].get_xlabel() + drawn.axes[4].get_ylabel() + drawn.axes[3].get_title(), "KeysQueries4")
        pyplot.close("all")

    def test_without_numpy(self):
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaisesRegex(ImportError, "pip install numpy"):
            atlas.attend(TEXT, "dense").weights

    def test_refusals_are_the_servers_sentences(self):
        for parameters, says in (({"layer": 99}, "layer"), ({"mechanism": "none"}, "none"), ({"norm": "loud"}, "absolute"), ({"nothing": 1}, "unknown parameter")):
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
        pdf, page = atlas.figure(TEXT, "dense", format="pdf"), atlas.figure(TEXT, "dense", format="html")
        self.assertIn("data:application/pdf;base64,", pdf._repr_html_())
        self.assertIn("&lt;svg", page._repr_html_())

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


@unittest.skipUnless(importable("nbconvert") and importable("ipykernel") and importable("matplotlib") and importable("pandas"), "NOT CHECKED: nbconvert, ipykernel, matplotlib or pandas is missing")
class Notebooks(unittest.TestCase):
    def test_example(self):
        """The example runs from end to end, and its widget stands as a picture in HTML."""
        import nbconvert
        import nbformat
        from nbconvert.preprocessors import ExecutePreprocessor

        notebook = nbformat.read(pathlib.Path(__file__).parents[1] / "examples" / "attention.ipynb", as_version=4)
        path = os.pathsep.join([str(pathlib.Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        with mock.patch.dict(os.environ, {"PYTHONPATH": path}):
            ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(notebook)
        page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
        pictures = re.findall(r'<img[^>]*class="attention-atlas-still"[^>]*>', page)
        self.assertTrue(len(pictures) == 1 and 'src="data:image/png;base64,iVBOR' in pictures[0], pictures)


@unittest.skipUnless(all(map(importlib.util.find_spec, ["torch", "transformers"])), "NOT CHECKED: torch or transformers is missing")
class Checks(unittest.TestCase):
    def test_transformers(self):
        """The example finds the numbers of transformers in viz."""
        python = pathlib.Path(__file__).parents[1]
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "sat", "on", "mat", ".", "a"]
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "model")
            shutil.copytree(python.parent / "engine/huggingface/testdata/bert-next", model)
            model.joinpath("vocab.txt").write_text("\n".join(words))
            pathlib.Path(folder, "viz").symlink_to(server._program())
            with mock.patch.dict(os.environ, {"PATH": os.pathsep.join([folder, os.environ["PATH"]])}):
                said = subprocess.run([sys.executable, python / "examples/check_transformers.py", model], capture_output=True, text=True, timeout=300)
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertLess(float(said.stdout), 1e-5)


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
            with self.assertRaisesRegex(atlas.AtlasError, "pip install .* ./python. Or set ATTENTION_ATLAS_VIZ"):
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

"""Results of the Atlas: answers and figures."""

from __future__ import annotations

import base64
import html
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Literal, Union

if TYPE_CHECKING:
    import matplotlib.axes
    import numpy
    import pandas
    import xarray

Head = Union[int, Literal["mean", "auto"]]


def _module(name: str, purpose: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        shown = {"numpy": "NumPy"}.get(name, name)
        raise ImportError(f"{purpose} need {shown}: pip install {name}; without it, Answer.layers has all numbers as lists") from None


class Answer:
    """The maps that one mechanism computed for a text.

    words   the tokens of the text, in the order of rows and columns
    layers  the layers in the form of GET /api/v1/attend: number, maps with name, axes, shape and flat values

    ``run["alpha"]`` is a map of all layers as an array, ``list(run)`` the names of all maps.
    """

    def __init__(self, body: dict[str, Any], mechanism: dict[str, Any]) -> None:
        self.tokens: list[dict[str, Any]] = body["tokens"]
        self.mechanism: str = mechanism["id"]
        self.layers: list[dict[str, Any]] = mechanism["layers"]

    @property
    def words(self) -> list[str]:
        return [token.get("text") or token["piece"] for token in self.tokens]

    def names(self) -> list[str]:
        """Returns the names of all maps, in order."""
        return list(dict.fromkeys(one["name"] for layer in self.layers for one in layer["maps"]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __getitem__(self, name: str) -> numpy.ndarray:
        return self.map(name)

    @property
    def main(self) -> str:
        """The name of the main map: the attention weights, or the map that the mechanism has instead."""
        names = self.names()
        if "weights" in names:
            return "weights"
        probabilities = [one["name"] for layer in self.layers for one in layer["maps"] if one.get("kind") == "probability"]
        return (probabilities or names)[0]

    def _maps(self, name: str, layer: int | None) -> list[dict[str, Any]]:
        found = [one for of in self.layers if layer in (None, of["layer"]) for one in of["maps"] if one["name"] == name]
        if not found:
            raise KeyError(f"{self.mechanism} has no map {name!r} there; it has {', '.join(self.names())} in {len(self.layers)} layers")
        return found

    def map(self, name: str | None = None, layer: int | None = None) -> numpy.ndarray:
        """Returns a map as a NumPy array. The default is the main map.

        layer counts from 1. Without it, the maps of all layers are stacked, and must have the same shape.
        """
        numpy = _module("numpy", "arrays")
        arrays = [numpy.array(one["values"], dtype=numpy.float32).reshape(one["shape"]) for one in self._maps(name or self.main, layer)]
        return arrays[0] if layer is not None else numpy.stack(arrays)

    @property
    def weights(self) -> numpy.ndarray:
        """The attention weights: layers × heads × tokens × tokens. Some mechanisms do not have them; see main."""
        return self.map("weights")

    def plane(self, name: str | None = None, layer: int = 1, head: Head = "mean") -> tuple[numpy.ndarray, list[str]]:
        """Returns one map of one layer for one head, and the names of its axes. Heads count from 1; "mean" averages all heads.

        Cells that were not computed are NaN: the mask forbids them, or the mechanism cannot reach them.
        """
        one = self._maps(name or self.main, layer)[0]
        array, axes = self.map(name, layer), list(one["axes"])
        if axes[0] == "head":
            if head != "mean" and not (isinstance(head, int) and 1 <= head <= len(array)):
                raise ValueError(f"head must be 'mean' or a number from 1 to {len(array)}, not {head!r}")
            array, axes = array.mean(axis=0) if head == "mean" else array[int(head) - 1], axes[1:]
        if one.get("reach"):
            reach = _module("numpy", "arrays").array(list(one["reach"])).reshape(array.shape[-2:])
            array = _module("numpy", "arrays").where(reach == "0", float("nan"), array)
        return array, axes

    def _labels(self, axis: str, count: int) -> list[str]:
        """Returns the words for an axis of words, else numbers from 1. Repeated words are not changed."""
        if count == len(self.words) and axis not in ("head", "round", "stage", "layer", "feature"):
            return self.words
        return [str(i + 1) for i in range(count)]

    def to_dataframe(self, name: str | None = None, layer: int = 1, head: Head = "mean") -> pandas.DataFrame:
        """Returns one map of one layer as a table whose rows and columns are labelled with the words."""
        pandas = _module("pandas", "tables")
        array, axes = self.plane(name, layer, head)
        if array.ndim == 1:
            array, axes = array[None, :], [name or self.main, *axes]
        if array.ndim != 2:
            raise ValueError(f"the map {name or self.main!r} has the axes {', '.join(axes)}; a table has two. Use map() or to_xarray()")
        rows = [axes[0]] if len(array) == 1 else self._labels(axes[0], array.shape[0])
        table = pandas.DataFrame(array, index=rows, columns=self._labels(axes[1], array.shape[1]))
        return table.rename_axis(index=axes[0], columns=axes[1])

    def to_xarray(self, name: str | None = None) -> xarray.DataArray:
        """Returns a map of all layers with named axes. Axes of words have the words as coordinates."""
        xarray, name = _module("xarray", "labelled arrays"), name or self.main
        array, axes = self.map(name), ["layer", *self._maps(name, None)[0]["axes"]]
        dims = [axis if axes.index(axis) == i else f"{axis}_{i}" for i, axis in enumerate(axes)]
        coords = {dim: self._labels(axis, count) for dim, axis, count in zip(dims, axes, array.shape) if axis not in ("layer", "head")}
        coords["layer"] = [layer["layer"] for layer in self.layers if any(one["name"] == name for one in layer["maps"])]
        return xarray.DataArray(array, dims=dims, coords=coords, name=name, attrs={"mechanism": self.mechanism})

    def plot(
        self, name: str | None = None, layer: int = 1, head: Head = "mean", ax: matplotlib.axes.Axes | None = None, **imshow: Any
    ) -> matplotlib.axes.Axes:
        """Draws one map of one layer with matplotlib, and returns the axes. It passes further arguments to Axes.imshow."""
        _module("matplotlib", "plots")
        import matplotlib.pyplot as pyplot

        table = self.to_dataframe(name, layer, head)
        if ax is None:
            ax = pyplot.gca()
        image = ax.imshow(table.to_numpy(), **{"cmap": "Greys", "vmin": min(0.0, float(table.min().min())), **imshow})
        ax.set_xticks(range(table.shape[1]), list(table.columns), rotation=90)
        ax.set_yticks(range(table.shape[0]), list(table.index))
        ax.set(xlabel=table.columns.name, ylabel=table.index.name, title=f"{self.mechanism}, layer {layer}, {_said(head)}")
        ax.figure.colorbar(image, ax=ax)
        return ax

    def __repr__(self) -> str:
        return f"Answer({self.mechanism}: {len(self.words)} words, {len(self.layers)} layers, {', '.join(self.names())})"


def _said(head: Head) -> str:
    return "mean of heads" if head == "mean" else f"head {head}"


def show_heatmaps(
    matrices: Any, xlabel: str, ylabel: str, titles: list[str] | None = None, figsize: tuple[float, float] = (2.5, 2.5), cmap: str = "Reds"
) -> Any:
    """Draws matrices of the shape rows × columns × queries × keys side by side, like show_heatmaps of the book Dive into Deep Learning (section 11.1).

    Returns the matplotlib figure.
    """
    _module("matplotlib", "plots")
    import matplotlib.pyplot as pyplot

    numpy = _module("numpy", "arrays")
    matrices = numpy.asarray(matrices)
    if matrices.ndim != 4:
        raise ValueError(f"matrices must have four axes (rows, columns, queries, keys), not the shape {matrices.shape}")
    rows, columns = matrices.shape[:2]
    figure, axes = pyplot.subplots(rows, columns, figsize=figsize, sharex=True, sharey=True, squeeze=False)
    image = None
    for i in range(rows):
        for j in range(columns):
            image = axes[i, j].imshow(matrices[i, j], cmap=cmap)
            if i == rows - 1:
                axes[i, j].set_xlabel(xlabel)
            if j == 0:
                axes[i, j].set_ylabel(ylabel)
            if titles:
                axes[i, j].set_title(titles[j])
    figure.colorbar(image, ax=axes, shrink=0.6)
    return figure


class Figure:
    """A figure as a file. Notebooks display it."""

    def __init__(self, data: bytes, format: str) -> None:
        self.data, self.format = data, format

    def save(self, path: str | Path) -> Path:
        """Writes the file completely, or not at all if an error occurs."""
        path = Path(path)
        part = path.with_name(path.name + ".part")
        part.write_bytes(self.data)
        part.replace(path)
        return path

    def _repr_png_(self) -> bytes | None:
        return self.data if self.format == "png" else None

    def _repr_svg_(self) -> str | None:
        return self.data.decode() if self.format == "svg" else None

    def _repr_pdf_(self) -> bytes | None:
        return self.data if self.format == "pdf" else None

    def _repr_html_(self) -> str | None:
        style = 'style="width: 100%; height: 36rem; border: 0" title="Attention map"'
        if self.format == "html":
            return f'<iframe {style} sandbox="allow-scripts" srcdoc="{html.escape(self.data.decode())}"></iframe>'
        if self.format == "pdf":
            return f'<iframe {style} src="data:application/pdf;base64,{base64.b64encode(self.data).decode()}"></iframe>'
        return None

    def __repr__(self) -> str:
        return f"Figure({self.format}, {len(self.data)} bytes)"

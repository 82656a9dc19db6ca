"""What the atlas answers with."""

from pathlib import Path


def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("arrays need NumPy: pip install numpy; without it, Answer.layers has all numbers as lists") from None
    return numpy


class Answer:
    """What one mechanism did with a text.

    words   the words and pieces of the text, as rows and columns have them
    layers  as GET /api/v1/attend has them: number, maps with name, axes, shape and flat values
    """

    def __init__(self, body, mechanism):
        self.tokens = body["tokens"]
        self.mechanism = mechanism["id"]
        self.layers = mechanism["layers"]

    @property
    def words(self):
        return [token.get("text") or token["piece"] for token in self.tokens]

    def names(self):
        """The names of all maps, in their order."""
        return list(dict.fromkeys(one["name"] for layer in self.layers for one in layer["maps"]))

    def map(self, name, layer=None):
        """A map as a NumPy array; of all layers, which have to be alike, unless one is named, from 1."""
        numpy = _numpy()
        arrays = [
            numpy.array(one["values"], dtype=numpy.float32).reshape(one["shape"])
            for of in self.layers
            if layer in (None, of["layer"])
            for one in of["maps"]
            if one["name"] == name
        ]
        if not arrays:
            raise KeyError(f"{self.mechanism} has no map {name!r} there; it has {', '.join(self.names())} in {len(self.layers)} layers")
        return arrays[0] if layer is not None else numpy.stack(arrays)

    @property
    def weights(self):
        """The probabilities that multiply the values: layers × heads × words × words."""
        return self.map("weights")

    def __repr__(self):
        return f"Answer({self.mechanism}: {len(self.words)} words, {len(self.layers)} layers, {', '.join(self.names())})"


class Figure:
    """A figure as a file, which notebooks show."""

    def __init__(self, data, format):
        self.data, self.format = data, format

    def save(self, path):
        """Writes the file, complete or not at all."""
        path = Path(path)
        part = path.with_name(path.name + ".part")
        part.write_bytes(self.data)
        part.replace(path)
        return path

    def _repr_png_(self):
        return self.data if self.format == "png" else None

    def _repr_svg_(self):
        return self.data.decode() if self.format == "svg" else None

    def _repr_html_(self):
        return None

    def __repr__(self):
        return f"Figure({self.format}, {len(self.data)} bytes)"

"""Attention weights of a model, layer by layer."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, BinaryIO, Iterator, NamedTuple

from .answer import _module
from .server import AtlasError

if TYPE_CHECKING:
    import numpy

_ENDED = "The connection ended before the end of the answer. The server waits about 10 s for a client: read the layers first, then work with them."


class AttentionLayer(NamedTuple):
    """The requested rows of one layer, as NumPy arrays.

    layer       number of the layer, from 1
    weights     heads × rows × tokens; with top: the largest of each row, in descending order
    keys        with top: indexes of the tokens that these weights are for, from 0, in the same shape
    rest        with top: heads × rows, the sum of the other weights of each row
    attentions  of an encoder–decoder: "encoder_attentions", "decoder_attentions" or "cross_attentions"
    """

    layer: int
    weights: numpy.ndarray
    keys: numpy.ndarray | None = None
    rest: numpy.ndarray | None = None
    attentions: str | None = None


class Attention:
    """The attention weights of a model for a text. Iterate over it once: each AttentionLayer arrives when the model has computed it.

    tokens  in the form of POST /api/v1/attention
    heads   numbers of the heads in the arrays, from 1; rows: numbers of the rows
    decoder_tokens, decoder_heads, decoder_rows  likewise, of the decoder
    """

    def __init__(self, answer: BinaryIO, half: bool = False) -> None:
        self._lines, self._type = _lines(answer), "float16" if half else "float32"
        head = next(self._lines, None)
        if head is None:
            raise AtlasError(_ENDED)
        self.tokens: list[dict[str, Any]] = head["tokens"]
        self.heads: list[int] = head.get("heads", [])
        self.rows: list[int] = head.get("rows", [])
        self.decoder_tokens: list[dict[str, Any]] = head.get("decoder_tokens", [])
        self.decoder_heads: list[int] = head.get("decoder_heads", [])
        self.decoder_rows: list[int] = head.get("decoder_rows", [])

    @property
    def words(self) -> list[str]:
        return [token.get("text") or token["piece"] for token in self.tokens]

    def __iter__(self) -> Iterator[AttentionLayer]:
        numpy = _module("numpy", "arrays")
        for line in self._lines:
            keys = rest = None
            weights = numpy.array(line["weights"], dtype=self._type).reshape(line["shape"])
            if "keys" in line:
                keys = numpy.array(line["keys"], dtype=numpy.int32).reshape(line["shape"]) - 1
                rest = numpy.array(line["rest"], dtype=self._type).reshape(line["shape"][:2])
            yield AttentionLayer(line["layer"], weights, keys, rest, line.get("attentions"))

    def stack(self, attentions: str | None = None) -> numpy.ndarray:
        """Returns the weights of all layers: layers × heads × rows × tokens. Of an encoder–decoder whose decoder runs,
        it returns one list, such as "cross_attentions"."""
        layers = [layer for layer in self if attentions in (None, layer.attentions)]
        lists = sorted({layer.attentions or "" for layer in layers})
        if len(lists) != 1:
            raise ValueError(f"stack takes one list of attentions, not {lists}: name one, such as stack('cross_attentions')")
        return _module("numpy", "arrays").stack([layer.weights for layer in layers])


def _lines(answer: BinaryIO) -> Iterator[dict[str, Any]]:
    """Yields the objects of an answer in lines, and closes it at the end. An error of the server, or the end of the
    connection within the answer, is raised as an AtlasError."""
    with answer:
        while True:
            try:
                line = answer.readline()
                one = json.loads(line) if line else None
            except (OSError, HTTPException, ValueError) as error:
                raise AtlasError(_ENDED) from error
            if one is None:
                return
            if "detail" in one:
                raise AtlasError(one["detail"])
            yield one

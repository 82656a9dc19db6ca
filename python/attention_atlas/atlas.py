"""The Atlas class: the requests that a server answers."""

from __future__ import annotations

import json
from typing import Any, Literal, Sequence, Union, overload
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from .answer import Answer, Figure, Head
from .stream import Attention
from .server import AtlasError, find

_open = build_opener(ProxyHandler({})).open  # this machine is asked directly

Parameter = Union[str, int, float, bool, None, Sequence[Union[str, int]]]
Format = Literal["png", "svg", "pdf", "tex.zip", "html", "csv", "npy", "npz", "json"]
Norm = Literal["absolute", "map", "row", "log", "uniform", "shared"]
Palette = Literal["cividis", "viridis", "magma", "greys", "ink"]
Theme = Literal["auto", "light", "dark"]
Mask = Literal["none", "causal"]
Preset = Literal["slide", "half-slide", "column", "text", "square", "a1"]


class Atlas:
    """Attention Atlas at an address. Without an address, it is the server at ATTENTION_ATLAS_URL, or a program that is started on this machine."""

    def __init__(self, url: str | None = None) -> None:
        self.url = find(url)

    @overload
    def attend(self, text: str, mechanism: str = ..., **parameters: Any) -> Answer: ...

    @overload
    def attend(self, text: Sequence[str], mechanism: str = ..., **parameters: Any) -> list[Answer]: ...

    @overload
    def attend(self, text: str, mechanism: Sequence[str], **parameters: Any) -> list[Answer]: ...

    def attend(
        self,
        text: str | Sequence[str],
        mechanism: str | Sequence[str] = "dot-product",
        *,
        model: str | Sequence[str] | None = None,
        layer: int | None = None,
        head: Head | None = None,
        show: str | None = None,
        mask: Mask | None = None,
        cut: str | Sequence[str] | None = None,
        task: str | None = None,
        after: int | None = None,
        map: str | Sequence[str] | None = None,
        **more: Parameter,
    ) -> Answer | list[Answer]:
        """Computes the maps of a mechanism or a model for a text, and returns an Answer.

        For several texts, or several mechanisms, it returns a list of Answers in the same order. Several of both raise a TypeError.

        model  instead of a mechanism: an architecture, or a model of the transformers library on the server
        layer  from 1; None: all
        head   from 1, "mean" or "auto" (the most distinctive); None: all heads
        show   the measure to compute instead of the maps: "influence", "rollout", "flow", "value-zeroing" or "norm"
        mask   "causal": words attend only to themselves and to earlier words
        cut    words, cells or heads to ablate in the forward pass: "word:5,cell:4.7,head:2.3"
        task   of the encoder–decoder
        after  number of training steps of the recorded model to use
        map    names of maps; None: all
        more   any other parameter of the address of a page, such as {"dense.head": 3}
        """
        looks = dict(layer=layer, head=head, show=show, mask=mask, cut=cut, task=task, after=after, map=map, **more)
        if model is not None:
            if mechanism != "dot-product":
                raise TypeError("attend takes a mechanism or a model, not both: both are ids of models on the server")
            mechanism = model
        texts, mechanisms = _several(text, "text"), _several(mechanism, "mechanism")
        if texts is not None and mechanisms is not None:
            raise TypeError("attend takes several texts or several mechanisms, not both: call it once for each mechanism")
        if texts is not None:
            return [self._attend(one, str(mechanism), looks) for one in texts]
        if mechanisms is not None:
            return [self._attend(str(text), one, looks) for one in mechanisms]
        return self._attend(str(text), str(mechanism), looks)

    def _attend(self, text: str, mechanism: str, looks: dict[str, Parameter]) -> Answer:
        body = json.loads(self.ask("api/v1/attend", text=text, m=mechanism, **looks))
        return Answer(body, body["mechanisms"][0])

    def attention(
        self,
        text: str | None = None,
        model: str = "dot-product",
        *,
        ids: Sequence[int] | None = None,
        token_type_ids: Sequence[int] | None = None,
        decoder_text: str | None = None,
        decoder_input_ids: Sequence[int] | None = None,
        attentions: Sequence[str] | None = None,
        layers: Sequence[int] | None = None,
        heads: Sequence[int] | None = None,
        rows: Sequence[int] | None = None,
        top: int | None = None,
        half: bool = False,
    ) -> Attention:
        """Streams the attention weights of a model, and returns an Attention: iterate over it for a layer at a time.

        model   a mechanism, an architecture, or a model of the transformers library on the server
        ids     token ids instead of a text, including special tokens; token_type_ids: their types, such as 0 and 1 for a pair
        decoder_text, decoder_input_ids  what the decoder of an encoder–decoder reads; None: only the encoder runs
        attentions  of an encoder–decoder: lists such as ["cross_attentions"]; None: all three
        half    numbers and arrays of half precision
        layers, heads, rows  numbers from 1; None: all
        top     only so many largest weights of each row, and the sum of the others; None: all weights
        """
        asked = dict(
            text=text, model=model, ids=ids, token_type_ids=token_type_ids, decoder_text=decoder_text, decoder_input_ids=decoder_input_ids,
            attentions=attentions, layers=layers, heads=heads, rows=rows, top=top, half=half or None, stream=True,
        )
        body = {key: value if isinstance(value, (str, int)) else [*map(_plain, value)] for key, value in asked.items() if value is not None}
        return Attention(self._sent("api/v1/attention", json.dumps(body).encode(), "application/json"), half)

    def figure(
        self,
        text: str,
        mechanism: str = "dot-product",
        format: Format = "png",
        *,
        layer: int | None = None,
        head: Head | None = None,
        map: str | None = None,
        show: str | None = None,
        norm: Norm | None = None,
        cmap: Palette | None = None,
        theme: Theme | None = None,
        mask: Mask | None = None,
        preset: Preset | None = None,
        dpi: int | None = None,
        scale: int | None = None,
        **more: Parameter,
    ) -> Figure:
        """Draws a map of a mechanism, and returns a Figure. Notebooks display it.

        map     the name of a map; None: the main one, with the strips under it
        norm    the value of full colour: the largest value of the "row" or of the "map", or 1 for "absolute"
        preset  the format that the figure is made for; it sets the size of the page and of the text
        dpi     dots per inch; scale: pixels per cell
        All other parameters are those of attend().
        """
        _one(text, "text"), _one(mechanism, "mechanism")
        looks = dict(layer=layer, head=head, map=map, show=show, norm=norm, cmap=cmap, theme=theme, mask=mask, preset=preset, dpi=dpi, scale=scale)
        path = f"export/{quote(mechanism, safe='')}.{quote(format, safe='')}"
        return Figure(self.ask(path, text=text, **looks, **more), format)

    def widget(
        self,
        text: str,
        mechanism: str = "dot-product",
        *,
        layer: int | None = None,
        head: Head | None = None,
        map: str | None = None,
        show: str | None = None,
        norm: Norm | None = None,
        cmap: Palette | None = None,
        theme: Theme | None = None,
        mask: Mask | None = None,
        **more: Parameter,
    ) -> Any:
        """Returns an interactive map for notebooks: an anywidget. Where widgets do not run, such as in HTML of nbconvert, a picture is shown instead."""
        _one(text, "text"), _one(mechanism, "mechanism")
        from .widget import of

        looks = dict(layer=layer, head=head, map=map, show=show, norm=norm, cmap=cmap, theme=theme, mask=mask, **more)
        data = json.loads(self.ask(f"export/{quote(mechanism, safe='')}.json", text=text, **looks))
        still = self.ask(f"export/{quote(mechanism, safe='')}.png", text=text, **looks)
        return of(self.ask("attention-map.js").decode(), data, looks, still)

    def match(self, text: str, passages: Sequence[str], mechanism: str | None = None, *, passage: int | None = None) -> dict[str, Any]:
        """Shows why texts match: the ranking of passages by a model, and the cells that sum to the cosine of one passage.

        passage  the number of the passage whose cells to return, from 1; None: the best one
        The result is that of /api/v1/match: "passages" with their "score", "ranking", "chosen", "cells" and "sum".
        """
        _one(text, "text")
        lines = "\n".join(" ".join(one.split()) for one in _several(passages, "passages") or [str(passages)])
        return json.loads(self.ask("api/v1/match", text=text, passages=lines, m=mechanism, passage=passage))

    def mechanisms(self) -> list[str]:
        """Returns the ids of all mechanisms and architectures."""
        return [one["id"] for one in json.loads(self.ask("api/v1/mechanisms"))["mechanisms"]]

    def ask(self, path: str, **parameters: Parameter) -> bytes:
        """Returns the body of an answer. If the server refuses, it raises an AtlasError with the server's message."""
        query = urlencode({key: _written(value) for key, value in parameters.items() if value is not None})
        with self._sent(path + ("?" + query if query else "")) as answer:
            return answer.read()

    def _sent(self, path: str, body: bytes | None = None, kind: str | None = None) -> Any:
        """Returns an open answer to a request with GET, or to a body with POST."""
        headers = {"Accept": "*/*;q=0.5, application/problem+json", **({"Content-Type": kind} if kind else {})}
        try:
            return _open(Request(self.url + path, body, headers), timeout=90)
        except HTTPError as error:
            raise AtlasError(_detail(error)) from None
        except URLError as error:
            raise AtlasError(f"{self.url} does not answer: {error.reason}") from None


def _several(value: object, name: str) -> list[str] | None:
    """Returns the texts of a list, or None for a single text."""
    if isinstance(value, str):
        return None
    try:
        values = [] if isinstance(value, (bytes, dict)) else list(value)  # type: ignore[call-overload]
    except TypeError:
        values = []
    if not values or not all(isinstance(one, str) for one in values):
        raise TypeError(f"{name} must be a str, or a list of them, not {value!r}")
    return values


def _plain(value: Any) -> str | int:
    """Returns a number of NumPy or PyTorch as an int."""
    return value if isinstance(value, str) else int(value)


def _one(value: object, name: str) -> None:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one str, not {value!r}; make a figure for each")


def _written(value: Parameter) -> str:
    """Returns a parameter in the form of addresses."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _detail(error: HTTPError) -> str:
    try:
        return json.loads(error.read())["detail"]
    except (ValueError, KeyError):
        return str(error)

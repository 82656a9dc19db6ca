"""An interactive map for every notebook that supports anywidgets."""

from __future__ import annotations

import base64
from typing import Any

import anywidget
import traitlets


class MapWidget(anywidget.AnyWidget):
    """An interactive attention map. pin is the cell that was clicked last, with its row and column from 0, value and words."""

    _esm = "export default {}"
    figure = traitlets.Dict().tag(sync=True)
    norm = traitlets.Unicode("row").tag(sync=True)
    cmap = traitlets.Unicode("cividis").tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    pin = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    still = b""

    def _ipython_display_(self, **_: Any) -> None:
        """Displays the widget, and a picture that is hidden where the widget runs."""
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        display(data, metadata=metadata, raw=True)
        if self.still:
            source = "data:image/png;base64," + base64.b64encode(self.still).decode()
            style = "<style>body:has(attention-map:defined) .attention-atlas-still { display: none }</style>"
            picture = f'{style}<img class="attention-atlas-still" alt="{_escaped(self.figure.get("title", ""))}" src="{source}">'
            display({"text/html": picture, "text/plain": ""}, raw=True)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


_classes: dict[str, type[MapWidget]] = {}


def of(module: str, data: dict[str, Any], parameters: dict[str, Any], still: bytes = b"") -> MapWidget:
    """Returns a widget for a data file, drawn by the server's module, with a picture of it."""
    if module not in _classes:
        _classes[module] = type("MapWidget", (MapWidget,), {"_esm": module})
    looks = {key: parameters[key] for key in ("norm", "cmap", "theme") if parameters.get(key) is not None}
    widget = _classes[module](figure=data, **looks)
    widget.still = still
    return widget

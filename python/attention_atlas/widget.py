"""A map to point at, in every notebook that shows anywidgets."""

import anywidget
import traitlets


class MapWidget(anywidget.AnyWidget):
    """A map of attention. pin is the cell that was clicked last, with its row and column from 0, value and words."""

    _esm = "export default {}"
    figure = traitlets.Dict().tag(sync=True)
    norm = traitlets.Unicode("row").tag(sync=True)
    cmap = traitlets.Unicode("cividis").tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    pin = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)


_classes = {}


def of(module, data, parameters):
    """A widget of a data file, drawn by the server's own module."""
    if module not in _classes:
        _classes[module] = type("MapWidget", (MapWidget,), {"_esm": module})
    looks = {key: parameters[key] for key in ("norm", "cmap", "theme") if key in parameters}
    return _classes[module](figure=data, **looks)

"""Maps of attention for your own words: numbers, figures and widgets from Attention Atlas."""

from .answer import Answer, Figure
from .atlas import Atlas
from .server import AtlasError

__all__ = ["Answer", "Atlas", "AtlasError", "Figure", "attend", "figure", "mechanisms", "widget"]

_usual = None


def _atlas():
    """The atlas of functions of this module, which is started when it is first asked."""
    global _usual
    if _usual is None:
        _usual = Atlas()
    return _usual


def attend(text, mechanism="dot-product", **parameters):
    """What a mechanism does with a text, as an Answer."""
    return _atlas().attend(text, mechanism, **parameters)


def figure(text, mechanism="dot-product", format="png", **parameters):
    """A figure of a mechanism's map, as a Figure."""
    return _atlas().figure(text, mechanism, format, **parameters)


def widget(text, mechanism="dot-product", **parameters):
    """A map to point at, for notebooks."""
    return _atlas().widget(text, mechanism, **parameters)


def mechanisms():
    """The ids of all mechanisms and stacks."""
    return _atlas().mechanisms()

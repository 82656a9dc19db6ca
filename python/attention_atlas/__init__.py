"""Attention maps for your own words: numbers, figures and widgets from Attention Atlas.

The functions of this module use one Atlas, which starts with the first call.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from .answer import Answer, Figure, show_heatmaps
from .atlas import Atlas
from .stream import Attention, AttentionLayer
from .server import AtlasError

__all__ = ["Answer", "Atlas", "AtlasError", "Attention", "AttentionLayer", "Figure", "attend", "attention", "figure", "match", "mechanisms", "show_heatmaps", "widget"]

_usual = None


def _atlas() -> Atlas:
    global _usual
    if _usual is None:
        _usual = Atlas()
    return _usual


def _asking(method):
    """Turns a method of Atlas into a function with the same parameters and documentation."""
    import inspect

    @functools.wraps(method)
    def ask(*args, **kwargs):
        return method(_atlas(), *args, **kwargs)

    signature = inspect.signature(method)
    ask.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])
    return ask


if TYPE_CHECKING:
    _typed: Atlas
    attend, attention, figure = _typed.attend, _typed.attention, _typed.figure
    widget, match, mechanisms = _typed.widget, _typed.match, _typed.mechanisms
else:
    attend, attention, figure = map(_asking, (Atlas.attend, Atlas.attention, Atlas.figure))
    widget, match, mechanisms = map(_asking, (Atlas.widget, Atlas.match, Atlas.mechanisms))

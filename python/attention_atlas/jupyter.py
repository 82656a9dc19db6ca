"""Serves the Atlas below the address of a notebook server (jupyter-server-proxy)."""

from .server import _program


def setup():
    """Tells jupyter-server-proxy how to start viz: on a socket that only its user can open."""
    return {
        "command": [_program(), "serve", "--socket", "{unix_socket}", "--base-path", "{base_url}attention-atlas", "--allow-framing", "same-origin"],
        "unix_socket": True,
        "timeout": 30,
        "new_browser_tab": False,
        "launcher_entry": {"title": "Attention Atlas"},
    }

"""The atlas as an object: a server, and what can be asked of it."""

import json
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from .answer import Answer, Figure
from .server import AtlasError, find

_open = build_opener(ProxyHandler({})).open  # this machine is asked directly


class Atlas:
    """Attention Atlas at an address; without one, at ATTENTION_ATLAS_URL, or a program of this machine's own."""

    def __init__(self, url=None):
        self.url = find(url)

    def attend(self, text, mechanism="dot-product", **parameters):
        body = json.loads(self.ask("api/v1/attend", text=text, m=mechanism, **parameters))
        return Answer(body, body["mechanisms"][0])

    def figure(self, text, mechanism="dot-product", format="png", **parameters):
        return Figure(self.ask(f"export/{quote(mechanism, safe='')}.{quote(format, safe='')}", text=text, **parameters), format)

    def widget(self, text, mechanism="dot-product", **parameters):
        from .widget import of

        data = json.loads(self.ask(f"export/{quote(mechanism, safe='')}.json", text=text, **parameters))
        return of(self.ask("attention-map.js").decode(), data, parameters)

    def mechanisms(self):
        return [one["id"] for one in json.loads(self.ask("api/v1/mechanisms"))["mechanisms"]]

    def ask(self, path, **parameters):
        """The body of an answer; an AtlasError with the server's own sentence when it refuses."""
        query = urlencode({key: _written(value) for key, value in parameters.items() if value is not None})
        address = self.url + path + ("?" + query if query else "")
        try:
            with _open(Request(address, headers={"Accept": "*/*;q=0.5, application/problem+json"}), timeout=90) as answer:
                return answer.read()
        except HTTPError as error:
            raise AtlasError(_detail(error)) from None
        except URLError as error:
            raise AtlasError(f"{self.url} does not answer: {error.reason}") from None


def _written(value):
    """A parameter as addresses have it."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _detail(error):
    try:
        return json.loads(error.read())["detail"]
    except (ValueError, KeyError):
        return str(error)

import http.client
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ._errors import ConnectionFailedError, GenwayError, error_of

_RETRIED = {429, 500, 502, 503, 504}
#: They say that nothing was done, so that even a request that is not repeatable may come again.
_REFUSED = {429, 503}
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0
_TIMEOUT_SECONDS = 60.0

#: Makes a body anew for each attempt, and says how long it is.
Body = Callable[[], tuple[Iterable[bytes] | bytes, int]]
Taken = TypeVar("Taken")

#: No answer, or one that breaks off.
LOST = (OSError, http.client.HTTPException)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A download leads to another host, which must not get the key."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and _origin(newurl) != _origin(req.full_url):
            following.remove_header("Authorization")
        return following


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


class Http:
    """One deployment, with one key. Repeats what failed in passing, after the time that the response names."""

    def __init__(self, base_url: str | None, api_key: str | None, max_retries: int):
        self._base_url = _required(base_url, "GENWAY_URL", "base_url").rstrip("/")
        self._api_key = _required(api_key, "GENWAY_API_KEY", "api_key")
        self._max_retries = max_retries
        self._opener = urllib.request.build_opener(_Redirects)

    def send(self, path: str, **call: Any) -> http.client.HTTPResponse:
        """A successful response, after redirects."""
        return self._ask(path, lambda response: response, **call)

    def read(self, path: str, **call: Any) -> object:
        """The JSON of a successful response."""
        return self._ask(path, _json_of, **call)

    def _ask(
        self,
        path: str,
        take: Callable[[http.client.HTTPResponse], Taken],
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: Body | None = None,
        is_repeatable: bool = True,
    ) -> Taken:
        retry = 0
        while True:
            try:
                return take(self._once(path, method, headers or {}, body))
            except urllib.error.HTTPError as refusal:
                error: GenwayError = error_of(refusal.code, _rest_of(refusal), refusal.headers["x-request-id"])
                may_repeat = refusal.code in _REFUSED or (is_repeatable and refusal.code in _RETRIED)
                seconds = _pause(retry, refusal.headers["retry-after"])
            except (*LOST, json.JSONDecodeError, UnicodeDecodeError) as cause:
                error = ConnectionFailedError("The API cannot be reached")
                error.__cause__ = cause
                may_repeat, seconds = is_repeatable, _pause(retry, None)
            if retry == self._max_retries or not may_repeat:
                raise error
            retry += 1
            time.sleep(seconds)

    def _once(self, path: str, method: str, headers: dict[str, str], body: Body | None) -> http.client.HTTPResponse:
        data, length = (None, None) if body is None else body()
        request = urllib.request.Request(self._base_url + path, data=data, method=method, headers=headers)
        request.add_unredirected_header("User-Agent", "genway-python")
        request.add_header("Authorization", f"Bearer {self._api_key}")
        if length is not None:
            request.add_header("Content-Length", str(length))
        response: http.client.HTTPResponse = self._opener.open(request, timeout=_TIMEOUT_SECONDS)
        return response


def _json_of(response: http.client.HTTPResponse) -> object:
    with response:
        return json.load(response)


def _rest_of(refusal: urllib.error.HTTPError) -> bytes:
    try:
        with refusal:
            return refusal.read()
    except LOST:
        return b""


def _pause(retry: int, retry_after: str | None) -> float:
    """Longer each time, and with chance in it, so that callers who failed together do not come again together."""
    own = _FIRST_PAUSE_SECONDS * 2**retry * random.uniform(0.5, 1)
    asked = float(retry_after) if retry_after is not None and retry_after.isdigit() else own
    return min(asked, _LONGEST_PAUSE_SECONDS)


def _required(value: str | None, variable: str, argument: str) -> str:
    found = value or os.environ.get(variable)
    if not found:
        raise TypeError(f"Give {argument}, or set {variable}")
    return found

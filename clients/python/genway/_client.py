import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode

from ._errors import ConnectionFailedError, VideoError, WaitTimeoutError
from ._http import LOST, Http
from ._types import StoredFile, Video

#: The longest time that the API holds a poll.
_WAIT_SECONDS = 20
#: Between polls that were answered at once.
_PACE_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 30 * 60.0
_CHUNK = 1024 * 1024
_OPEN = ("pending", "in_progress")


class Genway:
    """A deployment of Genway. Without arguments, the variables GENWAY_URL and GENWAY_API_KEY name it."""

    def __init__(self, base_url: str | None = None, api_key: str | None = None, *, max_retries: int = 2):
        self._http = Http(base_url, api_key, max_retries)
        self.videos = Videos(self._http)

    def upload(self, data: str | os.PathLike[str] | bytes, filename: str | None = None) -> StoredFile:
        """Stores a file of up to 100 MiB, given by its path or as bytes. Genway finds its type in its bytes."""
        path = None if isinstance(data, bytes) else Path(data)
        name = filename or (path.name if path is not None else "file")
        boundary = uuid.uuid4().hex
        size = len(data) if isinstance(data, bytes) else Path(data).stat().st_size
        head, tail = _around(name, boundary)

        def body() -> tuple[Iterator[bytes], int]:
            return _form(data, head, tail), len(head) + size + len(tail)

        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        # After a lost answer the file may be stored: a repeat would store it twice.
        stored = self._http.read("/files", method="POST", headers=headers, body=body, is_repeatable=False)
        return cast(StoredFile, stored)

    def wait(
        self,
        job: Video | str,
        *,
        timeout: float = _LONGEST_WAIT_SECONDS,
        on_progress: Callable[[Video], object] = lambda video: None,
    ) -> Video:
        """Waits until the job has ended; raises VideoError if it ended without a video, or WaitTimeoutError."""
        until = time.monotonic() + timeout
        while True:
            asked = time.monotonic()
            seconds = max(1, min(_WAIT_SECONDS, int(until - asked)))
            video = self.videos.get(_id(job), wait_seconds=seconds)
            on_progress(video)
            if video["status"] == "completed":
                return video
            if video["status"] not in _OPEN:
                raise VideoError(video)
            if time.monotonic() >= until:
                raise WaitTimeoutError(f"{video['id']} is still {video['status']}; it goes on")
            time.sleep(max(0.0, _PACE_SECONDS - (time.monotonic() - asked)))

    def download(
        self, video: Video | str, path: str | os.PathLike[str], *, index: int = 0, variant: str | None = None
    ) -> Path:
        """Saves one of the results; with variant="thumbnail" its first frame, with "spritesheet" 16 in one, as a JPEG."""
        query = urlencode({"index": index, **({} if variant is None else {"variant": variant})})
        target = Path(path)
        draft = target.with_name(f"{target.name}.{uuid.uuid4().hex}.tmp")
        try:
            with self._http.send(f"{_path(_id(video))}/content?{query}") as content, draft.open("xb") as file:
                file.writelines(_pieces(content))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        return target


class Videos:
    """The jobs of the key's workspace."""

    def __init__(self, http: Http):
        self._http = http

    def create(self, *, idempotency_key: str | None = None, **request: Any) -> Video:
        """Submits a job; the arguments are the fields of POST /videos. A repeat after a lost answer makes no second one."""
        data = json.dumps(request).encode()
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        job = self._http.read("/videos", method="POST", headers=headers, body=lambda: (data, len(data)))
        return cast(Video, job)

    def get(self, video: str, *, wait_seconds: int | None = None) -> Video:
        """Reads a job; the answer may wait up to 20 seconds for a change."""
        headers = {} if wait_seconds is None else {"Prefer": f"wait={wait_seconds}"}
        return cast(Video, self._http.read(_path(video), headers=headers))

    def cancel(self, video: str) -> Video:
        """Asks to cancel a job; the answer's status says what became of it."""
        return cast(Video, self._http.read(f"{_path(video)}/cancel", method="POST", is_repeatable=False))


def first_frame(image: StoredFile | Video | str) -> dict[str, Any]:
    """An entry of `frame_images`: a file, a completed video (its last frame) or a URL."""
    return _frame("first_frame", image)


def last_frame(image: StoredFile | Video | str) -> dict[str, Any]:
    """The same for the end of the video."""
    return _frame("last_frame", image)


def _frame(frame_type: str, image: StoredFile | Video | str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": _id(image)}, "frame_type": frame_type}


def _id(thing: StoredFile | Video | str) -> str:
    return thing if isinstance(thing, str) else thing["id"]


def _path(video: str) -> str:
    return f"/videos/{quote(video, safe='')}"


def _pieces(content: HTTPResponse) -> Iterator[bytes]:
    """A body in pieces. Of one that breaks off, Python's own `read(size)` returns what came, as if it were all."""
    try:
        while piece := content.read(_CHUNK):
            yield piece
    except LOST as cause:
        raise ConnectionFailedError("The download broke off") from cause
    if content.length:
        raise ConnectionFailedError("The download broke off")


def _around(name: str, boundary: str) -> tuple[bytes, bytes]:
    # Quotes and line breaks are escaped as browsers do it.
    escaped = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    disposition = f'Content-Disposition: form-data; name="file"; filename="{escaped}"'
    head = f"--{boundary}\r\n{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n"
    return head.encode(), f"\r\n--{boundary}--\r\n".encode()


def _form(data: str | os.PathLike[str] | bytes, head: bytes, tail: bytes) -> Iterator[bytes]:
    """The file is read from disk while it is sent."""
    yield head
    if isinstance(data, bytes):
        yield data
    else:
        with Path(data).open("rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    yield tail

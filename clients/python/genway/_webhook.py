import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import WebhookError

_TOLERANCE_SECONDS = 300
_SHORTEST_SECRET = 24


def verify_webhook(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secrets: str | Iterable[str],
    now: float | None = None,
) -> dict[str, Any]:
    """The event in a delivery; raises WebhookError unless one of the secrets signed it within five minutes of now.

    raw_body: the body as it arrived; JSON that was parsed and written again has another signature.
    secrets: `whsec_…`; several while a rotation is under way.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    given = {name.lower(): value for name, value in headers.items()}
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (given.get(name) or "" for name in names)
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookError("webhook-timestamp is missing, too old or too new")

    content = f"{message_id}.{timestamp}.".encode() + body
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        if len(key) < _SHORTEST_SECRET:
            raise ValueError("A webhook secret begins with whsec_ and has at least 24 bytes in base64")
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, each.encode()) for each in signatures.split(" ")):
            event: dict[str, Any] = json.loads(body)
            return event
    raise WebhookError("webhook-signature fits none of the secrets")

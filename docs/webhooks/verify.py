import base64
import hashlib
import hmac
import json
import re
import time


class InvalidWebhook(Exception):
    pass


def verify_webhook(raw_body, headers, secrets, now=None):
    """The event in a delivery; raises InvalidWebhook unless signed with one of the secrets within 5 minutes.

    raw_body: the bytes as they arrived. headers: a mapping with lower-case names, or one that ignores case.
    """
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    message_id, timestamp, signatures = (headers.get(name) or "" for name in names)
    now = int(time.time() if now is None else now)
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > 300:
        raise InvalidWebhook("webhook-timestamp is missing, too old or too new")

    content = f"{message_id}.{timestamp}.".encode() + raw_body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        if len(key) < 24:
            raise ValueError("a webhook secret is too short; it begins with whsec_")
        expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
        if any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
            return json.loads(raw_body)
    raise InvalidWebhook("webhook-signature fits none of the secrets")

import json
from typing import Any

from ._types import Video


class GenwayError(Exception):
    """Everything that this package raises on purpose."""


class ApiError(GenwayError):
    """The API refused a request. `error_type` is its stable word."""

    def __init__(self, status: int, message: str, metadata: dict[str, Any], request_id: str | None):
        super().__init__(message)
        self.status = status
        self.error_type: str = metadata.get("error_type", "unknown")
        #: The field that is wrong, where the error is about one.
        self.path: str | None = metadata.get("path")
        #: The values that the field takes, where they are listed.
        self.supported: list[Any] | None = metadata.get("supported")
        #: All that the error says besides its message.
        self.metadata = metadata
        #: For a report to whoever runs the deployment.
        self.request_id = request_id


class InvalidRequestError(ApiError):
    """400: the request is wrong; `path` names the field."""


class AuthenticationError(ApiError):
    """401: there is no key, or it is wrong, disabled or expired."""


class PaymentRequiredError(ApiError):
    """402: a budget, the key's limit or the credits are used up; `metadata` says which, and until when."""


class PermissionDeniedError(ApiError):
    """403: this key may not do that."""


class NotFoundError(ApiError):
    """404 or 410: there is no such thing, or it is gone."""


class ConflictError(ApiError):
    """409: not in its current state, such as a download before the end of the job."""


class RateLimitError(ApiError):
    """429, and every retry got it too."""


class ServerError(ApiError):
    """500 or above, and every retry got it too."""


class ConnectionFailedError(GenwayError):
    """No response came, and a retry did not help or could have done the same thing twice."""


class VideoError(GenwayError):
    """The job ended without a video; `video` says why."""

    def __init__(self, video: Video):
        why = f": {video['error']}" if "error" in video else ""
        super().__init__(f"{video['id']} {video['status']}{why}")
        self.video = video


class WaitTimeoutError(GenwayError):
    """The job had not ended at the timeout. It continues."""


class WebhookError(GenwayError):
    """The delivery was not signed with the secret, was changed on its way, or is old. Answer it with a 401."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    429: RateLimitError,
}


def error_of(status: int, body: bytes, request_id: str | None) -> ApiError:
    """The error in a response, whatever its body is."""
    try:
        error = json.loads(body)["error"]
        message, metadata = str(error["message"]), error.get("metadata")
    except (ValueError, LookupError, TypeError):
        # Something in between has answered, such as a proxy.
        message, metadata = f"The API returned {status}", None
    metadata = metadata if isinstance(metadata, dict) else {}
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(status, message, metadata, request_id)

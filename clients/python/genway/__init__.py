"""A client for Genway, a self-hosted gateway for generative models. It needs nothing but Python."""

from ._client import Genway, Videos, first_frame, last_frame
from ._errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    GenwayError,
    InvalidRequestError,
    NotFoundError,
    PaymentRequiredError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    VideoError,
    WaitTimeoutError,
    WebhookError,
)
from ._types import StoredFile, Video
from ._webhook import verify_webhook

__all__ = [
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailedError",
    "Genway",
    "GenwayError",
    "InvalidRequestError",
    "NotFoundError",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "RateLimitError",
    "ServerError",
    "StoredFile",
    "Video",
    "VideoError",
    "Videos",
    "WaitTimeoutError",
    "WebhookError",
    "first_frame",
    "last_frame",
    "verify_webhook",
]

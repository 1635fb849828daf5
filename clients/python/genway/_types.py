from typing import Any, Literal, NotRequired, TypedDict


class StoredFile(TypedDict):
    id: str
    filename: str
    mime_type: str
    size_bytes: int
    created_at: str
    downloadable: bool
    expires_at: NotRequired[str]


class Usage(TypedDict):
    cost: float
    is_byok: bool


class ErrorDetails(TypedDict):
    type: Literal["moderation", "provider", "input", "timeout", "cancelled", "internal"]
    message: str
    retryable: bool


class Video(TypedDict):
    """A job, as the API shows it. Only a job that has got so far has the fields that may be absent."""

    id: str
    status: Literal["pending", "in_progress", "completed", "failed", "cancelled", "expired"]
    model: str
    polling_url: str
    created_at: str
    estimated_cost: float
    max_cost: float
    progress: NotRequired[float]
    provider: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    warnings: NotRequired[list[str]]
    waiting_for: NotRequired[dict[str, str]]
    error: NotRequired[str]
    error_details: NotRequired[ErrorDetails]
    usage: NotRequired[Usage]
    completed_at: NotRequired[str]
    content_expires_at: NotRequired[str]
    outputs: NotRequired[list[dict[str, Any]]]
    urls: NotRequired[list[str]]
    unsigned_urls: NotRequired[list[str]]
    thumbnail_urls: NotRequired[list[str | None]]

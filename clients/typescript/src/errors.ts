import type { Video } from './types.ts';

/** Everything that this package throws on purpose. */
export class GenwayError extends Error {
  override readonly name: string = 'GenwayError';
}

/** The API refused a request. `errorType` is its stable word; docs/errors.md of Genway says what to do about each. */
export class ApiError extends GenwayError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly errorType: string;
  /** The field that is wrong, where the error is about one. */
  readonly path: string | undefined;
  /** The values that the field takes, where they are listed. */
  readonly supported: readonly unknown[] | undefined;
  /** For a report to whoever runs the deployment. */
  readonly requestId: string | undefined;
  /** All that the error says besides its message. */
  readonly metadata: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, metadata: Record<string, unknown>, requestId?: string) {
    super(message);
    const { error_type, path, supported } = metadata;
    this.status = status;
    this.errorType = typeof error_type === 'string' ? error_type : 'unknown';
    this.path = typeof path === 'string' ? path : undefined;
    this.supported = Array.isArray(supported) ? supported : undefined;
    this.requestId = requestId;
    this.metadata = metadata;
  }
}

/** 400: the request is wrong; `path` names the field. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}

/** 401: there is no key, or it is wrong, disabled or expired. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 402: a budget, the key's limit or the credits are used up; `metadata` says which, and until when. */
export class PaymentRequiredError extends ApiError {
  override readonly name = 'PaymentRequiredError';
}

/** 403: this key may not do that. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
}

/** 404 or 410: there is no such thing, or it is gone. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: not in its current state, such as a download before the end of the job. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 429, and every retry got it too. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 500 or above, and every retry got it too. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No response came, and a retry did not help or could have done the same thing twice. */
export class ConnectionError extends GenwayError {
  override readonly name = 'ConnectionError';
}

/** The job ended without a video; `video` says why. */
export class VideoError extends GenwayError {
  override readonly name = 'VideoError';
  readonly video: Video;

  constructor(video: Video) {
    super(`${video.id} ${video.status}${video.error === undefined ? '' : `: ${video.error}`}`);
    this.video = video;
  }
}

/** The job had not ended at the timeout. It continues. */
export class WaitTimeoutError extends GenwayError {
  override readonly name = 'WaitTimeoutError';
}

/** The delivery was not signed with the secret, was changed on its way, or is old. Answer it with a 401. */
export class WebhookError extends GenwayError {
  override readonly name = 'WebhookError';
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError,
};

/** The error in a response, whatever its body is. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const { error } = bodyOf(await response.text());
  const { message = `The API returned ${status}`, metadata } = error ?? {};
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const Kind = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Kind(status, String(message), metadata ?? {}, requestId);
}

interface ErrorBody {
  readonly error?: { readonly message?: string; readonly metadata?: Record<string, unknown> | null };
}

function bodyOf(text: string): ErrorBody {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    // Something in between has answered, such as a proxy.
    return {};
  }
}

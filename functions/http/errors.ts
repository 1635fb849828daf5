/**
 * The errors a caller can be shown. Each knows its status, its stable `error_type` word and what may be
 * said about it; everything else that is thrown is answered as a 500 without a detail.
 */
export interface ApiErrorDetail extends ErrorOptions {
  /** Added to `error.metadata`: the field at fault, what would be supported, what is left … */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Added to the answer: `retry-after`, `allow` … */
  readonly headers?: Readonly<Record<string, string>>;
}

export abstract class ApiError extends Error {
  abstract readonly status: number;
  abstract readonly errorType: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, detail: ApiErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.metadata = detail.metadata ?? {};
    this.headers = detail.headers ?? {};
  }
}

export class InvalidRequest extends ApiError {
  override readonly name = 'InvalidRequest';
  readonly status = 400;
  readonly errorType = 'invalid_request';
}

export class Unauthenticated extends ApiError {
  override readonly name = 'Unauthenticated';
  readonly status = 401;
  readonly errorType = 'authentication';
}

/** One message for every way a key can be no good, so that an answer tells nothing about which it was. */
export const invalidKey = (cause?: unknown): Unauthenticated =>
  new Unauthenticated('Invalid API key', { cause });

export class PaymentRequired extends ApiError {
  override readonly name = 'PaymentRequired';
  readonly status = 402;
  readonly errorType = 'payment_required';
}

export class PermissionDenied extends ApiError {
  override readonly name = 'PermissionDenied';
  readonly status = 403;
  readonly errorType = 'permission_denied';
}

export class NotFound extends ApiError {
  override readonly name = 'NotFound';
  readonly status = 404;
  readonly errorType = 'not_found';
}

export class MethodNotAllowed extends ApiError {
  override readonly name = 'MethodNotAllowed';
  readonly status = 405;
  readonly errorType = 'invalid_request';
}

export class Conflict extends ApiError {
  override readonly name = 'Conflict';
  readonly status = 409;
  readonly errorType = 'conflict';
}

export class Gone extends ApiError {
  override readonly name = 'Gone';
  readonly status = 410;
  readonly errorType = 'gone';
}

export class PayloadTooLarge extends ApiError {
  override readonly name = 'PayloadTooLarge';
  readonly status = 413;
  readonly errorType = 'payload_too_large';
}

export class RateLimited extends ApiError {
  override readonly name = 'RateLimited';
  readonly status = 429;
  readonly errorType = 'rate_limit_exceeded';
}

export class ProviderUnavailable extends ApiError {
  override readonly name = 'ProviderUnavailable';
  readonly status = 502;
  readonly errorType = 'provider_unavailable';
}

export class ServiceUnavailable extends ApiError {
  override readonly name = 'ServiceUnavailable';
  readonly status = 503;
  readonly errorType = 'service_unavailable';
}

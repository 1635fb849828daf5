/** The stable words by which programs tell errors apart. */
export const ERROR_TYPES = [
  'invalid_request',
  'authentication',
  'permission_denied',
  'payment_required',
  'not_found',
  'model_retired',
  'conflict',
  'gone',
  'payload_too_large',
  'rate_limit_exceeded',
  'server',
  'provider_unavailable',
  'service_unavailable',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

export interface ApiErrorDetail extends ErrorOptions {
  /** Added to `error.metadata`: the field at fault, what would be supported, what is left … */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Added to the answer: `retry-after`, `allow` … */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The errors that a caller may see. Each has its status, its stable `error_type` and a message that is safe to show.
 * Everything else that is thrown is answered as `Unexpected`, without a detail.
 */
export abstract class ApiError extends Error {
  abstract readonly status: number;
  abstract readonly errorType: ErrorType;
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

  constructor(message: string, { headers, ...detail }: ApiErrorDetail = {}) {
    // RFC 9110 §11.6.1: a 401 says how to authenticate.
    super(message, { ...detail, headers: { 'www-authenticate': 'Bearer', ...headers } });
  }
}

/** One message for every way in which a key can be wrong, so that the answer does not tell which. */
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
  override readonly name: string = 'NotFound';
  readonly status = 404;
  readonly errorType: ErrorType = 'not_found';
}

/** Where no operation is. */
export const UNKNOWN_PATH = 'Unknown path. API paths start with /api/v1';

/** A model that was offered until its vendor ended it. */
export class ModelRetired extends NotFound {
  override readonly name = 'ModelRetired';
  override readonly errorType = 'model_retired';
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

/** A service behind ours was busy or out of reach; the same request may succeed in a moment. */
export class Overloaded extends ApiError {
  override readonly name = 'Overloaded';
  readonly status: 500 | 503;
  readonly errorType: ErrorType;

  constructor(answers503: boolean, options: ErrorOptions = {}) {
    super('A service that Genway depends on is busy or unavailable; try again in a moment', {
      ...options,
      // All attempts of AWS's clients together have waited about as long.
      headers: { 'retry-after': '2' },
    });
    this.status = answers503 ? 503 : 500;
    this.errorType = answers503 ? 'service_unavailable' : 'server';
  }
}

/** A mistake of ours. The answer says nothing of its cause, which is in the log under the request's id. */
export class Unexpected extends ApiError {
  override readonly name = 'Unexpected';
  readonly status = 500;
  readonly errorType = 'server';

  constructor(options: ErrorOptions = {}) {
    super('An internal error occurred; the request ID identifies it in the logs of this deployment', options);
  }
}

/** None of our fields has a longer name. Callers choose the names of members, and an answer must stay short. */
const LONGEST_NAME = 64;

export interface FieldDetail extends ErrorOptions {
  /** All values that would be accepted, where they can be listed. */
  readonly supported?: readonly unknown[] | undefined;
}

/**
 * A refusal that names the field and the rule: `frame_images.0.frame_type: must be one of …`, with the path in
 * the metadata.
 */
export function invalidField(
  path: string | readonly unknown[],
  rule: string,
  { supported, ...options }: FieldDetail = {},
): InvalidRequest {
  const names = typeof path === 'string' ? [path] : path.map(String);
  const dotted = names.map((name) => clip(name)).join('.');
  return new InvalidRequest(`${dotted}: ${rule}`, { ...options, metadata: { path: dotted, supported } });
}

function clip(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME).toWellFormed()}…` : name;
}

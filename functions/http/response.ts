import { openaiErrorFields } from './compatibility.ts';
import type { ApiError, ErrorType } from './errors.ts';

/** An answer, free of any transport: the Lambda adapter and the upload server both send it. */
export interface ApiResponse<Body = string | Uint8Array> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text or bytes. */
  readonly body: Body;
  /** What was made, for the log. @default the end of its `location` */
  readonly made?: string;
}

/** In every answer, whatever its status; an answer's own headers win. */
export const COMMON_HEADERS = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'retry-after, x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, location, idempotent-replayed, x-genway-warning, x-storage-used, x-storage-limit, x-checksum-crc32, x-checksum-sha256',
};

export const JSON_TYPE = 'application/json; charset=utf-8';

export function json(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ApiResponse<string> {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

export function redirect(location: string, headers: Record<string, string> = {}): ApiResponse {
  return { status: 302, headers: { ...headers, location }, body: '' };
}

export function withCommonHeaders(
  response: ApiResponse,
  requestId: string,
  warnings: readonly string[],
): ApiResponse {
  const told = warnings.length === 0 ? {} : { 'x-genway-warning': warnings.join('; ') };
  const headers = { ...COMMON_HEADERS, 'x-request-id': requestId, ...told, ...response.headers };
  return { ...response, headers };
}

/** What an error body is made of; every `ApiError` is one. */
export interface ErrorDescription {
  readonly status: number;
  readonly errorType: ErrorType;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The one body of all errors, whoever answers: a function, the upload server, API Gateway or the edge. */
export function errorBody({ status, errorType, message, metadata }: ErrorDescription) {
  const docs_url = `/api/v1/docs#error-${errorType}`;
  return { error: { code: status, message, metadata: { error_type: errorType, docs_url, ...metadata } } };
}

/** @param forOpenai for a client that reads the errors of OpenAI's API */
export function errorResponse(error: ApiError, forOpenai = false): ApiResponse<string> {
  const { error: said } = errorBody(error);
  const told = forOpenai ? { ...said, ...openaiErrorFields(error) } : said;
  return json(error.status, { error: told }, { ...error.headers });
}

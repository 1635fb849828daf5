import { type ApiError, InvalidRequest, ProviderUnavailable, ServiceUnavailable } from '../../http/errors.ts';
import { retryAfter } from '../../upstream/retry-after.ts';
import { readUpstreamError } from '../../upstream/upstream-error.ts';
import type { FileProviderName } from './file-provider.ts';

export interface ProviderRefusal {
  readonly name: FileProviderName;
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where it is not JSON. */
  readonly body: unknown;
}

/** Anthropic's own status for an overload is 529. */
const BUSY = [429, 503, 529];
const DEFAULT_RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 3600;

/**
 * Translates a provider's error for our caller: the caller's own mistakes are shown, without the key; failures of the
 * provider are not.
 */
export function refusalOf(refusal: ProviderRefusal, secret: string, now: Date): ApiError {
  const { name, status, headers, body } = refusal;
  if (BUSY.includes(status)) {
    const seconds = retryAfter(headers.get('retry-after'), now) ?? DEFAULT_RETRY_SECONDS;
    const wait = Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_RETRY_SECONDS);
    return new ServiceUnavailable(`${name} takes no requests at the moment; try again later`, {
      headers: { 'retry-after': String(wait) },
    });
  }
  if (status < 400 || status >= 500 || status === 408) {
    return new ProviderUnavailable(`${name} failed`, { cause: new Error(`it answered ${status}`) });
  }
  const { message } = readUpstreamError(body, secret);
  return new InvalidRequest(`${name} refused this: ${message ?? `it answered ${status}`}`, {
    metadata: { provider_status: status },
  });
}

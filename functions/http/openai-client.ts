import type { Headers } from './call.ts';
import type { ErrorDescription } from './response.ts';

/**
 * Whether one of OpenAI's own clients calls, which reads that service's objects: `OpenAI/JS 7.55.0`,
 * `AsyncOpenAI/Python 2.8.1`.
 */
export const isOpenaiClient = ({ 'user-agent': agent = '' }: Headers): boolean =>
  /^(?:Async)?OpenAI\//.test(agent);

const TYPES: Readonly<Record<number, string>> = { 402: 'insufficient_quota', 429: 'rate_limit_error' };

/** What that service's errors have beside ours. Its `code` is a word; in ours it is the status, for all clients. */
export const openaiErrorFields = ({ status, metadata }: ErrorDescription) => ({
  type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param: metadata?.path ?? null,
});

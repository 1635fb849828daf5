import * as v from 'valibot';
import type { Headers } from './call.ts';
import type { ErrorDescription } from './response.ts';

/**
 * Whether a client calls that expects OpenAI's objects: one of its own (`OpenAI/JS 7.55.0`, `AsyncOpenAI/Python 2.8.1`), or
 * LiteLLM, which has its own requests for videos (`litellm/1.110.2`).
 */
export const isOpenaiClient = ({ 'user-agent': agent = '' }: Headers): boolean =>
  /^(?:(?:Async)?OpenAI|litellm)\//.test(agent);

const TYPES: Readonly<Record<number, string>> = { 402: 'insufficient_quota', 429: 'rate_limit_error' };

/**
 * The fields of that service's errors that ours do not have. Its `code` is a word; ours stays the status, for all
 * clients.
 */
export const openaiErrorFields = ({ status, metadata }: ErrorDescription) => ({
  type: TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
  param: metadata?.path ?? null,
});

/**
 * Which names a deployment uses where there are two on the wire: `native` ones are our own; `openrouter` ones are that
 * service's, so that its SDK and its receivers of webhooks find what they expect.
 */
export const WIRE_NAMES = ['native', 'openrouter'] as const;
export const wireNamesSchema = v.picklist(WIRE_NAMES);
export type WireNames = v.InferOutput<typeof wireNamesSchema>;

const OPENROUTER_NAMES = { native: 'openrouter', provider_a: 'openai', provider_b: 'anthropic' } as const;
export type NeutralName = keyof typeof OPENROUTER_NAMES;

/** The name in answers; requests may always use either. */
export function wireName(name: NeutralName, names: WireNames): string {
  return names === 'openrouter' ? OPENROUTER_NAMES[name] : name;
}

import type { Headers } from '../http/authentication.ts';

/** The three forms in which a file is described: ours, and those of two providers' own file APIs. */
export type Shape = 'native' | 'provider_a' | 'provider_b';

/** A client of a provider is known by its headers, so that it gets the shape that it parses. */
export function chooseShape(headers: Headers): Shape {
  if (headers['anthropic-version'] !== undefined) return 'provider_b';
  if (/^OpenAI\//.test(headers['user-agent'] ?? '')) return 'provider_a';
  return 'native';
}

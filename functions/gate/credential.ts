import type { Headers } from '../http/call.ts';
import { invalidKey, Unauthenticated } from '../http/errors.ts';

const LONGEST_CREDENTIAL = 256;

/** The caller's `Authorization`, whichever of its two headers it comes in. */
export function authorizationOf(headers: Headers): string {
  const { authorization = '', 'x-api-key': apiKey = '' } = headers;
  return authorization === '' && apiKey !== '' ? `Bearer ${apiKey}` : authorization;
}

/** @throws Unauthenticated */
export function readCredential(headers: Headers): string {
  const value = authorizationOf(headers);
  if (value === '')
    throw new Unauthenticated('Missing Authentication header; send Authorization: Bearer <your API key>');
  const match = value.length <= LONGEST_CREDENTIAL ? /^bearer +([!-~]+)$/i.exec(value) : null;
  if (match?.[1] === undefined) throw invalidKey();
  return match[1];
}

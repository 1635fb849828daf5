import * as v from 'valibot';
import { type Call, query } from '../http/call.ts';
import { type ApiResponse, json, redirect } from '../http/response.ts';
import { trueOrFalse } from '../http/validation.ts';
import type { SignedLink } from './links.ts';

/** The query of every operation that leads to a signed link. */
export const linkQuery = {
  redirect: v.optional(
    v.pipe(
      trueOrFalse,
      v.description(
        '`false` returns the link instead of a redirect. Use it in browsers, where scripts cannot read redirects',
      ),
    ),
    'true',
  ),
};

/** The answer with `?redirect=false`. */
export const linkSchema = v.object({
  url: v.pipe(
    v.string(),
    v.metadata({ format: 'uri' }),
    v.description('Link to the content. It needs no key'),
  ),
  expires_at: v.pipe(v.string(), v.isoTimestamp(), v.description('When the link expires')),
});

/** False where the caller asks for `?redirect=false`. @throws InvalidRequest */
export function wantsRedirect(call: Pick<Call, 'query'>): boolean {
  const { redirect: wanted } = query(call, linkQuery);
  return wanted === 'true';
}

/**
 * Redirects the caller to the link. With `?redirect=false` the answer names it instead, because browsers cannot read a
 * redirect.
 * @param headers what else is said of the bytes there
 */
export function linkAnswer(
  call: Pick<Call, 'query'>,
  { url, expiresAt }: SignedLink,
  headers: Record<string, string> = {},
): ApiResponse {
  if (wantsRedirect(call)) return redirect(url, headers);
  return json(200, { url, expires_at: expiresAt.toISOString() }, headers);
}

import * as v from 'valibot';
import type { SignedLink } from '../aws/sign-download.ts';
import { type Call, query } from './call.ts';
import { type ApiResponse, json, redirect } from './response.ts';

/** False where the caller asks for `?redirect=false`. @throws InvalidRequest */
export function wantsRedirect(call: Call): boolean {
  const { redirect: wanted } = query(call, {
    redirect: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'true'),
  });
  return wanted === 'true';
}

/** Sends the caller there; with `?redirect=false` tells it where, because browsers cannot read a redirect. */
export function linkAnswer(call: Call, { url, expiresAt }: SignedLink): ApiResponse {
  return wantsRedirect(call) ? redirect(url) : json(200, { url, expires_at: expiresAt.toISOString() });
}

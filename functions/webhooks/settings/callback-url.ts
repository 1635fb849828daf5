import { type AllowedHosts, checkUrl, EgressRefused } from '../../egress/url-policy.ts';
import { invalidField } from '../../http/errors.ts';

/**
 * Checks a webhook address from a caller. It is checked again at each attempt, because names change.
 * @throws InvalidRequest that names the field
 */
export function checkedCallbackUrl(url: string, field: string, allowed: AllowedHosts): string {
  try {
    return checkUrl(url, allowed).href;
  } catch (error) {
    if (!(error instanceof EgressRefused)) throw error;
    throw invalidField(field, error.message, { cause: error });
  }
}

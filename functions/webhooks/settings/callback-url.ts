import type { AllowedHosts } from '../../egress/allowed-hosts.ts';
import { checkUrl, EgressRefused } from '../../egress/url-policy.ts';
import { invalidField } from '../../http/invalid-field.ts';

/**
 * A webhook address as a caller may name it. Judged again at each attempt, because names change.
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

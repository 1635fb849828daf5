import type { Headers } from '../http/call.ts';
import { VIEWER_ADDRESS_HEADER } from '../http/edge-headers.ts';
import { Unauthenticated } from '../http/errors.ts';
import type { Authenticator } from './authentication.ts';
import type { Entrance } from './entrance.ts';
import type { UnauthenticatedBudget } from './unauthenticated-budget.ts';

/**
 * Looks up no more credentials for an address that has sent too many wrong ones. For servers only: a function has the
 * memory of one among many, and sees few requests.
 */
export function budgetedAuthenticator(
  inner: Authenticator,
  budget: Pick<UnauthenticatedBudget, 'count' | 'refusalOf'>,
  entrance: Pick<Entrance, 'edgeSecretsSha256'>,
): Authenticator {
  return {
    async authenticate(headers, access) {
      const address = viewerAddress(headers, entrance);
      if (address === undefined) return inner.authenticate(headers, access);
      const refusal = budget.refusalOf(address);
      if (refusal !== undefined) throw refusal;
      try {
        return await inner.authenticate(headers, access);
      } catch (error) {
        if (error instanceof Unauthenticated) budget.count(address);
        throw error;
      }
    },
  };
}

/** The edge's word. Without an edge any caller could set that header, so it counts for nothing. */
function viewerAddress(
  headers: Headers,
  { edgeSecretsSha256 }: Pick<Entrance, 'edgeSecretsSha256'>,
): string | undefined {
  return edgeSecretsSha256.length === 0 ? undefined : headers[VIEWER_ADDRESS_HEADER];
}

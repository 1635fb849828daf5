import type { Route } from '../http/routes.ts';
import type { HeaderName } from './headers.ts';
import type { Operation, RefusalStatus } from './operation.ts';

interface Refusal {
  readonly name: string;
  readonly says: string;
  readonly headers?: readonly HeaderName[];
}

const RATE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** Every status of an error; all of them have the same body. */
export const REFUSALS: Readonly<Record<RefusalStatus, Refusal>> = {
  400: { name: 'InvalidRequest', says: 'The request is invalid. The message says why.' },
  401: {
    name: 'Unauthenticated',
    says: 'The key, the session, the authorization code or the signature of a provider’s callback is missing, invalid or expired, or the key is disabled.',
    headers: ['www-authenticate'],
  },
  402: {
    name: 'PaymentRequired',
    says: 'The maximum cost of the job exceeds the remaining amount of a limit, a budget or the credits. The message says which.',
  },
  403: {
    name: 'PermissionDenied',
    says: 'The caller may not perform this operation or, for an upload, the file would exceed the storage quota of the workspace.',
  },
  404: { name: 'NotFound', says: 'The object does not exist, or the key may not see or use it.' },
  409: { name: 'Conflict', says: 'The current state does not permit this operation. The message says why.' },
  410: { name: 'Gone', says: 'The result has expired, or was deleted with its workspace.' },
  413: { name: 'PayloadTooLarge', says: 'The file, the part or the request body is too large.' },
  429: {
    name: 'RateLimited',
    says: 'Too many requests. Retry after `retry-after` seconds.',
    headers: ['retry-after', ...RATE],
  },
  500: {
    name: 'ServerError',
    says: 'An internal error. Retry the request, with the same `Idempotency-Key` if you sent one.',
    headers: ['retry-after'],
  },
  502: {
    name: 'ProviderFailed',
    says: 'The provider, or the identity provider, failed or returned an invalid response.',
  },
  503: {
    name: 'Busy',
    says: 'The deployment or the provider cannot handle the request at the moment. Retry after `retry-after` seconds.',
    headers: ['retry-after'],
  },
};

/** Every refusal of an operation: what its row says, and what follows from its route. */
export function refusalsOf(route: Route, operation: Operation): RefusalStatus[] {
  const { access, limit, answers503 } = route;
  const takesInput = [operation.query, operation.body, operation.form, operation.idempotencyKey];
  const statuses = new Set<RefusalStatus>([500, ...(operation.refuses ?? [])]);
  if (takesInput.some((each) => each !== undefined)) statuses.add(400);
  // Any key may be limited by its scope.
  if (access !== 'public') statuses.add(401).add(403);
  if (limit !== undefined) statuses.add(429);
  if (answers503) statuses.add(503);
  return [...statuses].sort((a, b) => a - b);
}

/** The headers of an answer that is not a refusal. */
export const rateHeaders = ({ limit }: Route): readonly HeaderName[] => (limit === undefined ? [] : RATE);

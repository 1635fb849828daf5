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
  400: { name: 'InvalidRequest', says: 'The request is wrong; the message says what would be right.' },
  401: { name: 'Unauthenticated', says: 'The key is missing or no good.', headers: ['www-authenticate'] },
  402: { name: 'PaymentRequired', says: 'It does not fit what is left; the message says of what.' },
  403: { name: 'PermissionDenied', says: 'The key is good, but not for this.' },
  404: { name: 'NotFound', says: 'There is no such thing, or the key may not see it.' },
  409: { name: 'Conflict', says: 'It cannot be done in the state that the thing is in.' },
  410: { name: 'Gone', says: 'It was kept for as long as was said, and is gone.' },
  413: { name: 'PayloadTooLarge', says: 'The file is larger than 100 MiB.' },
  429: { name: 'RateLimited', says: 'Too many requests of this kind.', headers: ['retry-after', ...RATE] },
  500: { name: 'ServerError', says: 'Something went wrong on our side.', headers: ['retry-after'] },
  502: { name: 'ProviderFailed', says: 'The provider failed.' },
  503: { name: 'Busy', says: 'This service or the provider is busy.', headers: ['retry-after'] },
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

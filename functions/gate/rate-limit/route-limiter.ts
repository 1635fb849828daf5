import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { log } from '../../aws/logger.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import type { Principal } from '../../http/principal.ts';
import { type Route, type RouteId, routes } from '../../http/routes.ts';
import { BucketStore } from './bucket-store.ts';
import { RateLimiter } from './rate-limiter.ts';

/** Takes a token for a call and gives the headers of its answer. @throws RateLimited */
export type TakeToken = (principal: Principal) => Promise<Record<string, string>>;

/** The limiter of a route over the deployment's buckets; undefined where the route has no limit. */
export function routeLimiter(routeId: RouteId): TakeToken | undefined {
  const { limit }: Route = routes[routeId];
  if (limit === undefined) return undefined;
  const { BUCKETS_TABLE, REQUESTS_PER_MINUTE } = readEnvironment({
    BUCKETS_TABLE: v.string(),
    REQUESTS_PER_MINUTE: v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1)),
  });
  const limiter = new RateLimiter({
    buckets: new BucketStore(dynamo, BUCKETS_TABLE),
    now: systemClock,
    log,
    perMinute: REQUESTS_PER_MINUTE,
  });
  return (principal) => limiter.take(principal, limit);
}

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { AuditTrail } from '../audit/audit-trail.ts';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import type { Call } from '../http/call.ts';
import type { KeyedRoute, PathParameters, Route } from '../http/routes.ts';
import { KeyStore } from '../keys/key-store.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { log } from '../telemetry/logger.ts';
import { countRequest } from '../telemetry/metrics.ts';
import { type ReplayPorts, ReplayStore } from './answer-once.ts';
import { recorded } from './auditing.ts';
import { createAuthenticator } from './authentication.ts';
import { BucketStore } from './bucket-store.ts';
import { deployedEntrance } from './entrance.ts';
import type { Gate } from './gate.ts';
import { RateLimiter } from './rate-limiter.ts';

const requestRate = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1));

export interface DeployedGate extends Gate {
  /** Settles when the uses of all keys accepted so far are noted. */
  usesNoted(): Promise<void>;
}

/** The gate of a route over the deployment's tables, for every transport. */
export function deployedGate(route: KeyedRoute): DeployedGate {
  const keys = new KeyStore(dynamo, setting('keysTable'));
  const uses = new KeyUses(keys, systemClock, log);
  return {
    entrance: deployedEntrance(),
    authenticator: createAuthenticator(keys, uses, systemClock),
    takeToken: routeLimiter(route),
    countRequest,
    usesNoted: () => uses.settled(),
  };
}

export const deployedReplays = (): ReplayPorts => ({
  replays: new ReplayStore(dynamo, setting('replaysTable')),
  now: systemClock,
});

/** Records the changes of a route in the deployment's audit trail. */
export function recorder({ id }: Route): NonNullable<Gate<Call<PathParameters>>['record']> {
  const trail = new AuditTrail(dynamo, setting('auditTable'));
  const ports = { trail, now: systemClock, newName: () => randomBytes(4).toString('hex') };
  return (call, operate) => recorded(id, call, operate, ports);
}

/** The limiter over the deployment's buckets. */
export function rateLimiter(): RateLimiter {
  const buckets = new BucketStore(dynamo, setting('bucketsTable'));
  return new RateLimiter({ buckets, now: systemClock, log });
}

function routeLimiter({ limit }: Route): Gate['takeToken'] {
  if (limit === undefined) return async () => ({});
  const limiter = rateLimiter();
  const perMinute = setting('requestsPerMinute', requestRate);
  return (principal) => limiter.takeOfKey(principal, limit, perMinute);
}

import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { AuditTrail } from '../audit/audit-trail.ts';
import { dynamo } from '../aws/dynamo.ts';
import { systemClock } from '../clock.ts';
import { setting } from '../environment.ts';
import type { KeyedRoute, Route } from '../http/routes.ts';
import { KeyStore } from '../keys/key-store.ts';
import { KeyUses } from '../keys/key-uses.ts';
import { log } from '../telemetry/logger.ts';
import { type ReplayPorts, ReplayStore } from './answer-once.ts';
import type { AuditPorts } from './auditing.ts';
import { createAuthenticator } from './authentication.ts';
import { BucketStore } from './bucket-store.ts';
import type { Guards } from './gate.ts';
import { RateLimiter } from './rate-limiter.ts';

const requestRate = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(1));

export interface DeployedGuards extends Guards {
  /** Settles when the uses of all keys accepted so far are noted. */
  usesNoted(): Promise<void>;
}

/** The guards of a route over the deployment's tables, for every transport. */
export function deployedGuards(route: KeyedRoute): DeployedGuards {
  const keys = new KeyStore(dynamo, setting('keysTable'));
  const uses = new KeyUses(keys, systemClock, log);
  return {
    authenticator: createAuthenticator(keys, uses, systemClock),
    takeToken: routeLimiter(route),
    usesNoted: () => uses.settled(),
  };
}

export const deployedReplays = (): ReplayPorts => ({
  replays: new ReplayStore(dynamo, setting('replaysTable')),
  now: systemClock,
});

export const deployedAudit = (): AuditPorts => ({
  trail: new AuditTrail(dynamo, setting('auditTable')),
  now: systemClock,
  newName: () => randomBytes(4).toString('hex'),
});

/** The limiter over the deployment's buckets. */
export function rateLimiter(): RateLimiter {
  const buckets = new BucketStore(dynamo, setting('bucketsTable'));
  return new RateLimiter({ buckets, now: systemClock, log });
}

function routeLimiter({ limit }: Route): Guards['takeToken'] {
  if (limit === undefined) return async () => ({});
  const limiter = rateLimiter();
  const perMinute = setting('requestsPerMinute', requestRate);
  return (principal) => limiter.takeOfKey(principal, limit, perMinute);
}

import { RateLimited } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import type { LimitedClass } from '../../http/routes.ts';
import type { Log } from '../../log.ts';
import { microseconds } from './bucket.ts';
import type { BucketStore, Taking } from './bucket-store.ts';

/** Operations that cost nothing but a read go on when the limits cannot be checked; others do not. */
const FAILS_OPEN: Readonly<Record<LimitedClass, boolean>> = {
  read: true,
  admin: true,
  upload: false,
  submit: false,
};

export interface RateLimiterPorts {
  readonly buckets: Pick<BucketStore, 'take'>;
  readonly now: () => Date;
  readonly log: Log;
  /** For keys that have no rate of their own. */
  readonly perMinute: number;
}

/** One bucket for each key and class of operations. */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a token and tells what is left, as headers of the answer.
   * @throws RateLimited with the time at which there will be one
   */
  async take(principal: Principal, limited: LimitedClass): Promise<Record<string, string>> {
    const { buckets, now, log } = this.#ports;
    const perMinute = principal.rateLimits[limited] ?? this.#ports.perMinute;
    const at = now();
    try {
      const taking = await buckets.take(`${principal.keyHash}#${limited}`, { perMinute }, at);
      if (!taking.taken) throw refusal(taking, perMinute, at);
      return describe(taking.tokensLeft, taking.fullAt, perMinute);
    } catch (error) {
      if (error instanceof RateLimited || !FAILS_OPEN[limited]) throw error;
      log.error('rate limit not checked', { error });
      return {};
    }
  }
}

function refusal(taking: Taking & { taken: false }, perMinute: number, at: Date): RateLimited {
  const waitSeconds = Math.ceil((taking.nextTokenAt - microseconds(at)) / 1_000_000);
  return new RateLimited(
    `This key may make ${perMinute} requests of this kind a minute; try again in ${waitSeconds} s`,
    { headers: { ...describe(0, taking.fullAt, perMinute), 'retry-after': String(waitSeconds) } },
  );
}

/** The reset is the second, in Unix time, at which the bucket is full again. */
const describe = (left: number, fullAt: number, perMinute: number): Record<string, string> => ({
  'x-ratelimit-limit': String(perMinute),
  'x-ratelimit-remaining': String(left),
  'x-ratelimit-reset': String(Math.ceil(fullAt / 1_000_000)),
});

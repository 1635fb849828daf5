import { RateLimited } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import type { LimitedClass } from '../../http/routes.ts';
import type { Log } from '../../log.ts';
import { microseconds } from './bucket.ts';
import type { BucketStore, Taking } from './bucket-store.ts';

/** Which operations go on when the limits cannot be checked: those that take neither storage nor a provider's work. */
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
}

/** Whose calls are counted together, and how many they may be. */
interface Share {
  readonly id: string;
  /** As the refusal calls them. */
  readonly owner: 'key' | 'workspace';
  readonly perMinute: number;
  readonly failsOpen: boolean;
}

/** One bucket for each key and class of operations, and for what the keys of a workspace share. */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a token of a key and tells what is left, as headers of the answer.
   * @param usual for keys that have no rate of their own
   * @throws RateLimited with the time at which there will be one
   */
  takeOfKey(principal: Principal, limited: LimitedClass, usual: number): Promise<Record<string, string>> {
    const perMinute = principal.rateLimits[limited] ?? usual;
    const id = `${principal.keyHash}#${limited}`;
    return this.#take({ id, owner: 'key', perMinute, failsOpen: FAILS_OPEN[limited] });
  }

  /** Takes a token of what all keys of a workspace share. @throws RateLimited */
  async takeOfWorkspace(workspaceId: string, what: string, perMinute: number): Promise<void> {
    const id = `workspace#${workspaceId}#${what}`;
    await this.#take({ id, owner: 'workspace', perMinute, failsOpen: false });
  }

  async #take(share: Share): Promise<Record<string, string>> {
    const { buckets, now, log } = this.#ports;
    const { id, perMinute } = share;
    const at = now();
    try {
      const taking = await buckets.take(id, { perMinute }, at);
      if (!taking.taken) throw refusal(share, taking, at);
      return describe(taking.tokensLeft, taking.fullAt, perMinute);
    } catch (error) {
      if (error instanceof RateLimited || !share.failsOpen) throw error;
      log.error('rate limit not checked', { error });
      return {};
    }
  }
}

function refusal({ owner, perMinute }: Share, taking: Taking & { taken: false }, at: Date): RateLimited {
  const waitSeconds = Math.ceil((taking.nextTokenAt - microseconds(at)) / 1_000_000);
  return new RateLimited(
    `This ${owner} may make ${perMinute} requests of this kind a minute; try again in ${waitSeconds} s`,
    { headers: { ...describe(0, taking.fullAt, perMinute), 'retry-after': String(waitSeconds) } },
  );
}

/** The reset is the second, in Unix time, at which the bucket is full again. */
const describe = (left: number, fullAt: number, perMinute: number): Record<string, string> => ({
  'x-ratelimit-limit': String(perMinute),
  'x-ratelimit-remaining': String(left),
  'x-ratelimit-reset': String(Math.ceil(fullAt / 1_000_000)),
});

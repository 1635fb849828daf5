import type { Principal } from '../http/call.ts';
import { RateLimited } from '../http/errors.ts';
import type { LimitedClass } from '../http/routes.ts';
import { networkOf } from '../keys/networks.ts';
import type { Log } from '../telemetry/log.ts';
import { type BucketStore, microseconds, type Taking } from './bucket-store.ts';

/** Which operations go on when the limits cannot be checked: those that use neither storage nor a provider. */
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

/** Whose calls are counted together, and how many are allowed. */
interface Share {
  readonly id: string;
  /** The word for it in the refusal. */
  readonly owner: 'key' | 'workspace' | 'IP address or network';
  readonly what: string;
  readonly perMinute: number;
  readonly failsOpen: boolean;
}

/** One bucket for each key and class of operations, and one for each thing that the keys of a workspace share. */
export class RateLimiter {
  readonly #ports: RateLimiterPorts;

  constructor(ports: RateLimiterPorts) {
    this.#ports = ports;
  }

  /**
   * Takes a token of a key and returns what is left, as headers of the answer.
   * @param usual the rate of keys that have none of their own
   * @throws RateLimited with the time of the next token
   */
  takeOfKey(principal: Principal, limited: LimitedClass, usual: number): Promise<Record<string, string>> {
    const perMinute = principal.rateLimits[limited] ?? usual;
    const id = `${principal.keyHash}#${limited}`;
    return this.#take({
      id,
      owner: 'key',
      what: `\`${limited}\``,
      perMinute,
      failsOpen: FAILS_OPEN[limited],
    });
  }

  /**
   * Takes a token that all keys of a workspace share.
   * @throws RateLimited
   */
  async takeOfWorkspace(workspaceId: string, what: string, perMinute: number): Promise<void> {
    const id = `workspace#${workspaceId}#${what}`;
    await this.#take({ id, owner: 'workspace', what, perMinute, failsOpen: false });
  }

  /**
   * Takes a token of an address, for what nobody needs a key for. Those that are unknown share one.
   * @throws RateLimited
   */
  async takeOfAddress(address: string | undefined, what: string, perMinute: number): Promise<void> {
    const id = `address#${address === undefined ? 'unknown' : networkOf(address)}#${what}`;
    await this.#take({ id, owner: 'IP address or network', what, perMinute, failsOpen: false });
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

/** What is counted, as it stands before “rate limit” where its own name would not do. */
const KINDS: Readonly<Partial<Record<string, string>>> = {
  redeliver: 'redelivery and test',
  recover: 'recovery',
  wait: 'waiting',
};

function refusal(
  { owner, what, perMinute }: Share,
  taking: Taking & { taken: false },
  at: Date,
): RateLimited {
  const waitSeconds = Math.ceil((taking.nextTokenAt - microseconds(at)) / 1_000_000);
  const requests = `${perMinute} ${perMinute === 1 ? 'request' : 'requests'}`;
  return new RateLimited(
    `The ${KINDS[what] ?? what} rate limit of this ${owner} is ${requests} per minute; try again in ${waitSeconds} s`,
    { headers: { ...describe(0, taking.fullAt, perMinute), 'retry-after': String(waitSeconds) } },
  );
}

/** The reset is the Unix second in which the bucket is full again. */
const describe = (left: number, fullAt: number, perMinute: number): Record<string, string> => ({
  'x-ratelimit-limit': String(perMinute),
  'x-ratelimit-remaining': String(left),
  'x-ratelimit-reset': String(Math.ceil(fullAt / 1_000_000)),
});

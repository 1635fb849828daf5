import QuickLRU from 'quick-lru';
import { RateLimited, Unauthenticated } from '../http/errors.ts';
import { hashKey } from '../keys/key-format.ts';
import { networkOf } from '../keys/networks.ts';
import { type Authenticator, authorizationOf } from './authentication.ts';
import { type Entrance, viewerAddress } from './entrance.ts';

const WINDOW_MILLISECONDS = 60_000;
const ACCEPTED_KEYS = 1_000;

export interface UnauthenticatedLimits {
  readonly perMinute: number;
  /** How many addresses are remembered; beyond that, the quietest are forgotten. */
  readonly addresses: number;
}

/** How many 401s each address got within a minute, in the memory of one server. */
export class UnauthenticatedBudget {
  readonly #perMinute: number;
  readonly #now: () => Date;
  readonly #windows: QuickLRU<string, { readonly count: number; readonly until: number }>;

  constructor({ perMinute, addresses }: UnauthenticatedLimits, now: () => Date) {
    this.#perMinute = perMinute;
    this.#now = now;
    // The library keeps up to twice as many as it is told.
    this.#windows = new QuickLRU({ maxSize: Math.max(1, Math.floor(addresses / 2)) });
  }

  count(address: string): void {
    const network = networkOf(address);
    const { count, until } = this.#window(network);
    this.#windows.set(network, { count: count + 1, until });
  }

  /** The refusal for an address that has used up its budget, whatever it asks for. */
  refusalOf(address: string): RateLimited | undefined {
    const { count, until } = this.#window(networkOf(address));
    if (count < this.#perMinute) return undefined;
    const seconds = Math.ceil((until - this.#now().getTime()) / 1_000);
    const message = `Your IP address or network has sent too many requests without a valid key; try again in ${seconds} s`;
    return new RateLimited(message, {
      headers: {
        'retry-after': String(seconds),
        'x-ratelimit-limit': String(this.#perMinute),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(until / 1_000)),
      },
    });
  }

  #window(network: string) {
    const now = this.#now().getTime();
    const known = this.#windows.get(network);
    return known !== undefined && known.until > now ? known : { count: 0, until: now + WINDOW_MILLISECONDS };
  }
}

/**
 * Looks up no more credentials for an address that has sent too many wrong ones, but for those that were good before. For servers only: a function has the
 * memory of one among many, and sees few requests.
 */
export function budgetedAuthenticator(
  inner: Authenticator,
  budget: Pick<UnauthenticatedBudget, 'count' | 'refusalOf'>,
  entrance: Pick<Entrance, 'edgeSecretsSha256'>,
): Authenticator {
  /** By hash. Nobody can guess one of these, so their holders need not wait for whoever shares their address. */
  const accepted = new QuickLRU<string, true>({ maxSize: ACCEPTED_KEYS });
  return {
    async authenticate(headers, access) {
      const address = viewerAddress(headers, entrance);
      if (address === undefined) return inner.authenticate(headers, access);
      const hash = hashKey(authorizationOf(headers));
      const refusal = accepted.has(hash) ? undefined : budget.refusalOf(address);
      if (refusal !== undefined) throw refusal;
      try {
        const principal = await inner.authenticate(headers, access);
        accepted.set(hash, true);
        return principal;
      } catch (error) {
        if (error instanceof Unauthenticated) {
          accepted.delete(hash);
          budget.count(address);
        }
        throw error;
      }
    },
  };
}

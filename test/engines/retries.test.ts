import { describe, expect, test } from '@jest/globals';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { VirtualClock } from './clock.ts';
import { VirtualRetries } from './network.ts';
import { seededRandom } from './seeded-random.ts';

type Strategy = Pick<
  StandardRetryStrategy,
  'acquireInitialRetryToken' | 'refreshRetryTokenForRetry' | 'recordSuccess'
>;

const KINDS = ['THROTTLING', 'TRANSIENT', 'SERVER_ERROR', 'CLIENT_ERROR'] as const;

/** How often each of many calls is repeated, if it fails so often and in these ways. */
async function retries(strategy: Strategy, failing: number): Promise<readonly number[]> {
  const random = seededRandom(7);
  const counts: number[] = [];
  for (let call = 0; call < 150; call++) {
    let token = await strategy.acquireInitialRetryToken('');
    while (random() < failing) {
      const errorType = KINDS[Math.floor(random() ** 2 * KINDS.length)] ?? 'TRANSIENT';
      const next = await strategy.refreshRetryTokenForRetry(token, { errorType }).catch(() => undefined);
      if (next === undefined) break;
      token = next;
    }
    counts.push(token.getRetryCount());
    if (random() < 1 - failing) strategy.recordSuccess(token);
  }
  return counts;
}

describe('retries in virtual time', () => {
  test.each([0.1, 0.5, 0.9])('are those of the SDK, when a share of %d fails', async (failing) => {
    const atOnce = { computeNextBackoffDelay: () => 0, setDelayBase: () => undefined };
    const expected = await retries(new StandardRetryStrategy({ maxAttempts: 3, backoff: atOnce }), failing);
    const network = { clock: new VirtualClock(), random: () => 0 };
    expect(await retries(new VirtualRetries(3, network), failing)).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(1);
  });
});

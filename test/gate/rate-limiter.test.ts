import { describe, expect, test } from '@jest/globals';
import type { Rate, Taking } from '../../functions/gate/bucket-store.ts';
import { RateLimiter } from '../../functions/gate/rate-limiter.ts';
import type { Principal, RateLimits } from '../../functions/http/call.ts';
import { RateLimited } from '../../functions/http/errors.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const MICROSECONDS = NOW.getTime() * 1000;

const principalWith = (rateLimits: RateLimits = {}): Principal => ({
  keyHash: 'k1',
  kind: 'normal',
  workspaceId: 'w1',
  creator: 'k1',
  rateLimits,
  scope: UNLIMITED,
  endsAt: null,
});

/** A limiter over a bucket that gives this answer, or fails. */
function limiterOver(answer: Taking | Error) {
  const asked: [id: string, rate: Rate][] = [];
  const lines: string[] = [];
  const take = async (id: string, rate: Rate) => {
    asked.push([id, rate]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const line = (message: string) => void lines.push(message);
  const log = { info: line, warn: line, error: line };
  return { limiter: new RateLimiter({ buckets: { take }, now: () => NOW, log }), asked, lines };
}

const TAKEN: Taking = { taken: true, tokensLeft: 4, fullAt: MICROSECONDS + 1_500_000 };
const REFUSED: Taking = {
  taken: false,
  nextTokenAt: MICROSECONDS + 2_100_000,
  fullAt: MICROSECONDS + 60_000_000,
};

describe('the rate of a key', () => {
  test('is the stage’s, unless the key has its own in that class', async () => {
    const { limiter, asked } = limiterOver(TAKEN);
    await limiter.takeOfKey(principalWith({ submit: 7 }), 'read', 600);
    await limiter.takeOfKey(principalWith({ submit: 7 }), 'submit', 600);
    expect(asked).toEqual([
      ['k1#read', { perMinute: 600 }],
      ['k1#submit', { perMinute: 7 }],
    ]);
  });

  test('is in the response, with what is left of it', async () => {
    const { limiter } = limiterOver(TAKEN);
    expect(await limiter.takeOfKey(principalWith(), 'read', 5)).toEqual({
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '4',
      'x-ratelimit-reset': String(NOW.getTime() / 1000 + 2),
    });
  });

  test('of one request is said in the singular', async () => {
    const { limiter } = limiterOver(REFUSED);
    const refusal = limiter.takeOfKey(principalWith(), 'read', 1);
    await expect(refusal).rejects.toThrow('The `read` rate limit of this key is 1 request per minute');
  });

  test('once used up, leads to a refusal with the time to retry', async () => {
    const { limiter } = limiterOver(REFUSED);
    const refusal = await limiter.takeOfKey(principalWith(), 'read', 5).catch((error: unknown) => error);
    expect(refusal).toEqual(
      new RateLimited('The `read` rate limit of this key is 5 requests per minute; try again in 3 s'),
    );
    expect(refusal).toMatchObject({ headers: { 'retry-after': '3', 'x-ratelimit-remaining': '0' } });
  });

  test.each([
    [2_000_000, '2'],
    [2_000_001, '3'],
  ])('is refused with whole seconds that are enough: %i µs are %s s', async (wait, seconds) => {
    const { limiter } = limiterOver({ ...REFUSED, nextTokenAt: MICROSECONDS + wait });
    await expect(limiter.takeOfKey(principalWith(), 'read', 5)).rejects.toMatchObject({
      headers: { 'retry-after': seconds },
    });
  });

  test.each(['read', 'admin'] as const)('admits %s if it cannot be looked up, and logs it', async (kind) => {
    const { limiter, lines } = limiterOver(new Error('down'));
    expect(await limiter.takeOfKey(principalWith(), kind, 5)).toEqual({});
    expect(lines).toEqual(['rate limit not checked']);
  });

  test.each(['upload', 'submit'] as const)('refuses %s if it cannot be looked up', async (kind) => {
    const { limiter } = limiterOver(new Error('down'));
    await expect(limiter.takeOfKey(principalWith(), kind, 5)).rejects.toThrow('down');
  });
});

describe('the share of a workspace', () => {
  test('is one for all its keys, and apart from theirs', async () => {
    const { limiter, asked } = limiterOver(TAKEN);
    await limiter.takeOfWorkspace('w1', 'recover', 6);
    expect(asked).toEqual([['workspace#w1#recover', { perMinute: 6 }]]);
  });

  test('is named in the refusal when it is used up', async () => {
    const { limiter } = limiterOver(REFUSED);
    await expect(limiter.takeOfWorkspace('w1', 'recover', 6)).rejects.toThrow(
      'The recovery rate limit of this workspace is 6 requests per minute; try again in 3 s',
    );
  });

  test('refuses requests if it cannot be looked up', async () => {
    await expect(
      limiterOver(new Error('down')).limiter.takeOfWorkspace('w1', 'recover', 6),
    ).rejects.toThrow();
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  // Whoever has one address of IPv6 has all that begin like it.
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  [undefined, 'unknown'],
])('what needs no key is counted for %s as %s', async (address, network) => {
  const { limiter, asked } = limiterOver(TAKEN);
  await limiter.takeOfAddress(address, 'sign-in', 20);
  expect(asked).toEqual([[`address#${network}#sign-in`, { perMinute: 20 }]]);
});

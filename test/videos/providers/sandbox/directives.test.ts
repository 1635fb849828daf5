import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Json, ProviderError } from '../../../../functions/videos/providers/provider.ts';
import { parseDirectives } from '../../../../functions/videos/providers/sandbox-behaviour.ts';

const OUTCOMES =
  'completed, failed, moderated, expired, cancelled, done_without_url, garbage_status, truncated_bytes, html_instead_of_mp4';

function refusal(options: { [key: string]: Json }): string {
  try {
    parseDirectives(options);
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'refused') return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('parseDirectives', () => {
  test('asks for nothing by default', () => {
    expect(parseDirectives({})).toEqual({ outcome: 'completed', poll_errors: [] });
  });

  test.each<{ [key: string]: Json }>([
    { latency_s: 0 },
    { latency_s: 3600 },
    { latency_s: 0.5 },
    ...OUTCOMES.split(', ').map((outcome) => ({ outcome })),
    { poll_errors: [] },
    { poll_errors: [429, 500, 429] },
    { poll_errors: Array(20).fill(500) },
    { retry_after: 1 },
    { retry_after: 3600 },
    { submit: 'timeout_after_accept' },
    { submit: 429, submit_lasts_s: 0 },
    { submit: 500, submit_lasts_s: 3600 },
    { submit: 402 },
  ])('takes %j', (options) => expect(parseDirectives(options)).toMatchObject(options));

  test.each<[{ [key: string]: Json }, string]>([
    [{ latency_s: -0.001 }, 'latency_s: must be a number from 0 to 3600'],
    [{ latency_s: 3600.1 }, 'latency_s: must be a number from 0 to 3600'],
    [{ latency_s: '5' }, 'latency_s: must be a number from 0 to 3600'],
    [{ outcome: 'done' }, `outcome: must be one of ${OUTCOMES}`],
    [{ outcome: null }, `outcome: must be one of ${OUTCOMES}`],
    [{ poll_errors: 429 }, 'poll_errors: must be a list; each item must be one of 429, 500'],
    [{ poll_errors: [429, 404] }, 'poll_errors.1: must be one of 429, 500'],
    [{ poll_errors: Array(21).fill(500) }, 'poll_errors: must have at most 20 items'],
    [{ retry_after: 0 }, 'retry_after: must be a whole number from 1 to 3600'],
    [{ retry_after: '5' }, 'retry_after: must be a whole number from 1 to 3600'],
    [{ retry_after: 1.5 }, 'retry_after: must be a whole number from 1 to 3600'],
    [{ retry_after: 3601 }, 'retry_after: must be a whole number from 1 to 3600'],
    [{ submit: 'timeout' }, 'submit: must be one of timeout_after_accept, 429, 500, 402'],
    [{ submit: '429' }, 'submit: must be one of timeout_after_accept, 429, 500, 402'],
    [{ submit_lasts_s: -1 }, 'submit_lasts_s: must be a number from 0 to 3600'],
    [
      { outcom: 'failed' },
      'outcom: is not known; supported: latency_s, outcome, poll_errors, retry_after, submit, submit_lasts_s',
    ],
    [
      { cost_usd: 1 },
      'cost_usd: is not known; supported: latency_s, outcome, poll_errors, retry_after, submit, submit_lasts_s',
    ],
  ])('refuses %j and says why', (options, message) => {
    expect(refusal(options)).toBe(`provider.options.sandbox.${message}`);
  });

  test('accepts or refuses any JSON, and never crashes', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<Json>);
    fc.assert(
      fc.property(json, (options) => {
        try {
          parseDirectives(options);
        } catch (error) {
          expect(error).toBeInstanceOf(ProviderError);
        }
      }),
    );
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { verifyWebhook } from '../../docs/webhooks/verify.ts';
import { type Case, cases, event } from './deliveries.ts';

// New processes start slowly while many tests run.
jest.setTimeout(30_000);

const samples = join(import.meta.dirname, '../../docs/webhooks');

const judge = ({ body, headers, secrets, now }: Case): unknown =>
  verifyWebhook(body, headers, secrets, new Date(now * 1000));

const summary = (accepted: (each: Case, index: number) => boolean) =>
  cases.map((each, index) => [each.name, accepted(each, index)]);
const expected = summary(({ accepted }) => accepted);

describe('the verifier in TypeScript', () => {
  test('accepts what was sent, and nothing with a byte changed', () => {
    const accepts = (each: Case) => {
      try {
        expect(judge(each)).toEqual(event);
        return true;
      } catch {
        return false;
      }
    };
    expect(summary(accepts)).toEqual(expected);
  });

  test('uses the clock if it gets no time', () => {
    const [sent] = cases;
    expect(() => verifyWebhook(sent!.body, sent!.headers, sent!.secrets)).toThrow(/too old or too new/);
  });
});

describe('the verifier in Python', () => {
  test('accepts what was sent, and nothing with a byte changed', () => {
    const input = JSON.stringify(cases.map((each) => ({ ...each, body: each.body.toString('base64') })));
    const run = [join(import.meta.dirname, 'run_verifier.py'), samples];
    const events = JSON.parse(execFileSync('python3', run, { input, encoding: 'utf8' }));
    expect(summary((_, index) => events[index] !== null)).toEqual(expected);
    expect(events[0]).toEqual(event);
  });
});

test.each([
  ['verify.ts', 'timingSafeEqual(each, expected)'],
  ['verify.py', 'hmac.compare_digest(expected, given.encode())'],
])('%s compares signatures in constant time', (file, comparison) => {
  expect(readFileSync(join(samples, file), 'utf8')).toContain(comparison);
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Evidence, holds, logsWith, readQueues, readTables } from './evidence.ts';
import { type Planted, plantSecrets } from './planted-secrets.ts';

/** Each planted value that some rows may contain, and their table. The caller asked to have these values stored. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'the prompt': /Jobs/,
  'an option for the provider': /Jobs/,
  'a field of a broken row': /Jobs|Files/,
  'the token of a callback URL': /Jobs|WebhooksEvents|WebhooksSettings/,
};

let planted: Planted;
let logs: string;
let tables: Evidence;
let queues: Evidence;

beforeAll(async () => {
  planted = await plantSecrets();
  logs = await logsWith(planted.marks);
  tables = await readTables();
  queues = await readQueues();
}, 120_000);

describe('a planted secret', () => {
  const found = (text: string) =>
    [...planted.secrets].filter(([, secret]) => holds(text, secret)).map(([name]) => name);

  test('is found by the search, in every encoding', () => {
    for (const secret of planted.secrets.values()) {
      for (const text of [secret, JSON.stringify({ a: secret }), `?a=${encodeURIComponent(secret)}`]) {
        expect(holds(text, secret)).toBe(true);
      }
      for (const before of ['', 'a', 'ab']) {
        expect(holds(Buffer.from(`${before}${secret} and more`).toString('base64'), secret)).toBe(true);
      }
      expect(holds(secret.slice(0, -1), secret)).toBe(false);
    }
    expect(planted.secrets.size).toBe(13);
  });

  test('is in no line of any log, and so in no metric', () => {
    expect(logs).toMatch(/"_aws":\{.*"Namespace":"Genway\/local"/);
    expect(logs).toContain('request failed');
    expect(logs).toContain('webhook attempted');
    expect(found(logs)).toEqual([]);
  });

  test('is only in the rows that store it', () => {
    expect(tables.size).toBeGreaterThanOrEqual(5);
    for (const [table, rows] of tables) {
      expect([table, found(rows).filter((name) => !ALLOWED[name]?.test(table))]).toEqual([table, []]);
    }
    const jobs = [...tables].find(([table]) => /Jobs/.test(table))?.[1] ?? '';
    expect(found(jobs)).toContain('the prompt');
  });

  test('is in no message of any queue', () => {
    expect([...queues.keys()].filter((url) => /DeadLetter|Dlq/i.test(url))).not.toEqual([]);
    for (const [queue, messages] of queues) expect([queue, found(messages)]).toEqual([queue, []]);
  });

  test('is in no response, including refusals', () => {
    for (const { status, headers, body } of planted.answers) {
      expect([status, found(JSON.stringify([[...headers], body]))]).toEqual([status, []]);
    }
  });
});

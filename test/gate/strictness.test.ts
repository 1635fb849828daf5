import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { servePublic } from '../../functions/gate/gate.ts';
import { withStrictness } from '../../functions/gate/strictness.ts';
import { onUnknownField, query, type RequestHead } from '../../functions/http/call.ts';
import { json } from '../../functions/http/response.ts';

const head: RequestHead = {
  requestId: 'r1',
  method: 'GET',
  pattern: '/files',
  headers: {},
  path: {},
  query: {},
  publicUrl: 'https://genway.example',
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  warnings: [],
};
const OPENAI = { 'user-agent': 'AsyncOpenAI/Python 2.8.1' };
const ANTHROPIC = { 'anthropic-version': '2023-06-01' };

test.each<[boolean, RequestHead['headers'], boolean]>([
  [true, {}, true],
  [false, {}, false],
  [true, { 'x-genway-strict': 'false' }, false],
  [true, { 'x-genway-strict': 'False' }, false],
  [false, { 'x-genway-strict': 'true' }, true],
  [true, OPENAI, false],
  [true, ANTHROPIC, false],
  [false, { ...OPENAI, 'x-genway-strict': 'true' }, true],
  [false, { ...ANTHROPIC, 'x-genway-strict': 'true' }, true],
])('with the setting %s, %j is strict: %s', (isOn, headers, isStrict) => {
  const ask = (query: RequestHead['query']) => {
    const decided = withStrictness({ ...head, headers, query }, { isOn, queryParameters: ['limit'] });
    onUnknownField(decided)('durations is unknown', 'durations');
  };
  const refused = (path: string) => expect.objectContaining({ status: 400, metadata: { path } });
  if (isStrict) {
    expect(() => ask({ limit: '1', limt: '2' })).toThrow(refused('limt'));
    expect(() => ask({ limit: '1' })).toThrow(refused('durations'));
  } else ask({ limit: '1', limt: '2' });
});

test.each(['1', 'yes', '', 'true, false'])('a header that says neither is refused: %j', (said) => {
  const headers = { 'x-genway-strict': said };
  const decide = () => withStrictness({ ...head, headers }, { isOn: true, queryParameters: [] });
  const metadata = { path: 'x-genway-strict' };
  expect(decide).toThrow(expect.objectContaining({ status: 400, metadata }));
});

describe('a request without a key', () => {
  const gate = {
    entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
    countRequest: () => undefined,
  };
  const ask = async (strict: string, change: Partial<RequestHead> = {}, entries = { limit: v.string() }) => {
    const asked = {
      ...head,
      headers: { 'x-genway-strict': strict },
      query: { limit: '1', limt: '2' },
      warnings: [],
      ...change,
    };
    const answer = await servePublic(undefined, asked, gate, async (call) => json(200, query(call, entries)));
    return [answer.status, answer.headers['x-genway-warning']];
  };

  test('is refused for what it did not mean to ask, if it says so', async () => {
    expect(await ask('true')).toEqual([400, undefined]);
    expect(await ask('true', { query: { limit: '1' } })).toEqual([200, undefined]);
    expect(await ask('false')).toEqual([200, expect.stringContaining('limt')]);
  });

  test('is answered where it has changed something', async () => {
    expect(await ask('true', { method: 'POST' })).toEqual([200, expect.stringContaining('limt')]);
  });
});

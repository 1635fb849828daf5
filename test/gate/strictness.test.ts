import { expect, test } from '@jest/globals';
import { withStrictness } from '../../functions/gate/strictness.ts';
import { onUnknownField, type RequestHead } from '../../functions/http/call.ts';

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

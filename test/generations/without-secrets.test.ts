import { expect, test } from '@jest/globals';
import { promptToLog, withoutSecrets } from '../../functions/generations/content.ts';

test('settings are logged without fields whose names look like secrets', () => {
  const settings = {
    api_key: 'very-secret',
    apiKey: 'very-secret',
    authorization: 'very-secret',
    webhook_url: 'https://example.com/very-secret',
    api_keys: ['very-secret'],
    tokens: ['very-secret'],
    credentials: { user: { name: 'very-secret' }, more: [{ at: 'very-secret' }] },
    nested: { list: [{ access_token: 'very-secret' }], note: 'Bearer very-secret-0123456789' },
  };
  expect(JSON.stringify(withoutSecrets(settings))).not.toContain('very-secret');
  expect(withoutSecrets(settings)).toMatchObject({
    tokens: ['…'],
    nested: { list: [{ access_token: '…' }] },
  });
});

const PIXELS = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';
const INLINE = `data:image/png;base64,${PIXELS}`;

test('bytes of media in settings never get into the log', () => {
  const settings = { mask: INLINE, deep: [{ note: `like ${INLINE} here` }] };
  expect(withoutSecrets(settings)).toEqual({
    mask: 'data:image/png;base64,…',
    deep: [{ note: 'like data:image/png;base64,… here' }],
  });
});

test.each([
  [`A fox like ${INLINE}, at night`, 'A fox like data:image/png;base64,…, at night'],
  [
    'My key is sk-gw-v1-0123456789abcdef, keep it: mk-gw-v1-0123456789abcdef',
    'My key is sk-gw-v1-…, keep it: mk-gw-v1-…',
  ],
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw and sk-proj-0123456789abcdef0123', 'whsec_… and sk-…'],
  ['A bearer carries furniture, basic lighting, ?key=golden', undefined],
  ['Metadata: the database64, 4K', undefined],
])('the prompt "%s" is logged without bytes and keys, otherwise unchanged', (prompt, logged = prompt) => {
  expect(promptToLog(prompt)).toBe(logged);
});

test('everything else is logged as it was sent', () => {
  const settings = {
    max_tokens: 5,
    keyframes: ['a', 'b'],
    mode: 'pro',
    deep: { on: true, off: null, list: [1, 'two'] },
  };
  expect(withoutSecrets(settings)).toEqual(settings);
});

import { expect, test } from '@jest/globals';
import { withoutSecrets } from '../../functions/generations/without-secrets.ts';

test('settings are kept without what is named like a secret', () => {
  const settings = {
    api_key: 'very-secret',
    apiKey: 'very-secret',
    authorization: 'very-secret',
    webhook_url: 'https://example.com/very-secret',
    api_keys: ['very-secret'],
    credentials: { user: 'very-secret', more: [{ at: 'very-secret' }] },
    nested: { list: [{ access_token: 'very-secret' }], note: 'Bearer very-secret-0123456789' },
  };
  expect(JSON.stringify(withoutSecrets(settings))).not.toContain('very-secret');
  expect(withoutSecrets(settings)).toMatchObject({ nested: { list: [{ access_token: '…' }] } });
});

test('all else is as it was sent', () => {
  const settings = {
    max_tokens: 5,
    keyframes: ['a', 'b'],
    mode: 'pro',
    deep: { on: true, off: null, list: [1, 'two'] },
  };
  expect(withoutSecrets(settings)).toEqual(settings);
});

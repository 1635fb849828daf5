import { expect, test } from '@jest/globals';
import { describeWebhook } from '../../../functions/webhooks/settings/shown-webhook.ts';

const rotated = {
  default_callback_url: 'https://receiver.genway.dev/hook',
  disabled: null,
  secret_version: 3,
  previous_secret_until: 1_000,
};

test('settings name the secrets that sign, the previous one only until its overlap ends', () => {
  const names = (milliseconds: number) =>
    describeWebhook(rotated, new Date(milliseconds)).signing_secrets.map(({ name }) => name);
  expect(names(999)).toEqual(['secret-3', 'secret-2']);
  expect(names(1_000)).toEqual(['secret-3']);
});

test('settings that were never changed have one secret', () => {
  const unset = { default_callback_url: null, disabled: null, secret_version: 1, previous_secret_until: 0 };
  expect(describeWebhook(unset, new Date(1))).toEqual({
    default_callback_url: null,
    disabled: null,
    signing_secrets: [{ name: 'secret-1', expires_at: null }],
  });
});

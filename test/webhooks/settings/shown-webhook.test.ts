import { expect, test } from '@jest/globals';
import { describeWebhook } from '../../../functions/webhooks/settings/shown-webhook.ts';

const settings = { default_callback_url: null, disabled: null };

test('settings name the secrets that sign, the replaced ones only until their times', () => {
  const rotated = {
    ...settings,
    secret_version: 4,
    retiring_secrets: [
      { version: 3, until: 1_000 },
      { version: 2, until: 2_000 },
    ],
  };
  const names = (milliseconds: number) =>
    describeWebhook(rotated, new Date(milliseconds)).signing_secrets.map(({ name }) => name);
  expect(names(999)).toEqual(['secret-4', 'secret-3', 'secret-2']);
  expect(names(1_000)).toEqual(['secret-4', 'secret-2']);
  expect(names(2_000)).toEqual(['secret-4']);
});

test('settings that were never changed have one secret', () => {
  expect(describeWebhook({ ...settings, secret_version: 1, retiring_secrets: [] }, new Date(1))).toEqual({
    ...settings,
    signing_secrets: [{ name: 'secret-1', expires_at: null }],
  });
});

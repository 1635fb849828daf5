import { expect, test } from '@jest/globals';
import { derivedSecrets } from '../../functions/webhooks/signature.ts';

const secrets = derivedSecrets(async (name) => Buffer.from(name));
const settings = {
  default_callback_url: null,
  disabled: null,
  secret_version: 3,
  previous_secret_until: 1_000,
};

test.each([
  ['together with the previous one until that ends', 999, ['webhook-secret/w/3', 'webhook-secret/w/2']],
  ['alone after that', 1_000, ['webhook-secret/w/3']],
])('the newest secret signs %s', async (_, now, expected) => {
  const active = await secrets.active('w', settings, new Date(now));
  expect(active.map(String)).toEqual(expected);
});

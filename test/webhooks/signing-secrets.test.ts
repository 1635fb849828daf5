import { expect, test } from '@jest/globals';
import { derivedSecrets } from '../../functions/webhooks/signature.ts';

const secrets = derivedSecrets(async (name) => Buffer.from(name));
const settings = {
  default_callback_url: null,
  disabled: null,
  secret_version: 3,
  retiring_secrets: [
    { version: 2, until: 1_000 },
    { version: 1, until: 2_000 },
  ],
};

test.each([
  [
    'together with those that it has replaced',
    999,
    ['webhook-secret/w/3', 'webhook-secret/w/2', 'webhook-secret/w/1'],
  ],
  ['together with the one whose time has not come', 1_000, ['webhook-secret/w/3', 'webhook-secret/w/1']],
  ['alone after that', 2_000, ['webhook-secret/w/3']],
])('the newest secret signs %s', async (_, now, expected) => {
  const active = await secrets.active('w', settings, new Date(now));
  expect(active.map(String)).toEqual(expected);
});

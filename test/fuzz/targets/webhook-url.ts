import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { InvalidRequest } from '../../../functions/http/errors.ts';
import { checkedCallbackUrl } from '../../../functions/webhooks/settings/callback-url.ts';

export const URL_SEEDS = [
  'https://hooks.genway.dev/a?b=c',
  'https://hooks.genway.dev:8443/%41/../x',
  'https://xn--bcher-kva.genway.dev/é?é',
  'HTTPS:\\\\hooks.genway.dev\\a',
  'https://hooks.genway.dev.:443/',
  'https://user:pass@hooks.genway.dev/#a',
  'https://[::ffff:127.0.0.1]/',
  'http://127.1/',
].map((text) => Buffer.from(text));

const NO_HOSTS: ReadonlySet<string> = new Set();
const check = (url: string) => checkedCallbackUrl(url, 'callback_url', NO_HOSTS);

/**
 * Any address must be refused with the field's name, or lead to a public host. Checking a stored address again must not
 * change it.
 */
export function checkWebhookUrl(bytes: Buffer): void {
  let kept: string;
  try {
    kept = check(bytes.toString());
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    assert.match(error.message, /^callback_url: must /);
    return;
  }
  assert.equal(check(kept), kept, 'checking the stored address changes it');
  assert.match(kept, /^https:\/\/[^/?#@[\]\\\s]+(:8443)?\/[\x21-\x7e]*$/);
  const { hostname } = new URL(kept);
  assert.equal(isIP(hostname), 0);
  assert.match(hostname, /[^.]\.[^.]*[^.\d][^.]*$/, 'the host has no public name');
}

import { createPrivateKey, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isSignedCallback } from '../../../functions/videos/callbacks/receive-callback.ts';

/** The first key of RFC 8032 §7.1. */
const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });

const NOW = new Date('2026-11-23T12:00:00Z');
const body = Buffer.from('{"request_id":"r1","status":"OK"}');
/** The SHA-256 of the body, by another program. */
const DIGEST = '14e62706497d1fdd02ed952d3e701883357241940e9a25c79f9d74d85379bbac';

/** As fal's documentation says: the lines of the message, and the signature as hex. */
function signed(timestamp = NOW.getTime() / 1000) {
  const message = `r1\nuser-1\n${timestamp}\n${DIGEST}`;
  return {
    'x-fal-webhook-request-id': 'r1',
    'x-fal-webhook-user-id': 'user-1',
    'x-fal-webhook-timestamp': String(timestamp),
    'x-fal-webhook-signature': sign(null, Buffer.from(message), key).toString('hex'),
  };
}
const seconds = NOW.getTime() / 1000;

test.each([
  ['as it was signed', signed(), body, [X], true],
  ['with a key among others', signed(), body, ['A'.repeat(43), X], true],
  ['300 s old', signed(seconds - 300), body, [X], true],
  ['301 s old', signed(seconds - 301), body, [X], false],
  ['301 s ahead', signed(seconds + 301), body, [X], false],
  ['with another body', signed(), Buffer.from('{}'), [X], false],
  ['for another request', { ...signed(), 'x-fal-webhook-request-id': 'r2' }, body, [X], false],
  ['for another account', { ...signed(), 'x-fal-webhook-user-id': 'user-2' }, body, [X], false],
  ['by another key', signed(), body, ['PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw'], false],
  ['with a signature that is no hex', { ...signed(), 'x-fal-webhook-signature': 'zz' }, body, [X], false],
  ['without headers', {}, body, [X], false],
])('a callback %s', (_, headers, sent, keys, isSigned) => {
  expect(isSignedCallback(headers, sent, keys, NOW)).toBe(isSigned);
});

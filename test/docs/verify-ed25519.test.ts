import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { verifyWebhookEd25519 } from '../../docs/webhooks/verify-ed25519.ts';
import { keySet, type SignedContent, signatureHeaders } from '../../functions/webhooks/signature.ts';

const NOW = 1_800_000_000;
const content: SignedContent = {
  id: 'msg_1',
  timestamp: NOW,
  body: '{"data":{"workspace_id":"w1","text":"ﬁ “é” 🦊"}}',
};
const body = Buffer.from(content.body);
const secrets = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const { privateKey } = generateKeyPairSync('ed25519');
const { privateKey: otherKey } = generateKeyPairSync('ed25519');
const headers = signatureHeaders(content, secrets, privateKey);

interface Change {
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keys?: readonly KeyObject[];
  readonly now?: number;
  readonly workspaceId?: string;
}

function accepts({ keys = [privateKey], now = NOW, ...sent }: Change = {}): boolean {
  const jwks = { keys: keys.flatMap((key) => keySet(key).keys) };
  try {
    const event = verifyWebhookEd25519(
      sent.body ?? body,
      sent.headers ?? headers,
      jwks,
      sent.workspaceId ?? 'w1',
      new Date(now * 1000),
    );
    expect(event).toEqual(JSON.parse(content.body));
    return true;
  } catch {
    return false;
  }
}

const flip = (bytes: Uint8Array, at: number): Buffer =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
const changed = (name: string, value: string): Change => ({ headers: { ...headers, [name]: value } });

test.each<[string, boolean, Change]>([
  ['as it was sent', true, {}],
  ['300 s old', true, { now: NOW + 300 }],
  ['301 s old', false, { now: NOW + 301 }],
  ['300 s ahead', true, { now: NOW - 300 }],
  ['301 s ahead', false, { now: NOW - 301 }],
  ['with several keys, one of them right', true, { keys: [otherKey, privateKey] }],
  ['with another key', false, { keys: [otherKey] }],
  ['with no key', false, { keys: [] }],
  ['to somebody else’s workspace', false, { workspaceId: 'w2' }],
  ['without signatures', false, changed('webhook-signature', '')],
  ['signed only with secrets', false, { headers: signatureHeaders(content, secrets) }],
])('a delivery %s: %s', (_, accepted, change) => {
  expect(accepts(change)).toBe(accepted);
});

test('no delivery with a byte changed is accepted', () => {
  for (const at of body.keys()) expect(accepts({ body: flip(body, at) })).toBe(false);
  for (const name of ['webhook-id', 'webhook-timestamp']) {
    const value = Buffer.from(headers[name]!);
    for (const at of value.keys()) expect(accepts(changed(name, flip(value, at).toString()))).toBe(false);
  }
  const [first, second, last] = headers['webhook-signature']!.split(' ');
  const signature = Buffer.from(last!.slice('v1a,'.length), 'base64');
  for (const at of signature.keys()) {
    const value = `${first} ${second} v1a,${flip(signature, at).toString('base64')}`;
    expect(accepts(changed('webhook-signature', value))).toBe(false);
  }
});

test('the Ed25519 entry has 64 bytes and comes after one for each secret', () => {
  expect(headers['webhook-signature']).toMatch(/^(v1,[A-Za-z0-9+/]{43}= ){2}v1a,[A-Za-z0-9+/]{86}==$/);
});

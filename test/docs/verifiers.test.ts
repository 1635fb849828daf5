import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { verifyWebhook as verifyWithClient } from '../../clients/typescript/src/index.ts';
import { verifyWebhook } from '../../docs/webhooks/verify.ts';
import { type SignedContent, signatureHeaders } from '../../functions/webhooks/signature.ts';

/** One delivery as a receiver gets it, and whether the receiver should accept it. */
interface Case {
  readonly name: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The receiver's clock, in Unix seconds. */
  readonly now: number;
  readonly accepted: boolean;
}

const NOW = 1_800_000_000;
const event = {
  type: 'video.generation.completed',
  data: { id: 'vid_1', text: 'ﬁ “é” 🦊 9007199254740993' },
};
const content: SignedContent = { id: 'msg_01hzx', timestamp: NOW, body: JSON.stringify(event) };

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const text = (secret: Buffer) => `whsec_${secret.toString('base64')}`;

const signed: Case = {
  name: 'as it was sent',
  body: Buffer.from(content.body),
  headers: signatureHeaders(content, [NEW]),
  secrets: [text(NEW)],
  now: NOW,
  accepted: true,
};
const rotating = signatureHeaders(content, [NEW, OLD]);

function without(header: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(signed.headers).filter(([name]) => name !== header));
}

/** Changing the lowest bit keeps every character of a header printable. */
const flip = (bytes: Uint8Array, at: number): Buffer =>
  Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));

const flippedBody = [...signed.body.keys()].map((at) => ({
  ...signed,
  name: `byte ${at} of the body flipped`,
  body: flip(signed.body, at),
  accepted: false,
}));

const flippedHeaders = Object.entries(signed.headers).flatMap(([name, value]) =>
  [...Buffer.from(value).keys()].map((at) => ({
    ...signed,
    name: `byte ${at} of ${name} flipped`,
    headers: { ...signed.headers, [name]: flip(Buffer.from(value), at).toString() },
    accepted: false,
  })),
);

const cases: readonly Case[] = [
  signed,
  { ...signed, name: '300 s old', now: NOW + 300 },
  { ...signed, name: '301 s old', now: NOW + 301, accepted: false },
  { ...signed, name: '300 s ahead', now: NOW - 300 },
  { ...signed, name: '301 s ahead', now: NOW - 301, accepted: false },
  { ...signed, name: 'with another secret', secrets: [text(OLD)], accepted: false },
  { ...signed, name: 'with no secret', secrets: [], accepted: false },
  { ...signed, name: 'with two secrets, the second right', secrets: [text(OLD), text(NEW)] },
  { ...signed, name: 'in a rotation, old secret', headers: rotating, secrets: [text(OLD)] },
  { ...signed, name: 'in a rotation, new secret', headers: rotating, secrets: [text(NEW)] },
  {
    ...signed,
    name: 'with a signature of a kind unknown to the receiver before it',
    headers: { ...signed.headers, 'webhook-signature': `v9,AAAA ${signed.headers['webhook-signature']}` },
  },
  ...Object.keys(signed.headers).map((name) => ({
    ...signed,
    name: `without ${name}`,
    headers: without(name),
    accepted: false,
  })),
  {
    ...signed,
    name: 'with the body written again',
    body: Buffer.from(JSON.stringify(event, null, 1)),
    accepted: false,
  },
  {
    ...signed,
    name: 'signed with an empty key',
    headers: signatureHeaders(content, [new Uint8Array()]),
    secrets: ['whsec_'],
    accepted: false,
  },
  ...flippedBody,
  ...flippedHeaders,
];

// New processes start slowly while many tests run.
const samples = join(import.meta.dirname, '../../docs/webhooks');

const judge = ({ body, headers, secrets, now }: Case): unknown =>
  verifyWebhook(body, headers, secrets, new Date(now * 1000));

const capitalized = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const summary = (accepted: (each: Case, index: number) => boolean) =>
  cases.map((each, index) => [each.name, accepted(each, index)]);
const expected = summary(({ accepted }) => accepted);

describe('the verifier in TypeScript', () => {
  test('accepts what was sent, and nothing with a byte changed', () => {
    const accepts = (each: Case) => {
      try {
        expect(judge(each)).toEqual(event);
        return true;
      } catch {
        return false;
      }
    };
    expect(summary(accepts)).toEqual(expected);
  });

  test('uses the clock if it gets no time', () => {
    const [sent] = cases;
    expect(() => verifyWebhook(sent!.body, sent!.headers, sent!.secrets)).toThrow(/too old or too new/);
  });
});

test('the TypeScript client accepts what was sent, and nothing with a byte changed', async () => {
  const events = await Promise.all(
    cases.map(({ body, headers, secrets, now }) =>
      verifyWithClient(new Uint8Array(body), new Headers(headers), secrets, new Date(now * 1000)).catch(
        () => null,
      ),
    ),
  );
  expect(summary((_, index) => events[index] !== null)).toEqual(expected);
  expect(events[0]).toEqual(event);
});

test.each<[string, (headers: Readonly<Record<string, string>>) => Parameters<typeof verifyWithClient>[1]]>([
  ['of a server of Node.js', (headers) => headers],
  [
    'that keep the names as they were sent',
    (headers) => Object.fromEntries(Object.entries(headers).map(([name, it]) => [capitalized(name), it])),
  ],
  ['of another package than the platform', (headers) => new Map(Object.entries(headers))],
])('the TypeScript client takes headers %s', async (_, given) => {
  const { body, headers, secrets, now } = signed;
  const at = new Date(now * 1000);
  expect(await verifyWithClient(body.toString(), given(headers), secrets, at)).toEqual(event);
});

describe.each([
  ['verifier', samples, 'verify'],
  ['client', join(import.meta.dirname, '../../clients/python'), 'genway'],
])('the %s in Python', (_, folder, module) => {
  test('accepts what was sent, and nothing with a byte changed', () => {
    const input = JSON.stringify(cases.map((each) => ({ ...each, body: each.body.toString('base64') })));
    const run = [join(import.meta.dirname, 'run_verifier.py'), folder, module];
    const events = JSON.parse(execFileSync('python3', run, { input, encoding: 'utf8' }));
    expect(summary((_, index) => events[index] !== null)).toEqual(expected);
    expect(events[0]).toEqual(event);
  });
});

test.each([
  ['verify.ts', 'timingSafeEqual(each, expected)'],
  ['verify.py', 'hmac.compare_digest(expected, given.encode())'],
])('%s compares signatures in constant time', (file, comparison) => {
  expect(readFileSync(join(samples, file), 'utf8')).toContain(comparison);
});

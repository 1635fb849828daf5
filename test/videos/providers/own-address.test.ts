import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dialectSchemas } from '../../../functions/videos/providers/dialects.ts';
import { DecryptedKey, ProviderError } from '../../../functions/videos/providers/provider.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { ownOr } from '../../../functions/videos/providers/vendor-api.ts';
import { openResult } from '../../../functions/videos/results/open-result.ts';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from './account-fixture.ts';
import { aProviderJob, KEY, START, WireServer } from './wire-server.ts';
import { type VendorName, wiresFor } from './wires.ts';

describe('an address in a provider’s response', () => {
  const documented = new URL('https://api.example/v1/jobs/1');

  test.each(['https://api.example/v2/elsewhere', 'https://api.example:443/v1/jobs/1?token=2'])(
    'is called if it is the provider’s own: %s',
    (named) => {
      expect(ownOr(documented, named)).toBe(named);
    },
  );

  test.each([
    undefined,
    '',
    '/v1/jobs/1',
    'http://api.example/v1/jobs/1',
    'https://api.example:8443/v1/jobs/1',
    'https://api.example.evil.example/v1/jobs/1',
    'https://api.example@evil.example/v1/jobs/1',
  ])('is not called with our key if it is not: %s', (named) => {
    expect(ownOr(documented, named)).toBe(documented.href);
  });
});

test.each([
  'http://api.example/v1/jobs/1',
  'https://api.example:8443/v1/jobs/1',
  'https://api.example.evil.example/v1/jobs/1',
  'https://api.example@evil.example/v1/jobs/1',
])('a key becomes no header for another origin, whichever adapter asks: %s', (address) => {
  const own = new URL('https://api.example/v1/');
  const ask = (url: URL) => new DecryptedKey(KEY).headersFor(url, own, (secret) => ({ secret }));
  expect(ask(new URL('https://api.example/v2'))).toEqual({ secret: KEY });
  expect(() => ask(new URL(address))).toThrow('was about to be sent to');
});

const OWN = 'https://vendor.example';
const elsewhere = fc.oneof(
  fc.constantFrom(
    'https://evil.example/x',
    '//evil.example/x',
    '\\\\evil.example\\x',
    '/\t/evil.example/x',
    ' https://evil.example/x',
    'ht\ntps://evil.example/x',
    'http:/evil.example/x',
    'http:vendor.example/x',
    'https://vendor.example@evil.example/x',
    'https://vendor.example.evil.example/x',
    'https://vendor.example:8443/x',
    'blob:https://evil.example/x',
    '../../..//evil.example/x',
  ),
  fc.webUrl(),
);

/** Everything of an adapter's work in which a string can name an address: a row, a request, an answer. */
async function workWith(vendor: VendorName, address: string): Promise<readonly (readonly [URL, Headers])[]> {
  const sent: (readonly [URL, Headers])[] = [];
  const wire = wiresFor('t1')[vendor];
  const urls = { get: address, cancel: address };
  const named = { urls, status_url: address, response_url: address, cancel_url: address };
  let bodies: readonly object[] = [];
  let answers = 0;
  const fetch = async (input: URL | Request | string, init: RequestInit = {}) => {
    sent.push([new URL(String(input)), new Headers(init.headers)]);
    return Response.json(bodies[Math.min(answers++, bodies.length - 1)]);
  };
  const models = ['first_frame_model', 'both_frames_model', 'reference_model', 'frame_model'];
  const known = models.filter((name) => name in dialectSchemas[vendor].entries);
  await using server = await WireServer.open();
  const context = server.context('', {
    settings: { base_url: OWN, credential: 'workspace' },
    account: ownAccount({}, accountPorts),
    fetch,
  });
  const frame = { frameType: 'first_frame', url: address } as const;
  const submissions = [
    {},
    { frameImages: [frame] },
    { inputReferences: [{ kind: 'image', url: address }] },
  ] as const;
  const provider = providerOf(vendor);
  for (const inputs of submissions) {
    answers = 0;
    const result = inputs === submissions[0] ? `${OWN}/v.mp4` : address;
    bodies = [
      { ...wire.created, ...named, data: { id: 't1', task_id: 't1', urls } },
      { ...wire.told(wire.words[2], result), ...named },
      wire.result?.[1](result) ?? {},
    ];
    const job = aProviderJob({
      ...inputs,
      upstreamModel: address,
      prompt: address,
      dialect: Object.fromEntries(known.map((name) => [name, address])),
      options: { model: address, url: address },
      callbackUrl: address,
    });
    try {
      const { ref } = await provider.submit(job, context);
      const state = await provider.poll(ref, context);
      for (const output of state.state === 'succeeded' ? state.outputs : []) {
        const redirect = async (input: URL | Request | string, init?: RequestInit) => {
          if (URL.canParse(String(input))) await fetch(input, init);
          return new Response(null, { status: 302, headers: { location: address } });
        };
        const ports = { ...context, fetch: redirect, pause: async () => undefined, endsAt: START.getTime() };
        await openResult(output, ports).catch(() => undefined);
      }
      await provider.lookup?.(address, context);
      await provider.cancel?.(ref, context);
    } catch (error) {
      expect(error).toBeInstanceOf(ProviderError);
    }
  }
  return sent;
}

const vendors = Object.keys(wiresFor('t1')).filter((name): name is VendorName => name in wiresFor('t1'));

test.each(vendors)(
  'no string of a row, a request or an answer leads the key of %s elsewhere',
  async (vendor) => {
    await fc.assert(
      fc.asyncProperty(elsewhere, async (address) => {
        for (const [url, headers] of await workWith(vendor, address)) {
          const isSigned = headers.has('authorization') || JSON.stringify([...headers]).includes(KEY);
          if (isSigned) expect(url.origin).toBe(OWN);
        }
      }),
    );
  },
);

import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { ProviderUnavailable, Unauthenticated } from '../../functions/http/errors.ts';
import { Issuer } from '../../functions/keys/issuer.ts';
import { type LocalServer, type Received, serve } from '../local-server.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const NONCE = 'n'.repeat(43);
const PROOF = {
  code: 'a-code',
  code_verifier: 'v'.repeat(43),
  nonce: NONCE,
  redirectUri: 'https://genway.example/console',
};

type CryptoKeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
type Reply = { status: number; body?: unknown };
let server: LocalServer;
let own: CryptoKeyPair;
let other: CryptoKeyPair;
/** What the issuer answers, by path. */
let answers: Record<string, (request: Received) => Reply>;
let logged: unknown[];
let now: Date;
let issuer: Issuer;

const publicKeys = async (...pairs: CryptoKeyPair[]) => ({
  keys: await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({
      ...(await exportJWK(publicKey)),
      kid: `${index}`,
      use: 'sig',
    })),
  ),
});

beforeAll(async () => {
  [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  server = await serve((request) => answers[request.url]?.(request) ?? { status: 404 });
});
afterAll(() => server.close());

beforeEach(async () => {
  server.received.length = 0;
  logged = [];
  now = NOW;
  const jwks = await publicKeys(own);
  answers = {
    '/.well-known/openid-configuration': () => ({
      status: 200,
      body: {
        issuer: server.url,
        authorization_endpoint: `${server.url}/authorize`,
        token_endpoint: `${server.url}/token`,
        jwks_uri: `${server.url}/jwks`,
      },
    }),
    '/jwks': () => ({ status: 200, body: jwks }),
  };
  const write = (...line: unknown[]) => logged.push(line);
  const settings = { issuer: server.url, clientId: 'genway', requestedScope: 'openid', grants: [] };
  issuer = new Issuer(settings, { fetch, now: () => now, log: { info: write, warn: write, error: write } });
});

const claims = (change: JWTPayload = {}): JWTPayload => ({
  iss: server.url,
  aud: 'genway',
  sub: 'ada',
  nonce: NONCE,
  iat: SECONDS,
  exp: SECONDS + 300,
  ...change,
});
const signed = (payload: JWTPayload, key = own.privateKey, alg = 'RS256') =>
  new SignJWT(payload).setProtectedHeader({ alg, kid: '0' }).sign(key);
const reply = (id_token: string) => {
  answers['/token'] = () => ({ status: 200, body: { id_token, access_token: 'a' } });
};
async function claimsOf(token: string | Promise<string>) {
  reply(await token);
  return issuer.claimsOf(PROOF);
}

test('a code is exchanged for the claims of an ID token, with the secret that the browser has kept', async () => {
  expect(await claimsOf(signed(claims({ groups: ['admins'] })))).toMatchObject({
    sub: 'ada',
    groups: ['admins'],
  });
  const exchange = server.received.find(({ url }) => url === '/token');
  expect(Object.fromEntries(new URLSearchParams(exchange?.body))).toEqual({
    grant_type: 'authorization_code',
    client_id: 'genway',
    redirect_uri: PROOF.redirectUri,
    code: PROOF.code,
    code_verifier: PROOF.code_verifier,
  });
});

test('what the issuer publishes is asked for once in ten minutes', async () => {
  const asked = () => server.received.filter(({ url }) => url !== '/token').map(({ url }) => url);
  for (let time = 0; time < 3; time++) await claimsOf(signed(claims()));
  expect(asked()).toEqual(['/.well-known/openid-configuration', '/jwks']);
  now = new Date(NOW.getTime() + 600_000);
  await claimsOf(signed(claims({ iat: SECONDS + 600, exp: SECONDS + 900 })));
  expect(asked()).toHaveLength(4);
});

describe('an ID token is refused', () => {
  const without = (name: string) => {
    const { [name]: _, ...rest } = claims();
    return signed(rest);
  };
  test.each<[string, () => string | Promise<string>]>([
    ['of another issuer', () => signed(claims({ iss: 'https://evil.example' }))],
    ['for another audience', () => signed(claims({ aud: 'another' }))],
    [
      'for several audiences, without the one that asked',
      () => signed(claims({ aud: ['genway', 'another'] })),
    ],
    ['that another client asked for', () => signed(claims({ aud: ['genway', 'another'], azp: 'another' }))],
    ['with another nonce', () => signed(claims({ nonce: 'm'.repeat(43) }))],
    ['without a nonce', () => without('nonce')],
    ['without a subject', () => without('sub')],
    ['without an end', () => without('exp')],
    ['without a time', () => without('iat')],
    ['with another’s signature', () => signed(claims(), other.privateKey)],
    [
      'that was changed after it was signed',
      async () => {
        const [head, , signature] = (await signed(claims())).split('.');
        const changed = Buffer.from(JSON.stringify(claims({ sub: 'eve' }))).toString('base64url');
        return `${head}.${changed}.${signature}`;
      },
    ],
    ['without a signature', () => new UnsecuredJWT(claims()).encode()],
    [
      'signed with the client’s id, which everybody knows',
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from('genway'.padEnd(32, '0'))),
    ],
    ['that has expired', () => signed(claims({ exp: SECONDS - 60 }))],
    ['that is not valid yet', () => signed(claims({ nbf: SECONDS + 61 }))],
    ['from the future', () => signed(claims({ iat: SECONDS + 61 }))],
    ['that is old', () => signed(claims({ iat: SECONDS - 361, exp: SECONDS + 300 }))],
    ['that is none', () => 'no token'],
    ['that is empty', () => ''],
  ])('%s', async (_, token) => {
    const asked = claimsOf(token());
    await expect(asked).rejects.toThrow(new Unauthenticated('The sign-in was not accepted; sign in again'));
    expect(JSON.stringify(logged)).toMatch(/sign-in not accepted/);
    expect(JSON.stringify(logged)).not.toMatch(/ada|eve|nnnn/);
  });

  test('of a code that the issuer does not accept', async () => {
    answers['/token'] = () => ({ status: 400, body: { error: 'invalid_grant' } });
    await expect(issuer.claimsOf(PROOF)).rejects.toThrow(Unauthenticated);
  });
});

test.each([
  ['a minute early', { iat: SECONDS + 59 }],
  ['a minute late', { exp: SECONDS - 59 }],
  ['for several audiences, of which it names ours', { aud: ['genway', 'another'], azp: 'genway' }],
])('an ID token is accepted %s', async (_, change) => {
  expect(await claimsOf(signed(claims(change)))).toMatchObject({ sub: 'ada' });
});

test('a key that the issuer has added since is found at once', async () => {
  await claimsOf(signed(claims()));
  const jwks = await publicKeys(own, other);
  answers['/jwks'] = () => ({ status: 200, body: jwks });
  // The library asks again no sooner than after 30 seconds, by its own clock.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
  const token = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: '1' }).sign(other.privateKey);
  expect(await claimsOf(token)).toMatchObject({ sub: 'ada' });
  clock.mockRestore();
});

test('a key that the issuer has changed is found', async () => {
  await claimsOf(signed(claims()));
  const jwks = await publicKeys(other);
  answers['/jwks'] = () => ({ status: 200, body: jwks });
  now = new Date(NOW.getTime() + 600_000);
  const later = { iat: SECONDS + 600, exp: SECONDS + 900 };
  expect(await claimsOf(signed(claims(later), other.privateKey))).toMatchObject({ sub: 'ada' });
  await expect(claimsOf(signed(claims(later)))).rejects.toThrow(Unauthenticated);
});

test('an issuer that is down is asked once in ten seconds', async () => {
  const works = answers['/.well-known/openid-configuration'] as () => Reply;
  answers['/.well-known/openid-configuration'] = () => ({ status: 503 });
  for (let time = 0; time < 3; time++) await expect(issuer.document()).rejects.toThrow(ProviderUnavailable);
  expect(server.received).toHaveLength(1);
  answers['/.well-known/openid-configuration'] = works;
  now = new Date(NOW.getTime() + 10_000);
  expect(await issuer.document()).toMatchObject({ issuer: server.url });
});

describe('nobody signs in while the issuer', () => {
  const document = '/.well-known/openid-configuration';
  test.each<[string, string, () => Reply]>([
    ['is down', document, () => ({ status: 503 })],
    [
      'says that it is another',
      document,
      () => ({
        status: 200,
        body: { ...(answers.kept?.({} as Received).body as object), issuer: 'https://evil.example' },
      }),
    ],
    [
      'sends browsers to a script',
      document,
      () => ({
        status: 200,
        body: {
          ...(answers.kept?.({} as Received).body as object),
          authorization_endpoint: 'javascript:alert(1)',
        },
      }),
    ],
    ['publishes nonsense', document, () => ({ status: 200, body: { issuer: server.url } })],
    ['exchanges no codes', '/token', () => ({ status: 500 })],
    ['keeps its keys back', '/jwks', () => ({ status: 500, body: { keys: [] } })],
    ['publishes no key set', '/jwks', () => ({ status: 200, body: { keys: 'none' } })],
    [
      'publishes a key set without an end',
      '/jwks',
      () => ({ status: 200, body: { keys: [], more: 'x'.repeat(2 ** 21) } }),
    ],
  ])('%s', async (_, path, answer) => {
    answers.kept = answers[document] as () => Reply;
    reply(await signed(claims()));
    answers[path] = answer;
    await expect(issuer.claimsOf(PROOF)).rejects.toThrow(ProviderUnavailable);
  });
});

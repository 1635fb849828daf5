import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Edge, openEdge } from '../../../local/edge/edge.ts';
import { edgeRouter } from '../../../local/edge/router.ts';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1';

const { privateKey } = generateKeyPairSync('ed25519');

let edge: Edge;

beforeEach(async () => {
  edge = await openEdge({ port: 0, secret: 'secret' });
  const route = edgeRouter({
    aws: {
      endpoint: NOBODY,
      region: 'us-east-1',
      credentials: { accessKeyId: 'root', secretAccessKey: 'secret' },
    },
    outputs: {
      DownloadsPublicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      FilesBucket: 'the-files',
      ResultsBucket: 'the-results',
    },
    origins: { emulator: NOBODY, apiId: 'the-api', uploads: NOBODY },
    edge: edge.url,
    hasConsole: false,
    securityContact: 'mailto:security@example.com',
    sandboxKey: privateKey,
    warn: () => undefined,
  });
  edge.serve(route);
});

afterEach(() => edge.close());

test('downloads are not for the API, which has no such path', async () => {
  const response = await fetch(`${edge.url}/downloads/w/gw_file_1`);
  expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/xml']);
  await response.text();
});

test('what is no download goes to the API', async () => {
  const [known, unknown] = await Promise.all([
    fetch(`${edge.url}/api/v1/models`),
    fetch(`${edge.url}/download`),
  ]);
  expect([known.status, unknown.status]).toEqual([503, 404]);
  await Promise.all([known.text(), unknown.text()]);
});

test('security.txt says where to report a vulnerability, and ends within a month', async () => {
  const response = await fetch(`${edge.url}/.well-known/security.txt`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = (await response.text()).trim().split('\n');
  const [, expires = ''] = lines[1]!.split('Expires: ');
  expect(lines).toEqual([
    'Contact: mailto:security@example.com',
    `Expires: ${expires}`,
    'Preferred-Languages: en',
  ]);
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect([days > 29, days <= 30]).toEqual([true, true]);
});

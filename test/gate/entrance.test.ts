import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  assertThroughEdge,
  deployedEntrance,
  publicUrl,
  viewerAddress,
} from '../../functions/gate/entrance.ts';
import { PermissionDenied } from '../../functions/http/errors.ts';

const SECRET = 'the edge’s own';
const digest = (text: string) => createHash('sha256').update(text).digest();
const OWN = 'abc.execute-api.eu-west-1.amazonaws.com';

const open = { publicUrl: undefined, edgeSecretsSha256: [] };
const edged = { publicUrl: undefined, edgeSecretsSha256: [digest('the next'), digest(SECRET)] };

describe('a deployment with an edge', () => {
  test.each([SECRET, 'the next'])('admits requests with the edge’s secret %j', (sent) => {
    expect(() => assertThroughEdge({ 'x-genway-edge': sent }, edged)).not.toThrow();
  });

  test.each([
    undefined,
    '',
    `${SECRET} `,
    SECRET.slice(1),
    SECRET.toUpperCase(),
    digest(SECRET).toString('hex'),
  ])('refuses requests around the edge with %j', (sent) => {
    expect(() => assertThroughEdge({ 'x-genway-edge': sent }, edged)).toThrow(PermissionDenied);
  });

  test.each(['https://api.example.com', 'http://127.0.0.1:8787'])('takes the origin %s from it', (url) => {
    expect(publicUrl({ 'x-genway-public-url': url }, OWN, edged)).toBe(url);
  });

  test.each([
    undefined,
    '',
    'javascript:alert(1)',
    'https://a/b',
    'https://a?b',
    'https://u@a',
    'https://a\n',
  ])('takes its own name instead of %j', (url) => {
    expect(publicUrl({ 'x-genway-public-url': url }, OWN, edged)).toBe(`https://${OWN}`);
  });
});

describe('a deployment without an edge', () => {
  test('admits every request', () => {
    expect(() => assertThroughEdge({}, open)).not.toThrow();
  });

  test('trusts no header about its origin', () => {
    const headers = { 'x-genway-public-url': 'https://evil.example', 'x-genway-edge': SECRET };
    expect(publicUrl(headers, OWN, open)).toBe(`https://${OWN}`);
  });
});

test.each([
  ['with an edge', edged],
  ['without an edge', open],
])('a configured origin is the only one, %s', (_, entrance) => {
  const configured = { ...entrance, publicUrl: 'https://api.example.com' };
  const headers = { 'x-genway-public-url': 'https://evil.example', 'x-genway-edge': SECRET };
  expect(publicUrl(headers, OWN, configured)).toBe('https://api.example.com');
});

describe('the environment', () => {
  const names = ['PUBLIC_URL', 'EDGE_SECRET_SHA256'];
  afterEach(() => {
    for (const name of names) delete process.env[name];
  });

  test('is empty if there is no edge', () => {
    expect(deployedEntrance()).toEqual(open);
  });

  test('names the origin and the digests', () => {
    const digests = edged.edgeSecretsSha256;
    Object.assign(process.env, {
      PUBLIC_URL: 'https://api.example.com',
      EDGE_SECRET_SHA256: digests.map((each) => each.toString('hex')).join(),
    });
    expect(deployedEntrance()).toEqual({ publicUrl: 'https://api.example.com', edgeSecretsSha256: digests });
  });

  test.each([
    ['EDGE_SECRET_SHA256', ''],
    ['EDGE_SECRET_SHA256', SECRET],
    ['PUBLIC_URL', 'https://api.example.com/'],
  ])('with the wrong value %s=%j stops the program, and admits nobody', (name, value) => {
    process.env[name] = value;
    expect(deployedEntrance).toThrow(name);
  });
});

test.each([
  ['the edge', [Buffer.alloc(32)], '192.0.2.7', '192.0.2.7'],
  ['the edge, which has not said it', [Buffer.alloc(32)], undefined, undefined],
  ['the connection, where there is no edge and the header is the caller’s', [], '192.0.2.7', '198.51.100.1'],
])('the address of a caller is known from %s', (_, edgeSecretsSha256, told, address) => {
  const headers = { 'x-genway-viewer-address': told };
  expect(viewerAddress(headers, { edgeSecretsSha256 }, '198.51.100.1')).toBe(address);
});

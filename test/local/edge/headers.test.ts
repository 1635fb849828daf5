import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requestHeaders, responseHeaders } from '../../../local/edge/headers.ts';

const PUBLIC_URL = 'http://127.0.0.1:8787';
const SECRET = 'the-edge';
const VIEWER = '192.0.2.7';
const EDGE = { publicUrl: PUBLIC_URL, secret: SECRET, viewerAddress: VIEWER };

describe('headers for the functions', () => {
  test.each(['connection', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade', 'host'])(
    '%s is removed',
    (name) => {
      expect(requestHeaders({ [name]: ['x'] }, EDGE)).not.toHaveProperty([name]);
    },
  );

  test('headers that Connection names are removed too', () => {
    expect(requestHeaders({ connection: ['close, X-Hop'], 'x-hop': ['1'], 'x-kept': ['2'] }, EDGE)).toEqual({
      'x-kept': '2',
      'x-genway-public-url': PUBLIC_URL,
      'x-genway-edge': SECRET,
      'x-genway-viewer-address': VIEWER,
    });
  });

  test.each([
    'x-genway-public-url',
    'x-genway-edge',
    'x-genway-viewer-address',
    'x-forwarded-for',
    'x-forwarded-proto',
    'x-forwarded-host',
  ])('a caller’s own %s is not trusted', (name) => {
    const headers = requestHeaders({ [name]: ['http://evil.example'] }, EDGE);
    expect(headers).toEqual({
      'x-genway-public-url': PUBLIC_URL,
      'x-genway-edge': SECRET,
      'x-genway-viewer-address': VIEWER,
    });
  });

  test('a body of unknown length keeps its framing', () => {
    expect(requestHeaders({ 'transfer-encoding': ['chunked'] }, EDGE)).toMatchObject({
      'transfer-encoding': 'chunked',
    });
  });

  test('any other header passes unchanged, even several times', () => {
    const name = fc.stringMatching(/^x-a-[a-z]{1,10}$/);
    const values = fc.array(fc.stringMatching(/^[!-~]{1,10}$/), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(name, values, (header, sent) => {
        const received = requestHeaders({ [header]: sent }, EDGE)[header];
        expect([received].flat()).toEqual(sent);
      }),
    );
  });
});

test('headers for the caller lose those about the inner connection', () => {
  const received = {
    'transfer-encoding': ['chunked'],
    connection: ['keep-alive'],
    'set-cookie': ['a', 'b'],
    'x-request-id': ['1'],
  };
  expect(responseHeaders(received)).toEqual({ 'set-cookie': ['a', 'b'], 'x-request-id': '1' });
});

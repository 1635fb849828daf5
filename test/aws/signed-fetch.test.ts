import { describe, expect, test } from '@jest/globals';
import { signedFetch } from '../../functions/aws/signatures.ts';

/** Key, date and region of the signature examples that AWS publishes. */
const role = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  now: () => new Date('2015-08-30T12:36:00Z'),
};

/** The request that leaves, as arguments of `fetch`. */
async function signed(url: string, init: RequestInit = {}, change: object = {}) {
  const sent: { url: string; init: RequestInit }[] = [];
  const fetch = async (input: unknown, options: RequestInit = {}) => {
    sent.push({ url: String(input), init: options });
    return new Response('answer');
  };
  const answer = await signedFetch(fetch, 'service', { ...role, ...change })(url, init);
  expect(await answer.text()).toBe('answer');
  return { url: sent[0]?.url, init: sent[0]?.init, headers: new Headers(sent[0]?.init.headers) };
}

const signatureOf = (headers: Headers) =>
  /SignedHeaders=(?<names>\S+), Signature=(?<signature>\w+)$/.exec(headers.get('authorization') ?? '')
    ?.groups;

describe('a signed request', () => {
  test.each([
    [
      'get-vanilla',
      'https://example.amazonaws.com/',
      {},
      {
        names: 'host;x-amz-date',
        signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
      },
    ],
    [
      'get-vanilla-query-order-key-case',
      'https://example.amazonaws.com/?Param2=value2&Param1=value1',
      {},
      {
        names: 'host;x-amz-date',
        signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
      },
    ],
    [
      'post-x-www-form-urlencoded',
      'https://example.amazonaws.com/',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'Param1=value1',
      },
      {
        names: 'content-type;host;x-amz-date',
        signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
      },
    ],
  ])('equals the example %s', async (_, url, init, expected) => {
    const { headers } = await signed(url, init);
    expect({ ...signatureOf(headers) }).toEqual(expected);
    expect(headers.get('x-amz-date')).toBe('20150830T123600Z');
  });

  test('is sent unchanged, and names its own host', async () => {
    const { signal } = new AbortController();
    const body = '{"a":1}';
    const sent = await signed('http://127.0.0.1:4566/a%3Ab?c=d', { method: 'POST', body, signal });
    expect(sent.url).toBe('http://127.0.0.1:4566/a%3Ab?c=d');
    expect(sent.init).toMatchObject({ method: 'POST', body, signal });
    expect(sent.headers.has('host')).toBe(false);
  });

  test('with session credentials carries their token', async () => {
    const credentials = { ...role.credentials, sessionToken: 'session' };
    const { headers } = await signed('https://example.amazonaws.com/', {}, { credentials });
    expect(headers.get('x-amz-security-token')).toBe('session');
    expect(signatureOf(headers)?.names).toBe('host;x-amz-date;x-amz-security-token');
  });
});

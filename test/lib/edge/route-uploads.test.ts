import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import {
  LARGEST_BODY,
  LARGEST_FILE,
  LARGEST_LAMBDA_BODY,
  LARGEST_LAMBDA_FILE,
  LARGEST_PART,
  tooLarge,
} from '../../../functions/files/size-limits.ts';
import { PayloadTooLarge } from '../../../functions/http/errors.ts';
import { CONTENT_MD5_HEADER } from '../../../functions/http/headers.ts';
import { errorResponse } from '../../../functions/http/response.ts';
import { consoleFiles } from '../../../lib/console/write-console.ts';
import { cloudFrontProgram, edgeProgram } from '../../../lib/edge/program.ts';
import { errorBody } from '../../http/error-bodies.ts';

type Header = { value: string; multiValue?: { value: string }[] };
interface Head {
  method?: string;
  uri?: string;
  headers?: Record<string, Header>;
}

/** Runs the program like CloudFront: with a bare global object, and one call for each request. */
function run(
  largeUploads: boolean,
  { method = 'POST', uri = '/api/v1/files', headers = {} }: Head,
  console = true,
) {
  const selected: string[] = [];
  const context = createContext({ cf: { selectRequestOriginById: (id: string) => selected.push(id) } });
  runInContext(edgeProgram({ largeUploads, console }), context);
  context.event = {
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: 'cloudfront-1' },
    viewer: { ip: '192.0.2.7' },
    request: {
      method,
      uri,
      querystring: {},
      cookies: {},
      headers: { host: { value: 'api.example' }, ...headers },
    },
  };
  // Only data leaves CloudFront's isolate, so the result passes through JSON.
  return { selected, result: JSON.parse(JSON.stringify(runInContext('handler(event)', context))) };
}

const length = (value: string | number) => ({ 'content-length': { value: String(value) } });
const several = (...values: string[]) => ({
  'content-length': { value: values[0]!, multiValue: values.map((value) => ({ value })) },
});

describe('an upload, with a server for large uploads,', () => {
  test.each<[string, Record<string, Header>, string]>([
    ['of no bytes', length(0), 'api'],
    ['of the largest file for a Lambda, in 64 KiB of form', length(LARGEST_LAMBDA_FILE + 64 * 1024), 'api'],
    ['of one byte more than that', length(LARGEST_LAMBDA_BODY + 1), 'large-uploads'],
    ['of the largest allowed size', length(LARGEST_BODY), 'large-uploads'],
    ['of unknown length', {}, 'large-uploads'],
    ['of an empty length', length(''), 'large-uploads'],
    ['of a length in words', length('many'), 'large-uploads'],
    ['of a negative length', length(-1), 'large-uploads'],
    ['of a length in hexadecimal', length('0x10'), 'large-uploads'],
    ['of a length with a fraction', length('1.5'), 'large-uploads'],
    ['of a length with an exponent', length('1e3'), 'large-uploads'],
    ['of two lengths that differ', several('5', '500000000'), 'large-uploads'],
    ['of two lengths that do not fit a header', length('5, 5'), 'large-uploads'],
    ['of a length that no number can hold', length('9'.repeat(400)), 'large-uploads'],
    ['of a single length in a list', several('5'), 'api'],
  ])('%s goes to the right origin', (_, headers, origin) => {
    const { selected, result } = run(true, { headers });
    expect(selected).toEqual([origin]);
    expect(result).toMatchObject({ method: 'POST', uri: '/api/v1/files', headers });
  });

  test.each([
    ['/api/v1/uploads/gw_upload_1/parts', ['large-uploads']],
    ['/api/v1/uploads/gw_upload_1/complete', []],
    ['/api/v1/uploads', []],
    ['/api/v1/uploads/a/b/parts', []],
  ])('%s of many bytes goes to %j by the function, and else by its path', (uri, origins) => {
    const { selected } = run(true, { uri, headers: length(LARGEST_LAMBDA_BODY + 1) });
    expect(selected).toEqual(origins);
  });

  test.each([LARGEST_BODY + 1, 10 * LARGEST_BODY])('of %i bytes is refused in the error body', (size) => {
    const { selected, result } = run(true, { headers: length(size) });
    const ours = errorResponse(new PayloadTooLarge(`The file must be at most ${LARGEST_FILE} bytes`));
    expect(selected).toEqual([]);
    expect(result).toMatchObject({ statusCode: 413, body: { encoding: 'text', data: ours.body } });
    expect(result.headers).toMatchObject({
      'content-type': { value: 'application/json; charset=utf-8' },
      'x-request-id': { value: 'cloudfront-1' },
      'cache-control': { value: 'no-store' },
      'x-content-type-options': { value: 'nosniff' },
      'strict-transport-security': { value: expect.any(String) },
    });
  });
});

describe('an upload, without a server for large uploads,', () => {
  test.each([
    ['of the largest size for a Lambda', length(LARGEST_LAMBDA_BODY)],
    ['of unknown length', {}],
  ])('%s goes to the API', (_, headers) => {
    const { selected, result } = run(false, { headers });
    expect(selected).toEqual([]);
    expect(result).toMatchObject({ uri: '/api/v1/files' });
  });

  test('of one byte more is refused with its limit', () => {
    const { result } = run(false, { headers: length(LARGEST_LAMBDA_BODY + 1) });
    expect(JSON.parse(result.body.data)).toEqual(
      errorBody(413, 'payload_too_large', `The file must be at most ${LARGEST_LAMBDA_FILE} bytes`),
    );
  });
});

test.each([
  [true, LARGEST_BODY, LARGEST_PART],
  [false, LARGEST_LAMBDA_BODY, LARGEST_LAMBDA_FILE],
])(
  'a part that is too large is refused with the limit of a part (server: %s)',
  (largeUploads, most, limit) => {
    const head = { uri: '/api/v1/uploads/gw_upload_1/parts', headers: length(most + 1) };
    const { result } = run(largeUploads, head);
    expect(result.statusCode).toBe(413);
    expect(JSON.parse(result.body.data).error.message).toBe(tooLarge(limit, 'part'));
  },
);

describe('any other request', () => {
  const large = { headers: length(LARGEST_BODY + 1) };
  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])(
    'for the same path, such as %s, goes to the API',
    (method) => {
      const { selected, result } = run(true, { method, ...large });
      expect(selected).toEqual(['api']);
      expect(result.statusCode).toBeUndefined();
    },
  );

  test.each<Head>([
    { uri: '/api/v1/files/', ...large },
    { uri: '/api/v1/files/gw_file_1', ...large },
    { uri: '/api/v1/filesystem', ...large },
    { uri: '/api/v1/videos', ...large },
    { uri: '/files', ...large },
    { uri: '/', ...large },
  ])('goes to the origin of its path: %j', (head) => {
    const { selected, result } = run(true, head);
    expect(selected).toEqual([]);
    expect(result.statusCode).toBeUndefined();
    expect(result.uri).toBe(head.uri ?? '/api/v1/files');
  });

  test.each(['/api/v1/%66iles', '/api/v1/./files', '/api/v1//files', '/api/v1/files/../files'])(
    'goes to the API, although CloudFront takes %s for the path of uploads',
    (uri) => {
      const { selected, result } = run(true, { method: 'GET', uri });
      expect([selected, result.uri]).toEqual([['api'], uri]);
      expect(run(false, { uri }).selected).toEqual([]);
    },
  );

  test('for the webhook keys at the root of the host goes to the API’s path', () => {
    const { selected, result } = run(true, { method: 'GET', uri: '/.well-known/webhooks/jwks.json' });
    expect(selected).toEqual([]);
    expect(result).toMatchObject({ method: 'GET', uri: '/api/v1/.well-known/webhooks/jwks.json' });
  });

  test('for a path without a console file gets the console page, and its files are unchanged', async () => {
    const ask = (uri: string) => run(true, { method: 'GET', uri }).result.uri;
    const others = [
      '/console/',
      '/console/videos',
      '/console/index.html',
      '/console/main.js',
      '/console/a/b-ABCDEFGH.js',
    ];
    expect(others.map(ask)).toEqual(others.map(() => '/console'));
    const files = (await consoleFiles()).map(({ key }) => `/${key}`);
    expect(files).toContain('/console');
    expect(files.map(ask)).toEqual(files);
    expect(ask('/consoles')).toBe('/consoles');
  });

  test('tells the origins the host name of the request, whatever headers the caller sends', () => {
    const { result } = run(true, { uri: '/', headers: { 'x-genway-public-url': { value: 'https://evil' } } });

    expect(result.headers['x-genway-public-url']).toEqual({ value: 'https://api.example' });
  });

  test('tells the origins the caller’s address, whatever headers the caller sends', () => {
    const headers = { 'x-genway-viewer-address': { value: '198.51.100.1' } };
    for (const uri of ['/api/v1/files', '/api/v1/videos']) {
      const { result } = run(true, { uri, headers });
      expect(result.headers['x-genway-viewer-address']).toEqual({ value: '192.0.2.7' });
    }
  });
});

describe('the name of the host alone, or the address that clients get,', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const ledTo = (uri: string, accept: string | undefined, console = true) => {
    const headers = accept === undefined ? {} : { accept: { value: accept } };
    const { result } = run(true, { method: 'GET', uri, headers }, console);
    return [result.statusCode, result.headers.location?.value];
  };
  const addresses = ['/', '/api', '/api/', '/api/v1', '/api/v1/'];

  test.each(addresses)('%s leads a browser to the console, and a program to the description', (uri) => {
    expect(ledTo(uri, BROWSER)).toEqual([303, '/console']);
    expect(ledTo(uri, BROWSER, false)).toEqual([303, '/api/v1/docs']);
    for (const accept of ['*/*', 'application/json', undefined])
      expect(ledTo(uri, accept)).toEqual([303, '/api/v1/openapi.json']);
  });

  test('answers differently by what is accepted, says so, and is not kept', () => {
    const { result } = run(true, { method: 'HEAD', uri: '/' });
    expect(result.headers).toMatchObject({
      vary: { value: 'accept' },
      'cache-control': { value: 'no-store' },
    });
    expect(result.body.data).toBe('See /api/v1/openapi.json\n');
  });

  test.each(['/api/v1/files', '/api/v2', '/api/v1x', '/apis', '//'])('is not %s', (uri) => {
    expect(run(true, { method: 'GET', uri }).result.uri).toBe(uri);
  });

  test('takes nothing but GET and HEAD', () => {
    for (const uri of addresses) expect(run(true, { method: 'POST', uri }).result.uri).toBe(uri);
  });
});

test('an upload’s Content-MD5 is repeated under a name that API Gateway passes on', () => {
  const { result } = run(true, { headers: { 'content-md5': { value: 'Q2h1Y2sgSW50ZWdyaXR5IQ==' } } });
  expect(result.headers[CONTENT_MD5_HEADER]).toEqual({ value: 'Q2h1Y2sgSW50ZWdyaXR5IQ==' });
  expect(run(true, {}).result.headers).not.toHaveProperty(CONTENT_MD5_HEADER);
});

test('without a contact there is no security.txt: the path goes to the API', () => {
  const { result } = run(true, { method: 'GET', uri: '/.well-known/security.txt' });
  expect(result.uri).toBe('/.well-known/security.txt');
});

test('the program has CloudFront’s import in its first line and fits its limit of 10 KB', () => {
  for (const largeUploads of [true, false]) {
    const program = cloudFrontProgram({ largeUploads, securityContact: `mailto:${'x'.repeat(200)}` });
    expect(program.split('\n')[0]).toBe("import cf from 'cloudfront';");
    expect(program.match(/^\s*(import|export)\b/gm)).toHaveLength(1);
    expect(Buffer.byteLength(program)).toBeLessThan(10_240);
  }
});

import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../../functions/aws/client-settings.ts';
import { type Download, edgeLinks, type MakeLink } from '../../../functions/downloads/links.ts';
import type { AnsweredRequest } from '../../../local/edge/answered-request.ts';
import { downloads, downloadsUrl } from '../../../local/edge/downloads.ts';
import { type Edge, openEdge } from '../../../local/edge/edge.ts';
import { errorAnswer } from '../../../local/edge/edge-answer.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ROOT = { region: 'us-east-1', credentials: { accessKeyId: 'root', secretAccessKey: 'secret' } };
const file: Download = { key: 'w/gw_file_1', shownAs: 'attachment', filename: 'a b.html' };
const video: Download = { key: 'kept-1d/w/j/1/0.mp4', shownAs: 'video' };

let edge: Edge;
let storage: Server;
let answer: RequestListener;
let asked: IncomingMessage[];
let warnings: string[];
let makeLink: MakeLink;
let ended: (request: AnsweredRequest) => void;

beforeEach(async () => {
  [asked, warnings] = [[], []];
  ended = () => undefined;
  answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('stored');
  storage = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(storage, 'listening');
  edge = await openEdge({ port: 0, secret: 'secret', answered: (request) => ended(request) });
  const { port } = storage.address() as AddressInfo;
  const route = downloads(
    { endpoint: `http://127.0.0.1:${port}`, ...ROOT },
    {
      url: downloadsUrl(edge.url),
      keys: new Map([['K1', publicKey]]),
      files: 'the-files',
      results: 'the-results',
      now: () => NOW,
      warn: (text) => warnings.push(text),
    },
  );
  const elsewhere = errorAnswer({ status: 404, errorType: 'not_found', message: 'Not a download' });
  edge.serve((request) => route(request) ?? { answer: elsewhere });
  makeLink = edgeLinks({
    url: downloadsUrl(edge.url),
    keyPairId: 'K1',
    key: async () => privateKey,
  });
});

afterEach(async () => {
  await edge.close();
  storage.close();
  storage.closeAllConnections();
});

const download = async (what: Download, init?: RequestInit) => fetch((await makeLink(what, NOW)).url, init);

test('a file comes from the bucket of files, as plain bytes under its name', async () => {
  const response = await download(file);
  expect(await response.text()).toBe('stored');
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''a%20b.html");
  expect(asked[0]?.url).toMatch(/^\/the-files\/w\/gw_file_1\?.*X-Amz-Signature=/);
});

test('a download says that browsers are not to guess what it is, and is not at the origin of the console', async () => {
  const { url } = await makeLink(video, NOW);
  expect((await fetch(url)).headers.get('x-content-type-options')).toBe('nosniff');
  const { host: elsewhere } = new URL(edge.url);
  const { hostname, port, pathname, search, host } = new URL(url);
  expect(host).not.toBe(elsewhere);
  const asked = openRequest({ hostname, port, path: pathname + search, headers: { host: elsewhere } }).end();
  const [response]: IncomingMessage[] = await once(asked, 'response');
  expect(response?.resume().statusCode).toBe(403);
});

test('a video comes from the bucket of results, as it is stored', async () => {
  const response = await download(video);
  expect(response.headers.get('content-type')).toBe('text/html');
  expect(response.headers.get('content-disposition')).toBeNull();
  expect(asked[0]?.url).toMatch(/^\/the-results\/kept-1d\/w\/j\/1\/0\.mp4\?/);
});

test('a file whose name looks like a result is a file', async () => {
  await download({ ...file, key: 'w/kept-1d' });
  expect(asked[0]?.url).toMatch(/^\/the-files\/w\/kept-1d\?/);
});

test('what a page asks across origins reaches the bucket', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
  const { hostname, port, pathname, search } = new URL((await makeLink(file, NOW)).url);
  // `fetch` sends no headers of pages.
  const request = openRequest({ hostname, port, path: pathname + search, headers }).end();
  const [response]: IncomingMessage[] = await once(request, 'response');
  response?.resume();
  expect(asked[0]?.headers).toMatchObject(headers);
});

test('headers of one connection stay there, and one that is repeated stays so', async () => {
  answer = (_, response) =>
    response.writeHead(200, { connection: 'x-hop', 'x-hop': '1', 'x-two': ['a', 'b'] }).end();
  for (const what of [file, video]) {
    const { headers } = await download(what);
    expect([headers.get('x-hop'), headers.get('x-two')]).toEqual([null, 'a, b']);
  }
});

test('who leaves before the storage answers breaks nothing for others', async () => {
  const [left, came] = [Promise.withResolvers<AnsweredRequest>(), Promise.withResolvers<void>()];
  ended = left.resolve;
  answer = async (_, response) => {
    came.resolve();
    await left.promise;
    response.end('too late');
  };
  const leaving = new AbortController();
  const abandoned = download(video, { signal: leaving.signal });
  await came.promise;
  leaving.abort();
  await expect(abandoned).rejects.toThrow('aborted');
  answer = (_, response) => response.end('stored');
  expect(await (await download(video)).text()).toBe('stored');
  expect(warnings).toEqual([]);
});

test('ranges and conditions reach the bucket, and nothing that tells who asks', async () => {
  answer = (_, response) => response.writeHead(206, { 'content-range': 'bytes 0-1/6' }).end('st');
  const headers = { range: 'bytes=0-1', 'if-none-match': '"1"', authorization: 'Bearer key', cookie: 'a=b' };
  const response = await download(file, { headers });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('bytes 0-1/6');
  expect(asked[0]?.headers).toMatchObject({ range: 'bytes=0-1', 'if-none-match': '"1"' });
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
  expect(asked[0]?.headers).not.toHaveProperty('cookie');
});

test.each([
  ['GET', 'GET'],
  ['HEAD', 'HEAD'],
  // S3 answers a preflight for the request after it.
  ['OPTIONS', 'GET'],
])('%s is for whoever has the link, and signed for S3 as %s', async (method, signedAs) => {
  expect((await download({ ...file, key: 'w/gw file (1)' }, { method })).status).toBe(200);
  expect(asked[0]?.method).toBe(method);
  expect(asked[0]?.url).toContain('/the-files/w/gw%20file%20%281%29?');
  const sent = new URL(asked[0]?.url ?? '', edge.url).searchParams;
  expect(sent.get('X-Amz-Signature')).toBe(await signatureFor(signedAs, asked[0]!));
});

/** The signature of a request for this method. S3 signs a path as it was sent, and escapes it no further. */
async function signatureFor(method: string, { url = '', headers }: IncomingMessage): Promise<unknown> {
  const { protocol, hostname, pathname: path } = new URL(url, `http://${headers.host}`);
  const signer = new SignatureV4({ ...ROOT, service: 's3', sha256: Sha256, uriEscapePath: false });
  const signed = { host: headers.host ?? '', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const request = { method, protocol, hostname, path, headers: signed };
  const { query } = await signer.presign(request, { expiresIn: 60, signingDate: NOW });
  return query?.['X-Amz-Signature'];
}

test('what the bucket says of an error stays as it is', async () => {
  answer = (_, response) => response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error/>');
  const response = await download(file);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('application/xml');
});

test.each<[string, (url: string) => [string, RequestInit?]]>([
  ['without a signature', (url) => [url.replace(/\?.*/, '')]],
  ['to another object', (url) => [url.replace('gw_file_1', 'gw_file_2')]],
  ['of a method that changes something', (url) => [url, { method: 'PUT', body: 'new' }]],
])('a request %s is refused, and asks nothing of the bucket', async (_, change) => {
  const response = await fetch(...change((await makeLink(file, NOW)).url));
  expect(response.status).toBe(403);
  expect(await response.text()).toContain('<Code>AccessDenied</Code>');
  expect(asked).toEqual([]);
});

test('a bucket that does not answer is a 502', async () => {
  storage.close();
  storage.closeAllConnections();
  expect((await download(file)).status).toBe(502);
  expect(warnings).toEqual([expect.stringContaining('Could not reach')]);
});

test.each([
  ['http://127.0.0.1:8787', 'http://localhost:8787/downloads'],
  // A URL leaves out the default port, and so must what is signed.
  ['http://127.0.0.1', 'http://localhost/downloads'],
])('downloads of %s are at %s', (address, url) => {
  expect(downloadsUrl(address)).toBe(url);
});

test('other paths are for others', async () => {
  expect((await fetch(`${edge.url}/downloadsx/a`)).status).toBe(404);
});

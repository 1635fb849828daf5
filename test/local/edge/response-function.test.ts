import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { loadResponseFunction } from '../../../local/edge/cloudfront-functions.ts';
import type { OutgoingHeaders } from '../../../local/edge/headers.ts';

/** A request as the edge gets it. */
async function requestTo(path: string): Promise<IncomingMessage> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = once(server, 'request');
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  server.close();
  const [request] = await asked;
  return request;
}

/** What a program sees, which it puts into a header as JSON. */
async function seenBy(expression: string, path: string, headers: OutgoingHeaders = {}): Promise<unknown> {
  const program = `function handler(event) {
    event.response.headers.seen = { value: JSON.stringify(${expression}) };
    return event.response;
  }`;
  const { seen } = loadResponseFunction(program)(await requestTo(path), 206, headers);
  return JSON.parse(String(seen));
}

test('a program sees the status, and the values of the query as they were sent', async () => {
  expect(await seenBy('event.response.statusCode', '/')).toBe(206);
  expect(await seenBy('event.request.uri', '/a/b?c=d')).toBe('/a/b');
  expect(await seenBy('event.request.querystring', '/a')).toEqual({});
  expect(await seenBy('event.request.querystring', '/a?x=1%20=2?3&x=4&y')).toEqual({
    x: { value: '1%20=2?3', multiValue: [{ value: '1%20=2?3' }, { value: '4' }] },
    y: { value: '' },
  });
});

test('a program gets every value of a header, and what it leaves alone stays', async () => {
  const headers = { vary: ['origin', 'range'], etag: '"1"' };
  expect(await seenBy('event.response.headers', '/', headers)).toEqual({
    vary: { value: 'origin', multiValue: [{ value: 'origin' }, { value: 'range' }] },
    etag: { value: '"1"' },
  });
  const unchanged = loadResponseFunction('const handler = (event) => event.response;');
  expect(unchanged(await requestTo('/'), 200, headers)).toEqual(headers);
});

test('a program has nothing of Node.js', async () => {
  expect(await seenBy('[typeof process, typeof require, typeof Buffer, typeof fetch]', '/')).toEqual(
    Array(4).fill('undefined'),
  );
});

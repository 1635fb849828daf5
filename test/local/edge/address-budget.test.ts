import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { UnauthenticatedBudget } from '../../../functions/gate/unauthenticated-budget.ts';
import { edgeProgram } from '../../../lib/edge/program.ts';
import { type Edge, openEdge } from '../../../local/edge/edge.ts';
import { apiRouter } from '../../../local/edge/router.ts';

let edge: Edge;
let upstream: Server;
let reached: number;
let viewers: unknown[];

/** A stage that knows one key, behind an edge with a budget of two requests. */
beforeEach(async () => {
  reached = 0;
  viewers = [];
  upstream = createServer((request, response) => {
    reached++;
    viewers.push(request.headers['x-genway-viewer-address']);
    const isKnown = request.headers.authorization === 'Bearer key';
    response.writeHead(isKnown ? 200 : 401, { 'x-request-id': 'function-1' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const address = upstream.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const budget = new UnauthenticatedBudget({ perMinute: 2, addresses: 10 }, () => new Date(0));
  edge = await openEdge({ port: 0, secret: 'the-edge', budget });
  edge.serve(apiRouter(edgeProgram(), { emulator: origin, apiId: 'a', uploads: origin }));
});

afterEach(async () => {
  await edge.close();
  upstream.close();
  upstream.closeAllConnections();
});

const ask = (authorization: string, headers: Record<string, string> = {}) =>
  fetch(`${edge.url}/api/v1/videos`, { headers: { authorization, ...headers } });

test('no number of 401s keeps out who uses this machine', async () => {
  for (let n = 0; n < 3; n++) expect((await ask('Bearer x')).status).toBe(401);
  expect((await ask('Bearer key')).status).toBe(200);
});

test('the edge answers pages of other sites with 429 after too many 401s, and forwards nothing', async () => {
  const page = { 'sec-fetch-site': 'cross-site' };
  expect([(await ask('Bearer x', page)).status, (await ask('Bearer x', page)).status]).toEqual([401, 401]);
  const refused = await ask('Bearer x', page);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await refused.json()).toMatchObject({
    error: { code: 429, metadata: { error_type: 'rate_limit_exceeded' } },
  });
  expect(reached).toBe(2);
});

// What a browser says of a page's request, and of a WebSocket that a page opens.
test.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
])('requests of a foreign page (%p) count only against such pages', async (page) => {
  for (let n = 0; n < 2; n++) expect((await ask('Bearer x', page)).status).toBe(401);
  expect([(await ask('Bearer x', page)).status, (await ask('Bearer key', page)).status]).toEqual([429, 429]);
  for (const own of [{}, { 'sec-fetch-site': 'same-origin' }, { origin: edge.url }]) {
    expect((await ask('Bearer key', own)).status).toBe(200);
  }
});

test('servers behind the edge are told under which name it has counted a request', async () => {
  await ask('Bearer key');
  await ask('Bearer key', { 'sec-fetch-site': 'cross-site' });
  expect(viewers).toEqual(['127.0.0.1', 'a page of another site']);
});

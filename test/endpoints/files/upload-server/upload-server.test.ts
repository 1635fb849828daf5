import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, maxHeaderSize, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Duplex, PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  LOAD_BALANCER_IDLE,
  REQUEST_TIMEOUT,
} from '../../../../functions/endpoints/files/upload-server/limits.ts';
import {
  createUploadServer,
  type UploadServerOptions,
} from '../../../../functions/endpoints/files/upload-server/upload-server.ts';
import {
  FORM_BYTES,
  LARGEST_BODY,
  LARGEST_FILE,
  LARGEST_PART,
} from '../../../../functions/files/size-limits.ts';
import { receiveFile } from '../../../../functions/files/upload/receive-file.ts';
import type { Authenticator } from '../../../../functions/gate/authentication.ts';
import {
  budgetedAuthenticator,
  UnauthenticatedBudget,
} from '../../../../functions/gate/unauthenticated-budget.ts';
import type { Principal } from '../../../../functions/http/call.ts';
import { RateLimited, ServiceUnavailable, Unauthenticated } from '../../../../functions/http/errors.ts';
import { json } from '../../../../functions/http/response.ts';
import { UNLIMITED } from '../../../../functions/http/scope.ts';
import { CONTENT_TYPE, formOf, memoryPorts } from '../../../files/upload/memory-ports.ts';

const DRAINED = { bytes: 1_000_000, milliseconds: 1_000 };

/** `key` belongs to the workspace `w1`, and `key-of-x` to the workspace `x`. */
function principalOf(authorization = ''): Principal {
  const [, workspaceId = 'w1'] = /^Bearer key(?:-of-(\w+))?$/.exec(authorization) ?? [];
  if (!/^Bearer key(-of-\w+)?$/.test(authorization)) throw new Unauthenticated('Invalid API key');
  return {
    keyHash: 'k',
    kind: 'normal',
    workspaceId,
    creator: 'k',
    rateLimits: {},
    scope: UNLIMITED,
    endsAt: null,
  };
}

/** The real server and rules, with stores in memory. */
async function serveUploads(options: Partial<UploadServerOptions> = {}) {
  const world = memoryPorts();
  const counted: number[] = [];
  const server = createUploadServer({
    entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
    authenticator: { authenticate: async ({ authorization }) => principalOf(authorization) },
    takeToken: async () => ({ 'x-ratelimit-limit': '60' }),
    upload: async ({ headers, principal, log }, body, pace) => {
      const contentType = headers['content-type'];
      const { workspaceId } = principal;
      const request = { body, pace, contentType, workspaceId, conditions: () => ({}), log };
      return json(200, await receiveFile(request, world.ports));
    },
    parts: { add: async () => json(200, {}) },
    log: world.log,
    newRequestId: () => 'ours',
    now: () => new Date('2026-01-02T03:04:05Z'),
    countRequest: ({ status }) => counted.push(status),
    maxUploads: 4,
    pace: { bytesPerSecond: 1, graceMilliseconds: 600_000, checkMilliseconds: 1_000 },
    drain: { known: DRAINED, unknown: DRAINED },
    ...options,
  });
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  const address = server.http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    ...server,
    ...world,
    counted,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.http.close();
      server.http.closeAllConnections();
      await once(server.http, 'close');
    },
  };
}

const FILES = '/api/v1/files';

let server: Awaited<ReturnType<typeof serveUploads>>;
beforeEach(async () => {
  server = await serveUploads();
});
afterEach(() => server.close());

const HEADERS = { authorization: 'Bearer key', 'content-type': CONTENT_TYPE };
/** The headers of another workspace's upload. */
const OTHERS = { ...HEADERS, authorization: 'Bearer key-of-others' };
const post = (body: Buffer, headers: Record<string, string> = HEADERS) =>
  fetch(server.url + FILES, { method: 'POST', headers, body: new Uint8Array(body) });

const SOMEBODY: Principal = {
  keyHash: 'k',
  kind: 'normal',
  workspaceId: 'w1',
  creator: 'k',
  rateLimits: {},
  scope: UNLIMITED,
  endsAt: null,
};
const anyone = { authenticate: async () => SOMEBODY };

/** A connection on which a test writes raw HTTP. */
async function dial(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

const head = (...fields: string[]) => {
  const known = ['host: x', 'authorization: Bearer key', `content-type: ${CONTENT_TYPE}`];
  return `POST ${FILES} HTTP/1.1\r\n${[...known, ...fields].join('\r\n')}\r\n\r\n`;
};

const closed = (stream: Duplex | IncomingMessage) => new Promise((resolve) => stream.once('close', resolve));

/** Polls for a state that no event announces. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('the upload server', () => {
  test('accepts no two credentials, as the functions do not', async () => {
    const socket = await dial();
    socket.end(`${head('authorization: Bearer key', 'content-length: 0', 'connection: close')}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('receives parts of uploads, and records them by their own name', async () => {
    await server.close();
    const recorded: string[] = [];
    server = await serveUploads({
      authenticator: { authenticate: async () => ({ ...SOMEBODY, kind: 'management' }) },
      record: () => Promise.reject(new Error('the name of an upload of a file')),
      parts: {
        add: async ({ path, pattern }, body) =>
          json(200, { ...path, pattern, bytes: (await text(body)).length }),
        record: (call, operate) => {
          recorded.push(call.pattern);
          return operate();
        },
      },
    });
    const ask = (path: string, method = 'POST') =>
      fetch(`${server.url}/api/v1/uploads/${path}`, {
        method,
        headers: HEADERS,
        ...(method === 'POST' && { body: 'a part' }),
      });
    const added = await ask('gw_upload_1/parts');
    const pattern = '/uploads/{upload}/parts';
    expect([added.status, await added.json()]).toEqual([200, { upload: 'gw_upload_1', pattern, bytes: 6 }]);
    expect(recorded).toEqual([pattern]);
    for (const other of ['gw_upload_1/complete', 'a/b/parts', '/parts'])
      expect((await ask(other)).status).toBe(404);
    expect((await ask('gw_upload_1/parts', 'GET')).status).toBe(404);
  });

  test('receives a file, of a known length or not, and keeps the connection', async () => {
    const known = await post(formOf('Some words.\n'));
    expect(known.status).toBe(200);
    expect(known.headers.get('connection')).toBe('keep-alive');
    expect(await known.json()).toMatchObject({ size_bytes: 12, mime_type: 'text/plain' });

    const unknown = request(server.url + FILES, { method: 'POST', headers: HEADERS });
    unknown.write(formOf('Some words.\n').subarray(0, 40));
    unknown.end(formOf('Some words.\n').subarray(40));
    const [answer] = await once(unknown, 'response');
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(await text(answer))).toMatchObject({ size_bytes: 12 });
    expect(server.counted).toEqual([200, 200]);
  });

  test('accepts any host name by default, otherwise only the configured ones', async () => {
    const statusUnder = async (host: string) => {
      const asked = request(`${server.url}/health`, { headers: { host } }).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusUnder('10.0.0.7')).toBe(200);
    await server.close();
    server = await serveUploads({ hosts: ['127.0.0.1:1', 'localhost:1'] });
    expect(await Promise.all(['127.0.0.1:1', 'LOCALHOST:1'].map(statusUnder))).toEqual([200, 200]);
    expect(await Promise.all(['evil.example:1', '127.0.0.1'].map(statusUnder))).toEqual([403, 403]);
  });

  test('says what is left of the key’s rate, and refuses requests beyond it', async () => {
    expect((await post(formOf('x'))).headers.get('x-ratelimit-limit')).toBe('60');
    await server.close();
    const takeToken = async () => {
      throw new RateLimited('Too often', { headers: { 'retry-after': '3' } });
    };
    server = await serveUploads({ authenticator: anyone, takeToken });
    const refused = await post(formOf('x'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    expect(server.rows).toEqual([]);
  });

  test('gives every answer our headers and a request id', async () => {
    const mine = await post(formOf('x'), { ...HEADERS, 'x-request-id': 'mine' });
    expect(mine.headers.get('x-request-id')).toBe('mine');
    const refused = await fetch(server.url);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'x-request-id': 'ours',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('waits longer than the load balancer in front of it, and for slow uploads', () => {
    expect(server.http.keepAliveTimeout).toBeGreaterThan(LOAD_BALANCER_IDLE);
    expect(server.http.headersTimeout).toBeGreaterThan(60_000);
    expect(server.http.requestTimeout).toBe(REQUEST_TIMEOUT);
  });

  test.each([
    ['GET', FILES],
    ['POST', '/'],
    ['POST', `${FILES}/`],
    ['POST', '/api/v1/files/x'],
    ['POST', '/api/v1/videos'],
    ['POST', '/files'],
    ['POST', '//'],
    ['POST', '/health'],
  ])('answers %s %s with 404', async (method, path) => {
    const sent = request(`${server.url}`, { method, path, headers: HEADERS });
    sent.end();
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(await text(answer)).error).toMatchObject({
      code: 404,
      metadata: { error_type: 'not_found' },
    });
  });

  test('answers malformed HTTP with our error body', async () => {
    const socket = await dial();
    socket.write('POST /api/v1/files HTTP/9.9\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error).toMatchObject({
      message: 'The request is malformed HTTP',
      metadata: { error_type: 'invalid_request' },
    });
  });

  test('says of headers that are too long what they are', async () => {
    const socket = await dial();
    socket.write(head(`x-long: ${'x'.repeat(maxHeaderSize)}`));
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error.message).toBe(
      'The URL and headers of the request are too long',
    );
  });

  test('refuses a body that does not arrive in time, and stores nothing of it', async () => {
    const connected = once(server.http, 'connection');
    const socket = await dial();
    const [served] = await connected;
    socket.write(head('content-length: 1000') + formOf('x').toString('latin1').slice(0, -5));
    await until(() => server.calls.includes('put'));
    // Node.js emits this when a request takes too long. No test can wait for that.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.http.emit('clientError', late, served);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*took too long/);
    await until(() => server.aborted.length === 1);
    expect(server.objects.size).toBe(0);
  });
});

describe('a refusal', () => {
  test('of a credential comes before the body', async () => {
    const socket = await dial();
    socket.write(head('content-length: 1000').replace('Bearer key', 'Bearer nonsense'));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /);
    expect(server.calls).toEqual([]);
    socket.destroy();
  });

  describe.each([
    ['file', FILES, LARGEST_FILE],
    ['part', '/api/v1/uploads/gw_upload_1/parts', LARGEST_PART],
  ])('of the declared length of a %s', (what, path, limit) => {
    test('comes before the body, one byte over the limit', async () => {
      const socket = await dial();
      socket.write(head(`content-length: ${limit + FORM_BYTES + 1}`).replace(FILES, path));
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      expect(String(answer)).toContain('connection: close');
      expect(String(answer)).toContain(`"The ${what} must be at most ${limit} bytes"`);
      expect(server.calls).toEqual([]);
      socket.destroy();
    });

    test('does not come at the limit', async () => {
      const socket = await dial();
      socket.write(head(`content-length: ${limit + FORM_BYTES}`).replace(FILES, path));
      socket.end(formOf('x'));
      expect(await text(socket)).not.toMatch(/^HTTP\/1\.1 413 /);
    });
  });

  test('reaches a client that sends all of its body before it listens', async () => {
    const size = 900_000;
    const socket = await dial();
    socket.pause();
    socket.write(head(`content-length: ${size}`).replace('Bearer key', 'Bearer nonsense'));
    await new Promise((resolve) => socket.write(Buffer.alloc(size), resolve));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 [\s\S]*Invalid API key/);
  });

  test.each([
    ['too many bytes', { bytes: 1_000, milliseconds: 60_000 }],
    ['too long a time', { bytes: 1e9, milliseconds: 10 }],
  ])('closes the connection of a client that goes on for %s', async (_, drain) => {
    await server.close();
    server = await serveUploads({ drain: { known: drain, unknown: drain } });
    const socket = await dial();
    socket.on('error', () => undefined);
    socket.write(head(`content-length: ${LARGEST_BODY + 1}`));
    const sending = setInterval(() => socket.write(Buffer.alloc(500)), 2);
    await closed(socket);
    clearInterval(sending);
  });
});

describe('a client that goes away', () => {
  test('leaves nothing behind and frees its slot', async () => {
    await server.close();
    server = await serveUploads({ maxUploads: 1 });
    const socket = await dial();
    socket.write(`${head('content-length: 100000')}${formOf('Some words').toString('latin1').slice(0, -20)}`);
    await until(() => server.calls.includes('put'));
    socket.destroy();
    await until(() => server.aborted.length === 1);
    expect(server.objects.size).toBe(0);
    expect(server.rows).toEqual([]);
    await until(() => server.counted.length === 1);
    expect((await post(formOf('x'))).status).toBe(200);
  });

  test('during the look-up of its key is not waited for', async () => {
    let proceed: () => void = () => undefined;
    await server.close();
    const authenticate = () =>
      new Promise<Principal>((resolve) => {
        proceed = () => resolve(SOMEBODY);
      });
    server = await serveUploads({ authenticator: { authenticate }, takeToken: async () => ({}) });
    const socket = await dial();
    socket.write(head('content-length: 1000'));
    const [incoming] = await once(server.http, 'request');
    socket.destroy();
    await closed(incoming);
    proceed();
    await until(() => server.counted.length === 1);
    expect(server.counted).toEqual([400]);
  });
});

describe('a server with as many uploads as it may hold', () => {
  test('refuses one more with a time to retry, and accepts it when a slot is free', async () => {
    await server.close();
    server = await serveUploads({ maxUploads: 1 });
    const body = new PassThrough();
    const first = request(server.url + FILES, { method: 'POST', headers: HEADERS });
    body.pipe(first);
    body.write(formOf('x').subarray(0, 90));
    await until(() => server.calls.includes('put'));

    const refused = await post(formOf('x'), OTHERS);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await (await fetch(`${server.url}/health`)).json()).toEqual({ uploads: 1 });

    body.end(formOf('x').subarray(90));
    const [answer] = await once(first, 'response');
    expect(answer.statusCode).toBe(200);
    answer.resume();
    expect((await post(formOf('x'))).status).toBe(200);
  });
});

describe('a server that many use', () => {
  /** A pace that dripping uploads cannot meet. The server checks it often, so that no test has to wait. */
  const IMPATIENT = {
    maxUploads: 12,
    pace: { bytesPerSecond: 100_000, graceMilliseconds: 100, checkMilliseconds: 10 },
  };

  /** Opens connections of one workspace. Each begins an upload and then sends single bytes. */
  async function drip(count: number): Promise<{ sockets: Socket[]; stop: () => void }> {
    const sockets = await Promise.all(Array.from({ length: count }, dial));
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.write(head('content-length: 100000') + formOf('x'.repeat(500)).toString('latin1').slice(0, 200));
    }
    const dripping = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }, 5);
    return {
      sockets,
      stop: () => {
        clearInterval(dripping);
        for (const socket of sockets) socket.destroy();
      },
    };
  }

  test('gives one workspace only its share, so that others always find a slot', async () => {
    await server.close();
    server = await serveUploads({ maxUploads: 12 });
    const { sockets, stop } = await drip(14);
    const refusals = await Promise.all(
      sockets.map((socket) =>
        Promise.race([once(socket, 'data'), until(() => server.counted.length === 11)]),
      ),
    );
    expect(server.places.inUse).toBe(3);
    expect(server.counted).toEqual(Array(11).fill(429));
    const refusal = String(refusals.flat().find((each) => each !== undefined));
    expect(refusal).toMatch(/^HTTP\/1\.1 429 /);
    expect(refusal).toContain('retry-after: 5\r\n');
    expect(refusal).toContain('x-ratelimit-limit: 3\r\n');
    expect(refusal).toContain('already has 3 large uploads in progress');
    for (let i = 0; i < 20; i++) expect((await post(formOf('x'), OTHERS)).status).toBe(200);
    stop();
  });

  test('ends an upload that is too slow, says why, and stores nothing of it', async () => {
    await server.close();
    server = await serveUploads(IMPATIENT);
    const { sockets, stop } = await drip(1);
    const [answer] = await once(sockets[0]!, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [\s\S]*arrived too slowly/);
    stop();
    await until(() => server.places.inUse === 0);
    expect(server.objects.size).toBe(0);
    expect(server.rows).toEqual([]);
  });

  test('reports the most slots in use since the last question', async () => {
    const { stop } = await drip(1);
    await until(() => server.places.inUse === 1);
    expect(server.places.takePeak()).toBe(1);
    stop();
    await until(() => server.places.inUse === 0);
    expect(server.places.takePeak()).toBe(1);
    expect(server.places.takePeak()).toBe(0);
  });
});

describe('an address that sends wrong credentials', () => {
  const entrance = {
    publicUrl: undefined,
    edgeSecretsSha256: [createHash('sha256').update('edge').digest()],
  };
  const from = (address: string, authorization = 'Bearer nonsense') =>
    post(formOf('x'), {
      ...HEADERS,
      authorization,
      'x-genway-viewer-address': address,
      'x-genway-edge': 'edge',
    });

  /** Starts a server with this budget and returns the list of credentials that it looks up. */
  async function serveWithBudget(perMinute: number, through: typeof entrance): Promise<string[]> {
    await server.close();
    const lookedUp: string[] = [];
    const inner: Authenticator = {
      authenticate: async ({ authorization = '' }) => {
        lookedUp.push(authorization);
        if (authorization === 'Bearer unlucky') throw new ServiceUnavailable('The table is busy');
        if (authorization !== 'Bearer key') throw new Unauthenticated('Invalid API key');
        return SOMEBODY;
      },
    };
    const budget = new UnauthenticatedBudget({ perMinute, addresses: 10 }, () => new Date(0));
    const authenticator = budgetedAuthenticator(inner, budget, through);
    server = await serveUploads({
      entrance: through,
      authenticator,
      takeToken: async () => ({}),
    });
    return lookedUp;
  }

  test('must wait once it has used its budget up, and its credentials are not looked up', async () => {
    const lookedUp = await serveWithBudget(2, entrance);
    const first = [await from('192.0.2.1'), await from('192.0.2.1')];
    expect(first.map(({ status }) => status)).toEqual([401, 401]);
    const refused = await from('192.0.2.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.json()).toMatchObject({
      error: { metadata: { error_type: 'rate_limit_exceeded' } },
    });
    expect(lookedUp).toHaveLength(2);
    expect((await from('192.0.2.2')).status).toBe(401);
    expect((await from('192.0.2.3', 'Bearer key')).status).toBe(200);
  });

  test('does not keep a key waiting that was good before', async () => {
    const lookedUp = await serveWithBudget(2, entrance);
    expect((await from('192.0.2.9', 'Bearer key')).status).toBe(200);
    for (let n = 0; n < 3; n++) await from('192.0.2.1');
    const [good, wrong] = [await from('192.0.2.1', 'Bearer key'), await from('192.0.2.1', 'Bearer other')];
    expect([good.status, wrong.status]).toEqual([200, 429]);
    expect(lookedUp).toHaveLength(4);
  });

  test('is not counted for valid credentials, or if the look-up fails', async () => {
    await serveWithBudget(2, entrance);
    for (let n = 0; n < 5; n++) expect((await from('192.0.2.1', 'Bearer key')).status).toBe(200);
    for (let n = 0; n < 5; n++) expect((await from('192.0.2.1', 'Bearer unlucky')).status).toBe(503);
  });

  test('cannot be forged without an edge that proves itself', async () => {
    await serveWithBudget(1, { ...entrance, edgeSecretsSha256: [] });
    for (let n = 0; n < 3; n++) expect((await from('192.0.2.1')).status).toBe(401);
    await serveWithBudget(1, entrance);
    const around = () => post(formOf('x'), { ...HEADERS, 'x-genway-viewer-address': '192.0.2.1' });
    for (let n = 0; n < 3; n++) expect((await around()).status).toBe(403);
    expect((await from('192.0.2.1', 'Bearer key')).status).toBe(200);
  });
});

describe('a caller without a key', () => {
  const NOBODY = head('content-length: 50000000').replace('Bearer key', 'Bearer nonsense');
  const drain = {
    known: { bytes: 64_000_000, milliseconds: 60_000 },
    unknown: { bytes: 65_536, milliseconds: 200 },
  };

  test('gets its response, and almost none of its body is read', async () => {
    await server.close();
    server = await serveUploads({ drain });
    const connected = once(server.http, 'connection');
    const socket = await dial();
    const [served] = await connected;
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.write(NOBODY);
    const sending = setInterval(() => socket.writable && socket.write(Buffer.alloc(1_000_000)), 1);
    await closed(served);
    clearInterval(sending);
    // Node.js may already have read more from the socket when the server stops reading.
    expect(served.bytesRead).toBeLessThan(65_536 * 4);
    expect(received).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Bearer[\s\S]*Invalid API key/);
    socket.destroy();
  });
});

describe('a server behind an edge', () => {
  const entrance = {
    publicUrl: undefined,
    edgeSecretsSha256: [createHash('sha256').update('secret').digest()],
  };

  test('refuses requests that bypass it, and answers the load balancer', async () => {
    await server.close();
    server = await serveUploads({ entrance });
    expect((await post(formOf('x'))).status).toBe(403);
    expect((await post(formOf('x'), { ...HEADERS, 'x-genway-edge': 'secret' })).status).toBe(200);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
  });
});

describe('a stopping server', () => {
  test('finishes its uploads and accepts no others', async () => {
    const first = request(server.url + FILES, { method: 'POST', headers: HEADERS });
    first.write(formOf('x').subarray(0, 90));
    await until(() => server.calls.includes('put'));
    const other = await dial();
    other.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(other, 'data');

    server.places.close();
    const closed = once(server.http, 'close');
    other.write(head('content-length: 0'));
    const [refusal] = await once(other, 'data');
    expect(String(refusal)).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/);
    server.http.close();

    first.end(formOf('x').subarray(90));
    const [answer] = await once(first, 'response');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.connection).toBe('close');
    answer.resume();
    await closed;
    expect(server.rows).toHaveLength(1);
    server = await serveUploads();
  });
});

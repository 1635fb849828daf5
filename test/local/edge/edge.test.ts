import { on, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../functions/endpoints/files/definition.ts';
import { LARGEST_BODY, LARGEST_LAMBDA_BODY } from '../../../functions/files/size-limits.ts';
import { COMMON_HEADERS } from '../../../functions/http/response.ts';
import { edgeProgram } from '../../../lib/edge/program.ts';
import type { AnsweredRequest } from '../../../local/edge/answered-request.ts';
import { type Edge, openEdge } from '../../../local/edge/edge.ts';
import { apiRouter } from '../../../local/edge/router.ts';
import { LocalRunError } from '../../../local/system/failure.ts';
import { errorBody } from '../../http/error-bodies.ts';

let warnings: string[];
let edge: Edge;
let emulator: Server | undefined;

beforeEach(async () => {
  warnings = [];
  edge = await openEdge({ port: 0, secret: 'the-edge', warn: (warning) => warnings.push(warning) });
});

afterEach(async () => {
  await edge.close();
  await stopEmulator();
});

async function stopEmulator(): Promise<void> {
  const stopped = emulator;
  emulator = undefined;
  if (stopped === undefined) return;
  stopped.close();
  stopped.closeAllConnections();
  await once(stopped, 'close');
}

/** Starts a server in the emulator's place, behind the edge. */
async function serveEmulator(listener: RequestListener, tunnel?: string): Promise<void> {
  emulator = createServer(listener).listen(0, '127.0.0.1');
  await once(emulator, 'listening');
  const origin = `http://127.0.0.1:${portOf(emulator)}`;
  edge.serve(apiRouter(edgeProgram(), { emulator: origin, apiId: 'api1', uploads: origin }), tunnel);
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

const ok = { 'x-request-id': 'function-1' };

describe('a request for the API', () => {
  test('reaches the deployed REST API with unchanged method, path, query and body', async () => {
    const seen: string[] = [];
    await serveEmulator(async (incoming, response) => {
      seen.push(`${incoming.method} ${incoming.url} ${await text(incoming)}`);
      response.writeHead(201, { ...ok, location: '/api/v1/files/1' }).end('made');
    });
    const response = await fetch(`${edge.url}/api/v1/files/a%2Fb?x=%20&x=1`, {
      method: 'POST',
      body: 'bytes',
    });
    expect(seen).toEqual(['POST /_aws/execute-api/api1/api/v1/files/a%2Fb?x=%20&x=1 bytes']);
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/api/v1/files/1');
    expect(await response.text()).toBe('made');
  });

  test('goes to the origin of the edge function, with its query', async () => {
    await serveEmulator((incoming, response) => response.writeHead(200, ok).end(incoming.url));
    const response = await fetch(`${edge.url}/.well-known/webhooks/jwks.json?a=b?c`);
    expect(await response.text()).toBe('/_aws/execute-api/api1/api/v1/.well-known/webhooks/jwks.json?a=b?c');
  });

  test('carries the public address', async () => {
    await serveEmulator((incoming, response) => {
      response.writeHead(200, ok).end(String(incoming.headers['x-genway-public-url']));
    });
    const response = await fetch(`${edge.url}/api/v1/x`, {
      headers: { 'x-genway-public-url': 'http://evil' },
    });
    expect(await response.text()).toBe(edge.url);
  });

  test('is forwarded as a stream, and so is its response', async () => {
    await serveEmulator((incoming, response) => {
      response.writeHead(200, ok);
      incoming.pipe(response);
    });
    const upload = request(`${edge.url}/api/v1/files`, { method: 'POST' });
    upload.write('first');
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    expect(String((await once(answer, 'data'))[0])).toBe('first');
    upload.end('second');
    expect(await text(answer)).toBe('second');
  });

  test.each([routes['upload-file'].path, routes['add-upload-part'].path.replace('{upload}', 'gw_upload_1')])(
    'for a large body of %s, or one of unknown length, goes unchanged to the upload server',
    async (path) => {
      const seen: unknown[] = [];
      await serveEmulator(async (incoming, response) => {
        seen.push(incoming.url);
        incoming.resume();
        response.writeHead(200, ok).end();
      });
      const large = `/api/v1${path}?provider=x`;
      const post = (init: RequestInit) => fetch(edge.url + large, { method: 'POST', ...init });
      await post({ body: 'small' });
      await post({ body: new Uint8Array(LARGEST_LAMBDA_BODY + 1) });
      await post({ body: new Blob(['chunked']).stream(), duplex: 'half' });
      expect(seen).toEqual([`/_aws/execute-api/api1${large}`, large, large]);
    },
  );

  test.each([
    ['/api/v1/uploads/a/b/parts', '/api/v1/uploads/a/b/parts'],
    ['/api/v1/uploads/a/complete', '/_aws/execute-api/api1/api/v1/uploads/a/complete'],
    ['/api/v1/uploads/parts', '/_aws/execute-api/api1/api/v1/uploads/parts'],
  ])('for %s goes where its path leads on CloudFront', async (path, expected) => {
    await serveEmulator((incoming, response) => response.writeHead(200, ok).end(incoming.url));
    expect(await (await fetch(edge.url + path)).text()).toBe(expected);
  });

  test('whose upload is too large is answered by the edge function', async () => {
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end());
    const upload = request(`${edge.url}/api/v1/files`, {
      method: 'POST',
      headers: { 'content-length': LARGEST_BODY + 1 },
    });
    upload.flushHeaders();
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      413,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(await text(answer)).error.metadata.error_type).toBe('payload_too_large');
    upload.destroy();
  });

  test('whose upload is too large is read until its caller stops sending, so that the caller reads the response', async () => {
    const order: string[] = [];
    await edge.close();
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    edge = await openEdge({
      port: 0,
      secret: 'the-edge',
      answered: () => {
        order.push('answered');
        resolve();
      },
    });
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end());
    const { host, port } = new URL(edge.url);
    const caller = connect(Number(port), '127.0.0.1');
    caller.write(`POST /api/v1/files HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${LARGEST_BODY + 1}\r\n`);
    caller.write('connection: close\r\n\r\n');
    let said = '';
    for await (const [chunk] of on(caller, 'data')) {
      said += chunk;
      if (said.includes('payload_too_large')) break;
    }
    expect(said).toMatch(/^HTTP\/1\.1 413 /);
    await new Promise((sent) => caller.write(Buffer.alloc(1_000), sent));
    order.push('sent');
    caller.destroy();
    await answered;
    expect(order).toEqual(['sent', 'answered']);
  });

  test('that is answered before its body arrives, by an upstream that closes later, is not cut off', async () => {
    let hangUp: () => void = () => undefined;
    await serveEmulator((incoming, response) => {
      response.writeHead(413, { ...ok, connection: 'close', 'content-length': 9 }).write('too large');
      hangUp = () => incoming.destroy();
    });
    const upload = request(`${edge.url}/api/v1/files`, { method: 'POST' });
    upload.write(Buffer.alloc(1_000_000));
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([413, 'too large']);
    hangUp();
    await new Promise((resolve) => upload.end(Buffer.alloc(1_000_000), resolve as () => void));
    expect(warnings).toEqual([]);
  });

  test('whose answer is cut off ends too, even while its body is being sent', async () => {
    let cutOff: () => void = () => undefined;
    await serveEmulator((incoming, response) => {
      response.writeHead(200, { ...ok, 'content-length': 9 }).write('in part');
      cutOff = () => incoming.socket.resetAndDestroy();
    });
    const upload = request(`${edge.url}/api/v1/files`, { method: 'POST' }).on('error', () => undefined);
    upload.write(Buffer.alloc(1_000_000));
    const [answer] = (await once(upload, 'response')) as [IncomingMessage];
    answer.once('data', () => cutOff());
    await expect(text(answer)).rejects.toThrow('aborted');
    expect(warnings).toEqual([]);
  });

  test('that its caller gives up is given up towards the emulator', async () => {
    const gone = new Promise((resolve) => {
      void serveEmulator((incoming) => incoming.once('close', resolve)).then(() => {
        const upload = request(`${edge.url}/api/v1/files`, { method: 'POST' }).on('error', () => undefined);
        upload.write('first', () => setImmediate(() => upload.destroy()));
      });
    });
    await gone;
    expect(warnings).toEqual([]);
  });
});

async function errorOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  return response.json();
}

describe('responses of the edge itself', () => {
  test('and of others are logged with method, path, status and time, without the query', async () => {
    await edge.close();
    let tell: (request: AnsweredRequest) => void = () => undefined;
    const told = new Promise<AnsweredRequest>((resolve) => {
      tell = resolve;
    });
    edge = await openEdge({ port: 0, secret: 'the-edge', answered: (request) => tell(request) });
    const url = `${edge.url}/api/v1/files?secret=1`;
    await fetch(url, { headers: { authorization: 'Bearer k' } }).then((response) => response.text());
    expect(await told).toEqual({
      method: 'GET',
      path: '/api/v1/files',
      status: 503,
      address: '127.0.0.1',
      milliseconds: expect.any(Number),
      authorization: 'Bearer k',
    });
  });

  test('503 until the edge has something to serve', async () => {
    const response = await fetch(`${edge.url}/api/v1/files`);
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toMatchObject({ error: { code: 503, message: expect.any(String) } });
  });

  test('404 outside of /api/', async () => {
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end());
    const response = await fetch(`${edge.url}/elsewhere`);
    expect(response.status).toBe(404);
    for (const [name, value] of Object.entries(COMMON_HEADERS))
      expect(response.headers.get(name)).toBe(value);
    expect(await errorOf(response)).toMatchObject({ error: { code: 404 } });
  });

  test('503 if the emulator has ended', async () => {
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end());
    await stopEmulator();
    const response = await fetch(`${edge.url}/api/v1/files`);
    expect(response.status).toBe(503);
    expect(await errorOf(response)).toMatchObject({ error: { code: 503 } });
    expect(warnings).toHaveLength(1);
  });

  test('502 if the emulator closes without a response', async () => {
    await serveEmulator((incoming) => incoming.socket.destroy());
    const response = await fetch(`${edge.url}/api/v1/files`);
    expect(response.status).toBe(502);
    expect(await errorOf(response)).toMatchObject({ error: { code: 502 } });
  });

  test.each([
    [500, 502],
    [502, 502],
    [504, 502],
    [404, 404],
    [413, 413],
  ])(
    'the emulator’s own %i becomes %i in the error body, and its message is logged',
    async (said, answered) => {
      await serveEmulator((_incoming, response) => response.writeHead(said).end('<html>Traceback</html>'));
      const response = await fetch(`${edge.url}/api/v1/files`);
      expect(response.status).toBe(answered);
      expect(await errorOf(response)).toMatchObject({ error: { code: answered } });
      expect(warnings).toEqual([`the emulator answered ${said}: <html>Traceback</html>`]);
    },
  );

  test.each([404, 500, 503])('a function’s own %i passes unchanged', async (status) => {
    await serveEmulator((_incoming, response) => response.writeHead(status, ok).end('{"error":{}}'));
    const response = await fetch(`${edge.url}/api/v1/files`);
    expect([response.status, await response.text()]).toEqual([status, '{"error":{}}']);
  });
});

describe('the Host of a request', () => {
  const answerTo = async (host: string, path = '/api/v1/files', method = 'GET') => {
    const { hostname, port } = new URL(edge.url);
    const asked = request({ hostname, port, path, method, headers: { host } }).end();
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) };
  };
  const port = () => new URL(edge.url).port;

  test('may be any name of this machine, with the port', async () => {
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end('{}'));
    for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
      expect(await answerTo(`${name}:${port()}`)).toMatchObject({ status: 200 });
    }
  });

  test('may be no other name, because a page could send it by DNS rebinding', async () => {
    let reached = 0;
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end(`${++reached}`));
    const names = ['127.0.0.1', 'localhost', 'localhost:1', `127.0.0.2:${port()}`];
    for (const host of [...names, `evil.example:${port()}`, `localhost.evil.example:${port()}`]) {
      const { status, headers, body } = await answerTo(host);
      expect([host, status, headers['access-control-allow-origin']]).toEqual([host, 403, undefined]);
      const message = `The Host header must be 127.0.0.1:${port()} or localhost:${port()} or [::1]:${port()}`;
      expect(body).toEqual(errorBody(403, 'permission_denied', message));
    }
    expect(reached).toBe(0);
  });

  test('may be that of a tunnel for the callbacks of providers, and for nothing else', async () => {
    const seen: unknown[] = [];
    await serveEmulator((incoming, response) => {
      seen.push(`${incoming.method} ${incoming.url}`);
      response.writeHead(200, ok).end('{}');
    }, 'https://Tunnel.example');
    const callback = '/api/v1/callbacks/a_token.of-a-submit';
    expect(await answerTo('tunnel.example', callback, 'POST')).toMatchObject({ status: 200 });
    expect(seen.splice(0)).toEqual([`POST /_aws/execute-api/api1${callback}`]);
    for (const [path, method] of [
      [callback, 'GET'],
      ['/console', 'GET'],
      ['/api/v1/keys', 'POST'],
      ['/api/v1/callbacks/..', 'POST'],
      ['/api/v1/callbacks/a.b/../../keys', 'POST'],
      ['/api/v1/callbacks/%2e%2e/keys', 'POST'],
      [`${edge.url}${callback}`, 'POST'],
      [`/sandbox-calls?url=${edge.url}${callback}&seconds=0`, 'POST'],
    ] as const) {
      const { status, headers, body } = await answerTo('tunnel.example', path, method);
      expect([path, status, headers['access-control-allow-origin']]).toEqual([path, 403, undefined]);
      const message = 'This address is only for the callbacks of providers';
      expect(body).toEqual(errorBody(403, 'permission_denied', message));
    }
    expect(await answerTo('other.tunnel.example', callback, 'POST')).toMatchObject({ status: 403 });
    expect(seen).toEqual([]);
  });

  test('of no tunnel is that of a stage without one', async () => {
    await serveEmulator((_incoming, response) => response.writeHead(200, ok).end('{}'), 'on');
    expect(await answerTo('on', '/api/v1/callbacks/a.b', 'POST')).toMatchObject({ status: 403 });
  });
});

test('closing the edge ends slow connections, and waits for none', async () => {
  let arrived = 0;
  await serveEmulator((incoming) => {
    arrived++;
    incoming.resume();
  });
  const drips = Array.from({ length: 14 }, () => request(`${edge.url}/api/v1/files`, { method: 'POST' }));
  const cut = drips.map((drip) => once(drip, 'error'));
  for (const drip of drips) drip.write('a');
  while (arrived < drips.length) await turn();
  const closed = edge.close();
  const errors = await Promise.all(cut);
  await closed;
  expect(errors.map(([{ code }]) => code)).toEqual(drips.map(() => 'ECONNRESET'));
  // No request has ended, so the edge closed because it cut the connections.
  expect(drips.every((drip) => !drip.writableEnded)).toBe(true);
});

test('a taken port is one sentence that says what to do', async () => {
  const port = Number(new URL(edge.url).port);
  const failure = await openEdge({ port, secret: 'the-edge' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LocalRunError);
  expect(failure).toHaveProperty(
    'message',
    `Port ${port} is in use. Stop what listens there, or choose another port with --port (0 for any free port).`,
  );
});

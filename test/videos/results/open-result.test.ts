import { describe, expect, test } from '@jest/globals';
import {
  openResult,
  ResultUnavailable,
  UnusableResult,
} from '../../../functions/videos/results/open-result.ts';
import { type Answer, WireServer } from '../providers/wire-server.ts';

const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();
const video: Answer = (response) => response.writeHead(200).end('ftyp');
const headers = { authorization: 'Bearer secret' };

async function read(server: WireServer, path: string, more = {}): Promise<string> {
  const output = { kind: 'url' as const, url: `${server.origin}${path}`, headers };
  const ports = {
    ...server.context(''),
    pause: async () => undefined,
    endsAt: Number.POSITIVE_INFINITY,
    ...more,
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openResult(output, ports)) chunks.push(chunk);
  return String(Buffer.concat(chunks));
}

describe('a result', () => {
  test('is read with the headers that its address needs', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', video);
    expect(await read(server, '/v')).toBe('ftyp');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  test('keeps them for a redirect on its own host, but not to another', async () => {
    await using server = await WireServer.open();
    await using other = await WireServer.open();
    server.on('GET /v', redirect('/w', 307));
    server.on('GET /w', redirect(`${other.origin}/x`));
    other.on('GET /x', video);
    expect(await read(server, '/v')).toBe('ftyp');
    expect(server.requests[1]?.headers.authorization).toBe('Bearer secret');
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['a redirect to a private address', redirect('https://10.0.0.1/v'), /must have a host name, not an IP/],
    ['a redirect to a file', redirect('file:///etc/passwd'), /must be an https URL/],
    ['redirects without end', redirect('/v'), /keeps redirecting/],
  ])('at %s is unusable', async (_, answer, message) => {
    await using server = await WireServer.open();
    server.on('GET /v', answer);
    await expect(read(server, '/v')).rejects.toThrow(UnusableResult);
    await expect(read(server, '/v')).rejects.toThrow(message);
  });

  test('that comes in drops is left for later', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', video);
    let minutes = 0;
    const now = () => new Date(60_000 * minutes++);
    await expect(read(server, '/v', { now })).rejects.toThrow(ResultUnavailable);
  });

  const resets: Answer = (response) => response.socket?.resetAndDestroy();
  const breaksOff: Answer = (response) => {
    response
      .writeHead(200, { 'content-length': '100' })
      .write('ftyp', () => response.socket?.resetAndDestroy());
  };
  const endsEarly: Answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('ftyp', () => response.socket?.end());
  };
  const status =
    (code: number): Answer =>
    (response) =>
      response.writeHead(code).end();

  test.each([
    ['403, as an address that has expired', status(403), /returned 403/],
    ['404', status(404), /returned 404/],
    ['410', status(410), /returned 410/],
    ['500', status(500), /returned 500/],
    ['503', status(503), /returned 503/],
    ['a reset connection', resets, /could not be downloaded/],
    ['a connection reset midway', breaksOff, /was interrupted/],
    ['fewer bytes than it said', endsEarly, /was interrupted/],
  ])('that answers %s can be retried later', async (_, answer, message) => {
    await using server = await WireServer.open();
    server.on('GET /v', answer);
    const failure = await read(server, '/v').catch((error) => error);
    expect(failure).toBeInstanceOf(ResultUnavailable);
    expect(failure.message).toMatch(message);
  });
});

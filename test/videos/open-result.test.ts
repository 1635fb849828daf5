import { describe, expect, test } from '@jest/globals';
import { openResult } from '../../functions/videos/open-result.ts';
import { UnusableResult } from '../../functions/videos/result-store.ts';
import { type Answer, WireServer } from './providers/wire-server.ts';

const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();
const video: Answer = (response) => response.writeHead(200).end('ftyp');
const headers = { authorization: 'Bearer secret' };

async function read(server: WireServer, path: string): Promise<string> {
  const output = { kind: 'url' as const, url: `${server.origin}${path}`, headers };
  const chunks: Uint8Array[] = [];
  for await (const chunk of await openResult(output, server.context(''))) chunks.push(chunk);
  return String(Buffer.concat(chunks));
}

describe('a result', () => {
  test('is read with the headers that its address wants', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', video);
    expect(await read(server, '/v')).toBe('ftyp');
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  test('is followed on its own host with them, to another without', async () => {
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
    ['a redirect to a private address', redirect('https://10.0.0.1/v'), /must name a host, not an IP/],
    ['a redirect to a file', redirect('file:///etc/passwd'), /must be an https URL/],
    ['redirects without end', redirect('/v'), /keeps redirecting/],
  ])('at %s is unusable', async (_, answer, message) => {
    await using server = await WireServer.open();
    server.on('GET /v', answer);
    await expect(read(server, '/v')).rejects.toThrow(UnusableResult);
    await expect(read(server, '/v')).rejects.toThrow(message);
  });

  test('that cannot be had just now may be had later', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', (response) => response.writeHead(503).end());
    const failure = await read(server, '/v').catch((error) => error);
    expect(failure).not.toBeInstanceOf(UnusableResult);
    expect(failure.message).toMatch(/answered 503/);
  });
});

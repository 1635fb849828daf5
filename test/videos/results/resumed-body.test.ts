import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openResult, ResultUnavailable } from '../../../functions/videos/results/open-result.ts';
import { type Answer, WireServer } from '../providers/wire-server.ts';

const VIDEO = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz');
const TAG = { etag: '"v1"' };

/** An answer with the file from this byte on. The connection breaks after `arriving` bytes. */
const part =
  (from: number, arriving: number, headers: Record<string, string> = TAG): Answer =>
  (response) => {
    const length = VIDEO.length - from;
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${VIDEO.length - 1}/${VIDEO.length}` };
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': String(length), ...range, ...headers });
    const bytes = VIDEO.subarray(from, from + arriving);
    if (arriving >= length) response.end(bytes);
    else response.write(bytes, () => setImmediate(() => response.socket?.destroySoon()));
  };

const answer =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end();

async function read(server: WireServer) {
  const pauses: number[] = [];
  const ports = {
    ...server.context(''),
    pause: async (milliseconds: number) => void pauses.push(milliseconds),
    endsAt: Number.POSITIVE_INFINITY,
  };
  const output = { kind: 'url' as const, url: `${server.origin}/v`, headers: { authorization: 'Bearer x' } };
  const bytes = Buffer.concat(await Array.fromAsync(await openResult(output, ports)));
  return { bytes, pauses, ranges: server.requests.map(({ headers }) => headers.range) };
}

describe('a download that breaks off', () => {
  test('is resumed with the same version until it is complete', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', part(0, 10), part(10, 5), part(15, 100));
    const { bytes, ranges } = await read(server);
    expect(String(bytes)).toBe(String(VIDEO));
    expect(ranges).toEqual([undefined, 'bytes=10-', 'bytes=15-']);
    for (const { headers } of server.requests.slice(1)) {
      expect(headers).toMatchObject({ 'if-range': '"v1"', authorization: 'Bearer x' });
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  test('anywhere, any number of times, is put together byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }), async (pieces) => {
        await using server = await WireServer.open();
        const starts = pieces.map((_, i) => sum(pieces, i)).filter((at) => at < VIDEO.length);
        const answers = starts.map((at, i) => part(at, pieces[i] ?? 0));
        const end = sum(pieces, starts.length);
        server.on('GET /v', ...answers, ...(end < VIDEO.length ? [part(end, VIDEO.length)] : []));
        expect(String((await read(server)).bytes)).toBe(String(VIDEO));
      }),
      { numRuns: 20 },
    );
  });

  test.each([503, 429])(
    'is retried after longer and longer waits while the server responds with %i',
    async (status) => {
      await using server = await WireServer.open();
      server.on('GET /v', part(0, 10), answer(status), answer(status), part(10, 100));
      const { bytes, pauses } = await read(server);
      expect([bytes.equals(VIDEO), pauses]).toEqual([true, [1_000, 2_000, 4_000]]);
    },
  );

  test('four times in a row without a byte fails', async () => {
    await using server = await WireServer.open();
    server.on('GET /v', part(0, 10), answer(503));
    await expect(read(server)).rejects.toThrow(ResultUnavailable);
    expect(server.requests).toHaveLength(5);
  });

  test.each<[string, Record<string, string>]>([
    ['has no version tag', {}],
    ['has a weak version tag', { etag: 'W/"v1"' }],
    ['has a content encoding', { ...TAG, 'content-encoding': 'x-own' }],
  ])('is not resumed for a file that %s', async (_, headers) => {
    await using server = await WireServer.open();
    server.on('GET /v', part(0, 10, headers));
    await expect(read(server)).rejects.toThrow(ResultUnavailable);
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['another version of the whole file', part(0, 100, { etag: '"v2"' })],
    ['a part that begins at another byte', part(9, 100)],
    ['an expired address', answer(403)],
    ['nothing more', answer(416)],
  ])('is not put together with %s', async (_, second) => {
    await using server = await WireServer.open();
    server.on('GET /v', part(0, 10), second);
    await expect(read(server)).rejects.toThrow(ResultUnavailable);
    expect(server.requests).toHaveLength(2);
  });
});

const sum = (pieces: readonly number[], upTo: number) => pieces.slice(0, upTo).reduce((a, b) => a + b, 0);

import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { ApiError } from '../../../functions/http/errors.ts';
import { END, FILE, part, TYPE } from './form-text.ts';
import { memoryPorts } from './memory-ports.ts';

describe('an upload', () => {
  const whole = Buffer.from(part('name="purpose"', 'vision') + FILE + END);

  /** Uploads a body and returns the status, how many objects have no row, and how many rows there are. */
  async function upload(pieces: Buffer[]): Promise<{ status: number; orphans: number; rows: number }> {
    const world = memoryPorts();
    const request = {
      body: Readable.from(pieces),
      contentType: TYPE,
      workspaceId: 'w',
      conditions: () => ({}),
      log: world.log,
    };
    const status = await receiveFile(request, world.ports).then(
      () => 200,
      (error: unknown) => (error instanceof ApiError ? error.status : 500),
    );
    return { status, orphans: world.objects.size - world.rows.length, rows: world.rows.length };
  }

  test('is the same file for any chunks', async () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const { status, rows } = await upload([whole.subarray(0, cut), whole.subarray(cut)]);
      expect({ cut, status, rows }).toEqual({ cut, status: 200, rows: 1 });
    }
    expect(await upload([...whole].map((byte) => Buffer.from([byte])))).toMatchObject({ status: 200 });
  });

  test('is refused, and leaves nothing, when it ends at any byte before its end', async () => {
    for (let length = 0; length < whole.length - '\r\n'.length; length++) {
      expect(await upload([whole.subarray(0, length)])).toEqual({ status: 400, orphans: 0, rows: 0 });
    }
  });

  test('of mutated bytes is stored completely or refused, and nothing is left over', async () => {
    const mutation = fc.record({
      at: fc.nat(whole.length),
      remove: fc.nat(8),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom('\r\n', '--x', '\r\n--x', '--', '"', ';', '\0', 'name="file"')
          .map((word) => Buffer.from(word)),
      ),
    });
    const mutated = fc
      .tuple(fc.array(mutation, { minLength: 1, maxLength: 4 }), fc.nat(whole.length))
      .map(([mutations, cut]): Buffer[] => {
        const body = mutations.reduce(
          (bytes, { at, remove, insert }) =>
            Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]),
          whole,
        );
        return [body.subarray(0, cut), body.subarray(cut)];
      });
    await fc.assert(
      fc.asyncProperty(mutated, async (pieces) => {
        const { status, orphans, rows } = await upload(pieces);
        expect([200, 400]).toContain(status);
        expect({ orphans, rows }).toEqual({ orphans: 0, rows: status === 200 ? 1 : 0 });
      }),
      { numRuns: 5_000 },
    );
  });
});

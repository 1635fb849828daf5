import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { detect } from './detect.ts';
import { accepted, fixture } from './file-fixtures.ts';

describe('a damaged file', () => {
  const small = accepted.filter((name) => fixture(`accepted/${name}`).length < 3_000);

  test.each(small)('%s, cut anywhere, is accepted as its own type or refused', async (name) => {
    const file = fixture(`accepted/${name}`);
    const type = await detect(file);
    for (let length = 0; length < file.length; length++) {
      const cut = await detect(file.subarray(0, length));
      if (!cut.startsWith('refused: ')) expect([type, 'text/plain']).toContain(cut);
    }
  });

  test('with any bytes changed is accepted or refused, and never causes another error', async () => {
    const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat({ max: 255 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...accepted),
        fc.array(change, { minLength: 1, maxLength: 20 }),
        async (name, changes) => {
          const file = Buffer.from(fixture(`accepted/${name}`));
          for (const { at, byte } of changes) file[Math.floor(at * (file.length - 1))] = byte;
          expect(await detect(file)).toMatch(/^(?:[a-z]+\/|refused: )/);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('of random bytes is accepted or refused, and never causes another error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await detect(bytes)).toMatch(/^(?:[a-z]+\/|refused: )/);
      }),
      { numRuns: 2_000 },
    );
  });
});

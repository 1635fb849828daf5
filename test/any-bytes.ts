import fc from 'fast-check';

/** Bytes that mean something to most readers: white space, quotes, escapes, and the ends of ranges. */
const NOTABLE = [0, 1, 9, 10, 13, 32, 34, 45, 46, 58, 92, 127, 128, 192, 255];

/**
 * One of the seeds after some changes. Each removes a piece, and puts in bytes, tokens of the grammar (as Latin-1) or a
 * piece of any seed, often many times.
 */
export function mutatedBytes(seeds: readonly Buffer[], tokens: readonly string[]): fc.Arbitrary<Buffer> {
  const longest = Math.max(...seeds.map(({ length }) => length));
  const length = fc.oneof(fc.nat(2), fc.nat(16), fc.nat(longest));
  const piece = fc
    .tuple(fc.constantFrom(...seeds), fc.nat(longest), length)
    .map(([seed, at, size]) => seed.subarray(at % (seed.length + 1)).subarray(0, size));
  const added = fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.constantFrom(...NOTABLE).map((byte) => Buffer.of(byte)),
    fc.nat(255).map((byte) => Buffer.of(byte)),
    fc.constantFrom(...tokens).map((token) => Buffer.from(token, 'latin1')),
    piece,
  );
  const times = fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.nat(40));
  const changes = fc.array(fc.record({ at: fc.nat(longest), removed: length, added, times }), {
    maxLength: 5,
  });
  return fc.tuple(fc.constantFrom(...seeds), changes).map(([seed, all]) =>
    all.reduce((bytes, change) => {
      const at = change.at % (bytes.length + 1);
      const inserted = new Array<Buffer>(change.times).fill(change.added);
      return Buffer.concat([bytes.subarray(0, at), ...inserted, bytes.subarray(at + change.removed)]);
    }, seed),
  );
}

/** Cuts the bytes at every place near the beginning, and then into longer and longer pieces. */
export function inPieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, length = 1; at < bytes.length; at += length) {
    length = Math.max(1, Math.floor(at / 64));
    pieces.push(bytes.subarray(at, at + length));
  }
  return pieces;
}

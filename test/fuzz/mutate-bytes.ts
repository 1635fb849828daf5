export interface Material {
  readonly random: () => number;
  /** Other inputs, from which pieces are copied. */
  readonly corpus: readonly Buffer[];
  /** Tokens of the grammar. */
  readonly tokens: readonly Buffer[];
}

type Change = (bytes: Buffer, material: Material) => Buffer;

const LONGEST = 4 * 1024;
const MOST_CHANGES = 5;
const INTERESTING = Buffer.from([0, 1, 9, 10, 13, 32, 34, 45, 46, 58, 92, 127, 128, 192, 255]);

/** Returns a changed copy of an input. */
export function mutateBytes(bytes: Buffer, material: Material): Buffer {
  let changed: Buffer = bytes;
  for (let left = 1 + below(MOST_CHANGES, material); left > 0; left--) {
    changed = pick(CHANGES, material)(changed, material);
  }
  return changed.subarray(0, LONGEST);
}

const below = (end: number, { random }: Material): number => Math.floor(random() * end);

function pick<T>(from: readonly T[], material: Material): T {
  const picked = from[below(from.length, material)];
  if (picked === undefined) throw new Error('there is nothing to pick from');
  return picked;
}

/** Replaces this many bytes with others. */
const spliced = (bytes: Buffer, at: number, removed: number, inserted: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);

function piece(bytes: Buffer, material: Material): Buffer {
  const at = below(bytes.length, material);
  const longest = material.random() < 0.8 ? 16 : bytes.length;
  return bytes.subarray(at, at + 1 + below(longest, material));
}

const CHANGES: readonly Change[] = [
  (bytes, material) =>
    spliced(bytes, below(bytes.length, material), 1, Buffer.of(pick([...INTERESTING], material))),
  (bytes, material) => {
    const at = below(bytes.length, material);
    return spliced(bytes, at, 1, Buffer.of((bytes[at] ?? 0) ^ (1 << below(8, material))));
  },
  (bytes, material) => spliced(bytes, below(bytes.length, material), 1, Buffer.of(below(256, material))),
  (bytes, material) =>
    spliced(bytes, below(bytes.length, material), piece(bytes, material).length, Buffer.alloc(0)),
  (bytes, material) => spliced(bytes, below(bytes.length + 1, material), 0, piece(bytes, material)),
  (bytes, material) => spliced(bytes, below(bytes.length + 1, material), 0, pick(material.tokens, material)),
  (bytes, material) => {
    const token = pick(material.tokens, material);
    return spliced(bytes, below(bytes.length + 1, material), token.length, token);
  },
  (bytes, material) =>
    spliced(bytes, below(bytes.length + 1, material), 0, piece(pick(material.corpus, material), material)),
  (bytes, material) => {
    const other = pick(material.corpus, material);
    return Buffer.concat([
      bytes.subarray(0, below(bytes.length, material)),
      other.subarray(below(other.length, material)),
    ]);
  },
  (bytes, material) => {
    const repeated = piece(bytes, material);
    const times = 1 + below(40, material);
    return spliced(
      bytes,
      below(bytes.length + 1, material),
      0,
      Buffer.concat(new Array<Buffer>(times).fill(repeated)),
    );
  },
];

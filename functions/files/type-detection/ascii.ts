export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const QUOTE = 0x22;

/** `table[byte]` is 1 for the characters, 0 for others: a test that costs a loop next to nothing. */
export function byteSet(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * Where the next byte of a set is, from a place on; `end`, where there is none before it. Four bytes a step: what costs
 * is to decide after each.
 */
export function endOfRun(bytes: Uint8Array, from: number, end: number, set: Uint8Array): number {
  let i = from;
  while (
    i + 4 <= end &&
    ((set[bytes[i] ?? 0] ?? 0) |
      (set[bytes[i + 1] ?? 0] ?? 0) |
      (set[bytes[i + 2] ?? 0] ?? 0) |
      (set[bytes[i + 3] ?? 0] ?? 0)) ===
      0
  ) {
    i += 4;
  }
  while (i < end && set[bytes[i] ?? 0] === 0) i++;
  return i;
}

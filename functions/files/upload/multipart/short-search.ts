/** `indexOf` looks for what is shorter by its first byte alone, and takes 20 times as long over nothing but that byte. */
export const SHORTEST_FOR_INDEX_OF = 8;

/**
 * Where a few bytes begin in many, or -1. Puts a zero behind each byte, so that they are long enough for the other
 * algorithms of `indexOf`. Every search in JavaScript was slower over the bytes that cost it most. An expression would
 * take half as long over them, but every expression that reads outside text is a literal, so that it can be checked.
 */
export function shortSearch(wanted: Uint8Array): (bytes: Uint8Array) => number {
  // Without the last zero: `indexOf` begins with the last byte, and a zero is everywhere.
  const wideWanted = Buffer.from(Uint16Array.from(wanted).buffer).subarray(0, -1);
  let wide = new Uint16Array(0);
  return (bytes) => {
    if (wide.length < bytes.length) wide = new Uint16Array(bytes.length);
    wide.set(bytes);
    const text = Buffer.from(wide.buffer, 0, 2 * bytes.length);
    let found = text.indexOf(wideWanted);
    // At an odd place it begins with one of these zeros.
    while (found % 2 === 1) found = text.indexOf(wideWanted, found + 1);
    return found === -1 ? -1 : found / 2;
  };
}

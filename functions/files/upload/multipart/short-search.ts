/** `indexOf` looks for what is shorter by its first byte alone, and takes 20 times as long over nothing but that byte. */
export const SHORTEST_FOR_INDEX_OF = 8;

/**
 * Where a few bytes begin in many, or -1, by Horspool's search: the byte below the end of what is looked for says how
 * far to go on.
 */
export function shortSearch(wanted: Uint8Array): (bytes: Uint8Array) => number {
  const last = wanted.length - 1;
  const steps = new Uint8Array(256).fill(wanted.length);
  for (const [i, byte] of wanted.subarray(0, last).entries()) steps[byte] = last - i;
  return (bytes) => {
    for (let end = last; end < bytes.length; end += steps[bytes[end] ?? 0] ?? 1) {
      let back = 0;
      while (back <= last && bytes[end - back] === wanted[last - back]) back++;
      if (back > last) return end - last;
    }
    return -1;
  };
}

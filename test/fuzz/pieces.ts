/** Cuts the bytes at every place near the beginning, and then into longer and longer pieces. */
export function inPieces(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, length = 1; at < bytes.length; at += length) {
    length = Math.max(1, Math.floor(at / 64));
    pieces.push(bytes.subarray(at, at + length));
  }
  return pieces;
}

/** The polynomial of CRC-32, its bits in reverse, as zlib and S3 have it. */
const POLYNOMIAL = 0xedb88320;
/** x⁰ and x⁸, their bits in reverse: the highest bit is the coefficient of x⁰. */
const ONE = 0x80000000;
const ONE_BYTE = 0x00800000;

/**
 * The CRC-32 of two stretches of bytes, one behind the other, from their own: bytes that follow multiply what was
 * before by a power of x, so that no byte is read twice.
 */
export function crc32OfBoth(first: number, second: number, secondLength: number): number {
  return (multiply(first, shiftOf(secondLength)) ^ second) >>> 0;
}

/** x to the power of as many bits as there are in so many bytes, by repeated squaring. */
function shiftOf(bytes: number): number {
  let shift = ONE;
  let square = ONE_BYTE;
  for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = multiply(shift, square);
    square = multiply(square, square);
  }
  return shift;
}

/** The product of two polynomials over GF(2), modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1;
  }
  return product;
}

const BYTE_ORDER_MARKS: readonly (readonly [string, string])[] = [
  ['\xff\xfe\0\0', 'UTF-32 text'],
  ['\0\0\xfe\xff', 'UTF-32 text'],
  ['\xff\xfe', 'UTF-16 text'],
  ['\xfe\xff', 'UTF-16 text'],
];
const SAMPLE_LENGTH = 4096;

/** The encoding of a text that begins with a byte order mark other than UTF-8's. */
export function nameByteOrderMark(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 4);
  return BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
}

/** A few words about a file that has no signature and is not UTF-8 text. */
export function describeUnknown(head: Buffer, hasNul: boolean): string {
  const sample = head.subarray(0, SAMPLE_LENGTH);
  const nulsAt = (parity: 0 | 1) => sample.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  const [fewer = 0, more = 0] = [nulsAt(0), nulsAt(1)].sort((a, b) => a - b);
  const isMostlyNul = more > sample.length / 4;
  // Each of its characters is two bytes, or twice that.
  if (isMostlyNul && fewer === 0 && sample.length % 2 === 0) return 'UTF-16 text without a byte order mark';
  if (isMostlyNul || hasControlBytes(sample)) return 'unknown binary data';
  return hasNul ? 'text with NUL bytes' : 'text that is not UTF-8';
}

/** Bytes that typed text does not have: the controls but blanks, breaks, backspace and escape. NUL is judged apart. */
export function hasControlBytes(head: Buffer): boolean {
  return head.subarray(0, SAMPLE_LENGTH).some((byte) => byte < 0x20 && !TYPED_CONTROLS.has(byte));
}

const TYPED_CONTROLS = new Set(Array.from('\0\b\t\n\v\f\r\x1b', (control) => control.charCodeAt(0)));

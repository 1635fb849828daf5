import type { AcceptedMimeType, TypeVerdict } from './accepted-types.ts';

/** What the library is right about by the head alone; it is not asked about the other types. */
const ACCEPTED = new Map<string, AcceptedMimeType>([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['audio/wav', 'audio/wav'],
  ['audio/flac', 'audio/flac'],
  ['audio/x-flac', 'audio/flac'],
]);
/** What the library itself samples of a stream; more would only let a hostile file have more parsed. */
const LIBRARY_SAMPLE_LENGTH = 4100;
const GZIP = '\x1f\x8b';
/** These begin like an accepted type and are none. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/^(?:RF64|BW64|RIFX)....WAVE/s, 'a variant of WAV other than RIFF/WAVE'],
  [/^GIF(?!8[79]a)/, 'a damaged GIF image'],
];

/** Decides by the signature at the start of a file; `undefined` where there is no known one. */
export async function classifySignature(head: Buffer): Promise<TypeVerdict | undefined> {
  const start = head.toString('latin1', 0, 16);
  // The library would inflate it to look inside.
  if (start.startsWith(GZIP)) return { found: 'application/gzip' };
  const lookAlike = LOOK_ALIKES.find(([signature]) => signature.test(start))?.[1];
  const found = lookAlike ?? (await nameByLibrary(head));
  if (found === undefined) return undefined;
  const mimeType = ACCEPTED.get(found);
  return mimeType === undefined ? { found } : { mimeType };
}

/** Loads the library with the first file that is not text. */
async function nameByLibrary(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head.subarray(0, LIBRARY_SAMPLE_LENGTH)))?.mime;
  } catch {
    // The head of a hostile file broke one of its parsers: it has no name then, and is refused.
    return undefined;
  }
}

/** Readers look for the header in the first 1,024 bytes, and for the trailer in the last (ISO 32000, annex I). */
export const PDF_SEARCH_LENGTH = 1024;

const PDF_HEADER = /%PDF-\d\.\d/;
const PDF_HEADER_LENGTH = '%PDF-1.7'.length;
const PDF_HEADER_LINE = /^%PDF-\d\.\d[ \t]*(?:[\r\n]|$)/;
const PDF_TRAILER = '%%EOF';

export function isPdf(head: Buffer): boolean {
  return PDF_HEADER.test(head.toString('latin1', 0, PDF_HEADER_LENGTH));
}

/** Junk before the header is common enough; whether the junk is another type is for others to say. */
export function isPdfAfterJunk(head: Buffer, tail: Buffer): boolean {
  const searched = head.toString('latin1', 0, PDF_SEARCH_LENGTH + PDF_HEADER_LENGTH);
  return PDF_HEADER.test(searched) && hasPdfTrailer(tail);
}

/**
 * A PDF may be text from end to end, and a text may speak of `%PDF-1.7`: so among texts only those count that
 * begin with the header and have it on a line of its own, or end as a PDF does.
 */
export function isTextualPdf(text: Buffer, tail: Buffer): boolean {
  return (
    isPdf(text) &&
    (PDF_HEADER_LINE.test(text.toString('latin1', 0, PDF_SEARCH_LENGTH)) || hasPdfTrailer(tail))
  );
}

function hasPdfTrailer(tail: Buffer): boolean {
  return tail.subarray(-PDF_SEARCH_LENGTH).includes(PDF_TRAILER);
}

const BYTE_ORDER_MARKS: readonly (readonly [string, string])[] = [
  ['\xff\xfe\0\0', 'UTF-32 text'],
  ['\0\0\xfe\xff', 'UTF-32 text'],
  ['\xff\xfe', 'UTF-16 text'],
  ['\xfe\xff', 'UTF-16 text'],
];
const TEXT_SAMPLE_LENGTH = 4096;

/** The encoding of a text that begins with a byte order mark other than UTF-8's. */
export function nameByteOrderMark(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, 4);
  return BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
}

/** A few words about a file that has no signature and is not UTF-8 text. */
export function describeUnknown(head: Buffer, hasNul: boolean): string {
  const sample = head.subarray(0, TEXT_SAMPLE_LENGTH);
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
  return head.subarray(0, TEXT_SAMPLE_LENGTH).some((byte) => byte < 0x20 && !TYPED_CONTROLS.has(byte));
}

const TYPED_CONTROLS = new Set(Array.from('\0\b\t\n\v\f\r\x1b', (control) => control.charCodeAt(0)));
